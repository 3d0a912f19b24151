package dev.elasticjob.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.ForeignInstanceException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.JobEvent;
import dev.elasticjob.job.JobState;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TestZooKeeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Real instances of Elastic-Job 2.1.5 in a job of ours, which fires every second. */
class ForeignInstanceIT {
    private static final String NAMESPACE = "shop";
    private static final String JOB_OF_2 = "dev.elasticjob.compatibility.operator.Noting";

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());
    private final Heard<JobEvent> events = new Heard<>();

    @Test
    void ourInstanceIsNotStartedBesideOneOf2() {
        ForeignProcess two = opened.add(instanceOf2());
        two.await("ran\t0");

        assertThatThrownBy(() -> start(engine()))
                .hasCauseInstanceOf(ForeignInstanceException.class)
                .hasMessageContaining("(Elastic-Job 2.x)");
    }

    @Test
    void oursClaimNothingBesideOneOf2AndGoOnWhenItIsGone() throws Exception {
        ElasticJobEngine ours = engine();
        start(ours);
        await("a run of ours", JobEvent.ItemFinished.class);

        ForeignProcess two = opened.add(instanceOf2());
        two.await("started");
        await("the foreigner", JobEvent.ForeignInstances.class);
        events.await(
                "rest",
                all -> all.stream()
                        .anyMatch(event ->
                                event instanceof JobEvent.StateChanged change && change.to() == JobState.SUSPENDED));
        assertThat(two.lines().all()).as("nobody gives it items").doesNotContain("ran\t0", "ran\t1");

        events.clear();
        two.close();
        await("a run of ours after it", JobEvent.ItemFinished.class);
        assertThat(ours.state("orders")).isEqualTo(JobState.ACTIVE);
    }

    private ForeignProcess instanceOf2() {
        return new ForeignProcess(
                Path.of(System.getProperty("operator.target")),
                "operator.class-path",
                "dev.elasticjob.compatibility.operator.Instance",
                List.of(server.connectString(), NAMESPACE));
    }

    private <E extends JobEvent> void await(String what, Class<E> kind) {
        events.await(what, all -> all.stream().anyMatch(kind::isInstance));
    }

    private ElasticJobEngine engine() {
        CuratorRegistry registry = CuratorRegistry.connect(
                RegistrySettings.of(server.connectString(), NAMESPACE).withSessionTimeout(Duration.ofSeconds(6)));
        opened.add(registry);
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId("10.1.0.1@-@1")
                .ip("10.1.0.1")
                .serverTick(TestZooKeeper.TICK)
                .shutdownTimeout(Duration.ofSeconds(2))
                .listener(events::add)
                .build();
        opened.add(engine);
        engine.register(
                JobDefinition.builder("orders")
                        .cron("* * * * * ?")
                        .shardingTotalCount(2)
                        .jobClass(JOB_OF_2)
                        .build(),
                context -> {});
        return engine;
    }

    private static void start(ElasticJobEngine engine) {
        engine.start().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
