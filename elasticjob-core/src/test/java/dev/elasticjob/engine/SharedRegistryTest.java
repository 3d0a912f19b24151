package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Engines on one registry share its session, by which an item's lock is told: a job belongs to one of them at a time. */
class SharedRegistryTest {
    private static final JobDefinition ORDERS = job("orders");
    private static final JobDefinition BILLS = job("bills");

    private final List<String> runs = new ArrayList<>();
    private boolean silent;
    private final OneEngine one = new OneEngine(
                    Instant.parse("2026-03-01T08:00:30Z"),
                    ORDERS,
                    running("first"),
                    UnaryOperator.identity(),
                    registry -> new ChangedRegistry(registry) {
                        @Override
                        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                            return silent ? new CompletableFuture<>() : super.commit(session, commit);
                        }
                    })
            .started();
    private final ElasticJobEngine second = one.another();

    @Test
    void theSecondEngineWithTheJobIsNotStarted() {
        second.register(BILLS, running("second"));
        second.register(ORDERS, running("second"));

        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("\"orders\"", "another engine", "Close that engine first");

        one.passRunning(Duration.ofMinutes(1));
        assertThat(runs).containsExactly("first");
    }

    @Test
    void anEngineThatRunsDoesNotTakeTheJobEither() {
        second.start();

        assertThatThrownBy(() -> second.register(ORDERS, running("second"))).hasMessageContaining("another engine");

        assertThat(second.jobNames()).isEmpty();
    }

    @Test
    void theJobsOfAnEngineThatWasRefusedAreFreeForOthers() {
        second.register(BILLS, running("second"));
        second.register(ORDERS, running("second"));
        assertThatThrownBy(second::start).isInstanceOf(IllegalStateException.class);

        one.engine.register(BILLS, running("first"));
        one.passRunning(Duration.ofMinutes(1));

        assertThat(runs).containsExactlyInAnyOrder("first", "first");
    }

    @Test
    void otherJobsRunBesideIt() {
        second.register(BILLS, running("second"));
        second.start();

        one.passRunning(Duration.ofMinutes(1));

        assertThat(runs).containsExactlyInAnyOrder("first", "second");
    }

    @Test
    void onceTheFirstIsStoppedTheSecondRunsTheJob() {
        one.engine.stop();
        one.settle();
        second.register(ORDERS, running("second"));

        second.start();

        one.passRunning(Duration.ofMinutes(1));
        assertThat(runs).containsExactly("second");
    }

    @Test
    void onceTheFirstHasUnregisteredTheJobTheSecondRunsIt() {
        second.start();
        one.engine.unregister("orders");
        one.settle();

        second.register(ORDERS, running("second"));

        one.passRunning(Duration.ofMinutes(1));
        assertThat(runs).containsExactly("second");
    }

    @Test
    void onceTheFirstIsClosedTheSecondRunsTheJobThoughTheRegistryGaveNoAnswer() {
        silent = true;
        one.engine.stop();
        one.pass(Duration.ofSeconds(10));
        one.engine.close();
        one.registry.disconnect();

        second.register(ORDERS, running("second"));
        second.start();

        one.registry.reconnect();
        one.passRunning(Duration.ofMinutes(1));
        assertThat(runs).containsExactly("second");
    }

    /** Its thread still holds an item of which the second would know nothing. */
    @Test
    void theSecondIsRefusedAsLongAsAThreadOfTheFirstHasNotReturned() {
        List<Throwable> refused = new ArrayList<>();
        one.engine.unregister("orders");
        one.settle();
        one.engine.register(ORDERS, context -> {
            one.engine.stop();
            one.pass(Duration.ofMinutes(2));
            second.register(ORDERS, running("second"));
            assertThatThrownBy(second::start).satisfies(refused::add);
        });
        one.passRunning(Duration.ofMinutes(1));
        assertThat(refused).hasSize(1);

        second.start();
        one.passRunning(Duration.ofMinutes(1));

        assertThat(runs).contains("second");
    }

    private SimpleJob running(String engine) {
        return context -> runs.add(engine);
    }

    private static JobDefinition job(String name) {
        return JobDefinition.builder(name)
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
    }
}
