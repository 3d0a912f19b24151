package dev.elasticjob.coordination.session;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.SESSION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SharedConnectionTest {
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final RegistrySession NEXT = new RegistrySession(8, Duration.ofSeconds(20));
    private static final RegistryCommit COMMIT =
            RegistryCommit.builder().check("/orders/config", 3).build();

    private final ManualTime time = new ManualTime(NOON);
    private final ScriptedRegistry registry = new ScriptedRegistry(SESSION);
    private final SessionLease lease = new SessionLease(time, Duration.ofSeconds(2));
    private final RegistryTime registryTime = new RegistryTime(time, time);
    private final SharedConnection connection =
            new SharedConnection(registry, Runnable::run, time, lease, registryTime);

    @BeforeEach
    void open() {
        connection.open();
    }

    @Nested
    class WhatOperatorsRead {
        @Test
        void aLossSaysWhatItMeansAndTheReturnHowLongItTook() {
            connection.commit(SESSION, COMMIT);
            registry.last().carriedOut(NOON);
            try (LoggedLines log = new LoggedLines()) {
                registry.become(ConnectionState.SUSPENDED);
                time.advance(Duration.ofSeconds(15));
                registry.become(ConnectionState.LOST);
                time.advance(Duration.ofSeconds(60));
                registry.reconnect(NEXT);

                assertThat(log.all())
                        .containsExactly(
                                "WARN The registry is unavailable (SUSPENDED): jobs start nothing new on this instance until it is available again;"
                                        + " running executions keep their items for up to 4.6 s",
                                "WARN The registry session has expired: other instances take over this instance's items",
                                "INFO The registry is available again after 1 min 15 s: jobs start new executions");
            }
        }

        @Test
        void nothingIsSaidBeforeTheFirstConnection() {
            ScriptedRegistry away = new ScriptedRegistry(SESSION);
            away.become(ConnectionState.LATENT);
            try (LoggedLines log = new LoggedLines();
                    SharedConnection waiting = new SharedConnection(away, Runnable::run, time, lease, registryTime)) {
                waiting.open();
                away.become(ConnectionState.SUSPENDED);
                away.reconnect(SESSION);

                assertThat(log.all()).isEmpty();
            }
        }
    }

    @Nested
    class Commits {
        @Test
        void anAnswerTellsTheRegistrysTimeAndProlongsTheLease() {
            CompletableFuture<CommitOutcome> outcome = commit();

            registry.last().carriedOut(NOON.plusSeconds(90));

            assertThat(outcome).isCompletedWithValueMatching(CommitOutcome.Committed.class::isInstance);
            assertThat(registryTime.now()).isEqualTo(NOON.plusSeconds(90));
            assertThat(lease.holds(SESSION.id())).isTrue();
        }

        @Test
        void aRefusalIsAnAnswerToo() {
            CompletableFuture<CommitOutcome> outcome = commit();

            registry.last().refused();

            assertThat(outcome).isCompletedWithValueMatching(CommitOutcome.Refused.class::isInstance);
            assertThat(lease.holds(SESSION.id())).isTrue();
        }

        @Test
        void oneWhoseAnswerWasLostIsSentAgainUnchangedInTheSameSession() {
            CompletableFuture<CommitOutcome> outcome = commit();
            registry.become(ConnectionState.SUSPENDED);
            registry.last().lost();
            time.advance(PAUSE);
            assertThat(registry.sent).as("nothing is sent without a connection").hasSize(1);

            registry.reconnect(SESSION);
            registry.last().carriedOut(NOON);

            assertThat(registry.sent).hasSize(2).allSatisfy(each -> {
                assertThat(each.commit()).isSameAs(COMMIT);
                assertThat(each.session()).isEqualTo(SESSION);
            });
            assertThat(outcome).isCompletedWithValueMatching(CommitOutcome.Committed.class::isInstance);
        }

        @Test
        void inAnotherSessionItIsNeverSentAgain() {
            CompletableFuture<CommitOutcome> outcome = commit();
            registry.become(ConnectionState.SUSPENDED);
            registry.last().lost();
            registry.become(ConnectionState.LOST);

            registry.reconnect(NEXT);
            time.advance(PAUSE);

            assertThat(registry.sent).hasSize(1);
            assertThat(failure(outcome).outcomeUnknown()).isTrue();
        }

        @Test
        void oneThatWasNeverSentFailsAtOnce() {
            CompletableFuture<CommitOutcome> outcome = commit();

            registry.last().neverSent();

            assertThat(failure(outcome).outcomeUnknown()).isFalse();
            assertThat(time.nextTask()).isEmpty();
        }

        @Test
        void onceAnAnswerWasLostNothingIsKnownUntilThereIsOne() {
            CompletableFuture<CommitOutcome> outcome = commit();
            registry.last().lost();
            time.advance(PAUSE);
            registry.last().neverSent();
            assertThat(outcome).as("the first try may have been carried out").isNotDone();
            time.advance(PAUSE);

            registry.last().refused();

            assertThat(registry.sent).hasSize(3);
            assertThat(outcome).isCompletedWithValueMatching(CommitOutcome.Refused.class::isInstance);
        }

        @Test
        void pausesGrowUpToALimit() {
            commit();
            List<Duration> pauses = new ArrayList<>();

            for (int i = 0; i < 9; i++) {
                registry.last().lost();
                pauses.add(Duration.between(time.instant(), time.nextTask().orElseThrow()));
                time.advance(PAUSE);
            }

            assertThat(pauses.subList(0, 3))
                    .containsExactly(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(200));
            assertThat(pauses.subList(6, 9)).containsOnly(Duration.ofMillis(3_200));
        }

        @Test
        void whatNobodyCanCarryOutIsNotRepeated() {
            CompletableFuture<CommitOutcome> outcome = commit();

            registry.last().answer().completeExceptionally(new IllegalArgumentException("a malformed path"));

            assertThat(outcome).isCompletedExceptionally();
            assertThat(time.nextTask()).isEmpty();
        }

        private CompletableFuture<CommitOutcome> commit() {
            return connection.commit(SESSION, COMMIT).toCompletableFuture();
        }
    }

    @Nested
    class Retries {
        private final List<CompletableFuture<String>> attempts = new ArrayList<>();

        private CompletableFuture<String> retrying() {
            return connection
                    .retrying(RegistryUnavailableException.class::isInstance, () -> {
                        attempts.add(new CompletableFuture<>());
                        return attempts.get(attempts.size() - 1);
                    })
                    .toCompletableFuture();
        }

        @Test
        void aFailureThatMayPassIsFollowedByAPauseAndAnotherAttempt() {
            CompletableFuture<String> result = retrying();

            attempts.get(0).completeExceptionally(new RegistryUnavailableException("provoked by this test"));
            assertThat(attempts).hasSize(1);
            time.advance(PAUSE);
            attempts.get(1).complete("there");

            assertThat(result).isCompletedWithValue("there");
        }

        @Test
        void withoutAConnectionThereIsNoAttempt() {
            CompletableFuture<String> result = retrying();
            registry.become(ConnectionState.SUSPENDED);
            attempts.get(0).completeExceptionally(new RegistryUnavailableException("provoked by this test"));
            time.advance(PAUSE);
            assertThat(attempts).hasSize(1);

            registry.reconnect(NEXT);

            assertThat(attempts).hasSize(2);
            assertThat(result).isNotDone();
        }

        @Test
        void anyOtherFailureIsTheResult() {
            CompletableFuture<String> result = retrying();

            attempts.get(0).completeExceptionally(new IllegalStateException("provoked by this test"));

            assertThat(result)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class);
            assertThat(time.nextTask()).isEmpty();
        }
    }

    @Nested
    class States {
        private final List<ConnectionState> told = new ArrayList<>();

        @Test
        void eachNewStateIsToldOnceInOrder() {
            connection.onChange(told::add);

            registry.become(ConnectionState.SUSPENDED);
            registry.become(ConnectionState.SUSPENDED);
            registry.reconnect(SESSION);

            assertThat(told).containsExactly(ConnectionState.SUSPENDED, ConnectionState.RECONNECTED);
        }

        @Test
        void aListenerThatFailsKeepsNothingFromTheOthers() {
            connection.onChange(state -> {
                throw new IllegalStateException("provoked by this test");
            });
            connection.onChange(told::add);
            registry.become(ConnectionState.SUSPENDED);
            CompletableFuture<Void> back = connection.whenConnected().toCompletableFuture();

            registry.reconnect(SESSION);

            assertThat(told).hasSize(2);
            assertThat(back).isCompleted();
        }

        @Test
        void whoHasGoneHearsNothing() {
            connection.onChange(told::add).close();

            registry.become(ConnectionState.SUSPENDED);

            assertThat(told).isEmpty();
        }

        @Test
        void withoutAConnectionThereIsNoSessionToWriteIn() {
            registry.become(ConnectionState.SUSPENDED);
            assertThat(connection.session()).isEmpty();

            registry.become(ConnectionState.READ_ONLY);
            assertThat(connection.session()).isEmpty();

            registry.reconnect(SESSION);
            assertThat(connection.session()).contains(SESSION);
        }

        @Test
        void whoeverWaitsForAConnectionIsWokenByIt() {
            assertThat(connection.whenConnected().toCompletableFuture()).isCompleted();
            registry.become(ConnectionState.SUSPENDED);
            CompletableFuture<Void> back = connection.whenConnected().toCompletableFuture();
            assertThat(back).isNotDone();

            registry.reconnect(SESSION);

            assertThat(back).isCompleted();
        }

        @Test
        void afterTheEndNobodyWaits() {
            registry.become(ConnectionState.SUSPENDED);
            CompletableFuture<Void> before = connection.whenConnected().toCompletableFuture();

            connection.close();

            assertThat(before).isCompletedExceptionally();
            assertThat(connection.whenConnected().toCompletableFuture()).isCompletedExceptionally();
            assertThat(connection.session()).isEmpty();
            assertThat(registry.listeners()).isZero();
        }
    }

    @Nested
    class HeldByALossOfData {
        private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
        private final InMemoryRegistry servers = new InMemoryRegistry(ensemble, Runnable::run);

        @Test
        void whatWasDecidedBeforeTheLossWasKnownStartsNothingAndEndsAreWritten() {
            RegistryCommit claim =
                    RegistryCommit.builder().create("/claimed", new byte[0]).build();
            RegistryCommit end =
                    RegistryCommit.builder().create("/ended", new byte[0]).build();
            try (SharedConnection held = new SharedConnection(servers, Runnable::run, time, lease, registryTime)) {
                held.admitBy(new Continuity(servers, "a", time, OnDataLoss.HOLD, loss -> {}));
                held.open();
                assertThat(outcome(held.start(session(), claim))).isInstanceOf(CommitOutcome.Committed.class);

                ensemble.empty();
                assertThat(held.session()).as("held").isEmpty();

                assertThat(failure(held.start(session(), claim).toCompletableFuture()))
                        .hasMessageContaining("Nothing may start");
                assertThat(outcome(held.commit(session(), end))).isInstanceOf(CommitOutcome.Committed.class);
            }
        }

        private RegistrySession session() {
            return servers.session().orElseThrow();
        }

        private CommitOutcome outcome(CompletionStage<CommitOutcome> stage) {
            return stage.toCompletableFuture().join();
        }
    }

    private static RegistryUnavailableException failure(CompletableFuture<CommitOutcome> outcome) {
        return (RegistryUnavailableException)
                outcome.handle((done, error) -> Stages.unwrap(error)).join();
    }
}
