package dev.elasticjob.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The meters of a job's demand, on its leader, in virtual time. */
@ExtendWith(OutputCaptureExtension.class)
class DemandMetersTest {
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ElasticJobEngine engine = engine();

    @Test
    void eachIsRegisteredOnce(CapturedOutput output) {
        engine.register(JobDefinition.builder("orders").shardingTotalCount(1).build(), context -> {});
        engine.start();
        settle();
        engine.stop();
        settle();

        assertThat(output).doesNotContain("has been already registered");
    }

    @Test
    void theyShowWhatIsOpenWhatRunsAndWhatComes() {
        engine.register(
                JobDefinition.builder("orders")
                        .cron("0 * * * * ?")
                        .timeZone(ZoneOffset.UTC)
                        .shardingTotalCount(3)
                        .weight(2)
                        .build(),
                context -> {});
        engine.start();
        settle();

        pass(INTERVAL);
        assertThat(gauge("open")).isZero();
        assertThat(gauge("running")).isZero();
        assertThat(gauge("weight")).isZero();
        assertThat(gauge("open.age")).as("nothing is open").isZero();
        assertThat(gauge("next.due")).isEqualTo(30);
        pass(Duration.ofSeconds(5));
        assertThat(gauge("next.due")).isEqualTo(25);

        // One of three has room, and its thread doesn't begin.
        pass(INTERVAL.plusSeconds(25));
        assertThat(gauge("open")).isEqualTo(2);
        assertThat(gauge("running")).isEqualTo(1);
        assertThat(gauge("weight")).isEqualTo(6);
        assertThat(gauge("open.age")).as("since the firing").isEqualTo(30);
        pass(Duration.ofSeconds(5));
        assertThat(gauge("open.age")).isEqualTo(35);
    }

    @Test
    void theyAreNoNumbersWhereTheDemandIsNotKnown() {
        engine.register(JobDefinition.builder("orders").shardingTotalCount(1).build(), context -> {});
        engine.start();
        settle();

        pass(INTERVAL);

        assertThat(gauge("open")).isZero();
        assertThat(gauge("next.due")).as("nothing ever becomes due").isNaN();
        engine.stop();
        settle();
        assertThat(gauge("open")).isNaN();
    }

    private ElasticJobEngine engine() {
        var registry = new InMemoryRegistry(new InMemoryEnsemble(time, Duration.ofSeconds(20)), tasks::add);
        ElasticJobEngine[] made = new ElasticJobEngine[1];
        JobMeters listening =
                new JobMeters(meters, List.of("orders"), () -> Optional.ofNullable(made[0]), List.of(), List.of());
        made[0] = ElasticJobEngine.builder(registry)
                .instanceId("a@-@1")
                .ip("10.0.0.1")
                .capacity(2)
                .clock(time)
                .timer(time)
                .coordinationExecutor(tasks::add)
                .workers(threads::add)
                .listener(listening)
                .demandInterval(INTERVAL)
                .build();
        return made[0];
    }

    private void pass(Duration duration) {
        for (Duration left = duration; !left.isZero(); left = left.minusSeconds(1)) {
            time.advance(Duration.ofSeconds(1));
            settle();
        }
    }

    private void settle() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private double gauge(String name) {
        return meters.get("elasticjob.demand." + name)
                .tag("job", "orders")
                .gauge()
                .value();
    }
}
