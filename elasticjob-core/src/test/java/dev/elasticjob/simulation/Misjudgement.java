package dev.elasticjob.simulation;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.PauseDetector;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Optional;

/** A rule about time, taken out of the time that engines are given. */
enum Misjudgement implements Flaw {
    /** A thread that is about to begin an item finds its lease as it was at the first moment of all. */
    BEGINNING_WITHOUT_ASKING_THE_LEASE {
        @Override
        public TaskTimer timer(TaskTimer timer) {
            long origin = timer.nanoTime();
            return new TaskTimer() {
                @Override
                public Cancellable after(Duration delay, Runnable task) {
                    return timer.after(delay, task);
                }

                @Override
                public long nanoTime() {
                    return Thread.currentThread() instanceof BodyThread ? origin : timer.nanoTime();
                }
            };
        }
    },
    /** The servers are thought to count a session from the newest answered commit on. */
    LEASE_FROM_THE_NEWEST_ANSWER {
        @Override
        public TaskTimer timer(TaskTimer timer) {
            return new TaskTimer() {
                @Override
                public Cancellable after(Duration delay, Runnable task) {
                    return timer.after(delay, task);
                }

                @Override
                public long nanoTime() {
                    return timer.nanoTime();
                }

                @Override
                public PauseDetector detectPauses(Duration unnoticed) {
                    return new PauseDetector() {
                        @Override
                        public long awakeSince(long moment, Duration awake) {
                            return moment;
                        }

                        @Override
                        public void close() {}
                    };
                }
            };
        }
    },
    /** The lease is thought to last as long as the session: what is subtracted from it is granted on top. */
    LEASE_WITHOUT_ITS_MARGIN {
        @Override
        public Registry apply(Registry registry) {
            return new ChangedRegistry(registry) {
                @Override
                public Optional<RegistrySession> session() {
                    return super.session()
                            .map(session -> new RegistrySession(
                                    session.id(), session.timeout().plus(MARGIN)));
                }
            };
        }
    };

    /** A tick of the servers, as it is assumed where nobody says otherwise. */
    private static final Duration MARGIN = Duration.ofSeconds(2);

    @Override
    public Registry apply(Registry registry) {
        return registry;
    }
}
