package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.RegistryRequestListener.Kind;
import dev.elasticjob.job.event.RegistryRequestListener.Outcome;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class EngineFiguresTest {
    private static final Instant START = Instant.parse("2026-03-01T11:59:50Z");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(3)
            .build();

    private final List<Integer> busy = new ArrayList<>();
    private final List<Integer> running = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();

    @Test
    void beforeItIsStartedAnEngineHasNoFigures() {
        OneEngine one = engine();
        EngineFigures figures = one.engine.figures();

        assertThat(figures.isRunning()).isFalse();
        assertThat(figures.isConnected()).isFalse();
        assertThat(figures.leaseRemaining()).isZero();
        assertThat(figures.threadsBusy()).isZero();
        assertThat(figures.itemsOwned("orders")).isZero();
        assertThat(figures.threadsMax()).isEqualTo(5);
        assertThat(figures.instance()).isEqualTo("a@-@1");
    }

    @Test
    void figuresOfAnEngineFollowWhatItDoes() {
        OneEngine one = engine().started();
        EngineFigures figures = one.engine.figures();

        one.pass(Duration.ofSeconds(12));
        int claimed = figures.itemsRunning("orders");
        Duration waited = figures.longestWait("orders");
        one.runItems();

        assertThat(figures.isRunning()).isTrue();
        assertThat(figures.isConnected()).isTrue();
        assertThat(figures.itemsOwned("orders")).isEqualTo(3);
        assertThat(figures.itemsOwned("unknown")).isZero();
        assertThat(claimed).as("while they wait for their threads").isEqualTo(3);
        assertThat(waited).as("since they are due").isEqualTo(Duration.ofSeconds(2));
        assertThat(figures.longestWait("orders")).as("once all have begun").isZero();
        assertThat(figures.longestWait("unknown")).isZero();
        assertThat(running).as("one after the other ends").containsExactly(3, 2, 1);
        assertThat(busy).as("the test runs one thread at a time").containsOnly(1);
        assertThat(figures.threadsBusy()).as("in the end").isZero();
        assertThat(figures.itemsRunning("orders")).as("in the end").isZero();
    }

    @Test
    void theLeaseShrinksUntilACommitProlongsIt() {
        OneEngine one = engine().started();
        EngineFigures figures = one.engine.figures();

        Duration before = figures.leaseRemaining();
        one.time.advance(Duration.ofSeconds(2));

        assertThat(before).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(18));
        assertThat(figures.leaseRemaining()).isEqualTo(before.minusSeconds(2));
    }

    @Test
    void requestsAreReportedByKindAndOutcome() {
        engine().started();

        assertThat(requests).contains("READ SUCCESS", "COMMIT SUCCESS").doesNotContain("READ UNAVAILABLE");
    }

    @Test
    void requestsThatFailAreReportedAsUnavailable() {
        OneEngine one = engine(Silent::new).started();
        one.pass(Duration.ofSeconds(1));

        assertThat(requests).contains("COMMIT UNAVAILABLE").doesNotContain("COMMIT SUCCESS");
    }

    @Test
    void aRequestListenerThatThrowsDisturbsNothing() {
        OneEngine one = new OneEngine(
                        START,
                        ORDERS,
                        context -> {},
                        engine -> engine.requestListeners(() -> List.of((kind, outcome, took) -> {
                            throw new IllegalStateException("provoked by this test");
                        })))
                .started();

        assertThat(one.engine.figures().itemsOwned("orders")).isEqualTo(3);
    }

    private OneEngine engine() {
        return engine(UnaryOperator.identity());
    }

    private OneEngine engine(UnaryOperator<Registry> registry) {
        OneEngine[] one = new OneEngine[1];
        one[0] = new OneEngine(
                START,
                ORDERS,
                context -> {
                    busy.add(one[0].engine.figures().threadsBusy());
                    running.add(one[0].engine.figures().itemsRunning("orders"));
                },
                engine -> engine.maxThreads(5).requestListeners(() -> List.of(this::note)),
                registry);
        return one[0];
    }

    private void note(Kind kind, Outcome outcome, Duration took) {
        assertThat(took).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        requests.add(kind + " " + outcome);
    }

    /** Its commits are never answered. */
    private static final class Silent extends DelegatingRegistry {
        private final Registry registry;

        Silent(Registry registry) {
            this.registry = registry;
        }

        @Override
        protected Registry delegate() {
            return registry;
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            return CompletableFuture.failedFuture(
                    new RegistryUnavailableException("The connection was lost", true, new IllegalStateException()));
        }
    }
}
