package dev.elasticjob.registry.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryContract;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InMemoryRegistryTest {
    @Nested
    class OnSeveralThreads extends Contract {
        /** Outlives the clients of each test, which are closed last. */
        private static final Executor THREADS = Executors.newFixedThreadPool(4, task -> {
            var thread = new Thread(task, "in-memory-registry");
            thread.setDaemon(true);
            return thread;
        });

        @Override
        protected Registry connect() {
            return new InMemoryRegistry(ensemble, THREADS);
        }
    }

    @Nested
    class OnOneThreadInRandomOrder extends Contract {
        private final ShuffledExecutor executor = new ShuffledExecutor(42);

        @Override
        protected Registry connect() {
            return new InMemoryRegistry(ensemble, executor);
        }

        @AfterEach
        void stop() {
            executor.close();
        }
    }

    @Nested
    class OnTheCallersThread extends Contract {
        @Override
        protected Registry connect() {
            return new InMemoryRegistry(ensemble, Runnable::run);
        }
    }

    /** An executor of which the test runs the tasks itself, in order. */
    @Nested
    class StepByStep {
        private final InMemoryEnsemble ensemble = new InMemoryEnsemble(Clock.systemUTC());
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private final InMemoryRegistry registry = new InMemoryRegistry(ensemble, tasks::add);
        private final RegistrySession session = registry.session().orElseThrow();

        @Test
        void nothingHappensButInTasks() {
            var read = registry.read(List.of(RegistryRead.data("/a"))).toCompletableFuture();

            assertThat(ensemble.requests()).isZero();
            step();
            assertThat(ensemble.requests()).isEqualTo(1);
            assertThat(read).isNotDone();
            step();
            assertThat(read).isDone();
        }

        @Test
        void anAnswerThatIsCutOffLeavesTheOutcomeOpen() {
            var commit = registry.commit(
                            session, RegistryCommit.builder().create("/a").build())
                    .toCompletableFuture();

            step();
            registry.disconnect();
            runAll();

            assertThat(RegistryContract.unavailable(commit).outcomeUnknown()).isTrue();
            assertThat(ensemble.render()).contains("/a v0");
        }

        @Test
        void aRequestOnItsWayWhenTheConnectionIsCutMayStillBeCarriedOut() {
            var commit = registry.commit(
                            session, RegistryCommit.builder().create("/a").build())
                    .toCompletableFuture();

            registry.disconnect();
            assertThat(ensemble.render()).doesNotContain("/a");
            runAll();

            assertThat(RegistryContract.unavailable(commit).outcomeUnknown()).isTrue();
            assertThat(ensemble.render()).contains("/a v0");
        }

        @Test
        void aRequestOfAFormerConnectionIsVoid() {
            var commit = registry.commit(
                            session, RegistryCommit.builder().create("/a").build())
                    .toCompletableFuture();

            registry.disconnect();
            registry.reconnect();
            runAll();

            assertThat(RegistryContract.unavailable(commit).outcomeUnknown()).isTrue();
            assertThat(ensemble.render()).doesNotContain("/a");
            assertThat(registry.session()).contains(session);
        }

        @Test
        void aSessionThatExpiresDuringACutIsFoundLostAfterwards() {
            List<ConnectionState> states = new ArrayList<>();
            registry.onConnectionState(states::add);

            registry.disconnect();
            ensemble.expire(session);
            runAll();
            assertThat(registry.session()).contains(session);
            registry.reconnect();
            runAll();

            assertThat(states)
                    .containsExactly(ConnectionState.SUSPENDED, ConnectionState.LOST, ConnectionState.RECONNECTED);
            assertThat(registry.session().orElseThrow().id()).isNotEqualTo(session.id());
        }

        @Test
        void anEventThatIsCutOffIsLost() {
            var seen = new ArrayList<String>();
            registry.watch("/a", WatchScope.NODE, () -> seen.add("event"));
            runAll();
            var other = new InMemoryRegistry(ensemble, Runnable::run);
            assertThat(other.commit(
                                    other.session().orElseThrow(),
                                    RegistryCommit.builder().create("/a").build())
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Committed.class);

            registry.disconnect();
            registry.reconnect();
            runAll();

            assertThat(seen).isEmpty();
        }

        private void step() {
            tasks.remove().run();
        }

        private void runAll() {
            while (!tasks.isEmpty()) {
                step();
            }
        }
    }

    abstract static class Contract extends RegistryContract {
        final InMemoryEnsemble ensemble = new InMemoryEnsemble(Clock.systemUTC());

        @Override
        protected void cut(Registry client) {
            ((InMemoryRegistry) client).disconnect();
        }

        @Override
        protected void mend(Registry client) {
            ((InMemoryRegistry) client).reconnect();
        }

        @Override
        protected void expire(RegistrySession session) {
            ensemble.expire(session);
        }
    }
}
