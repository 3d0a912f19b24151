package dev.elasticjob.simulation;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryContract;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** The simulated registry keeps to the contract that the real one keeps to, but for servers that lag. */
class SimulatedRegistryTest extends RegistryContract {
    private static final Duration FOR_EVER = Duration.ofDays(1);
    private static final Duration PASS = Duration.ofMillis(20);
    /**
     * How much time each call lets pass: more than a client takes to notice that its connection has broken (0.3 s) and to
     * connect again (0.8 s), since a test that waits makes no further calls.
     */
    private static final int PASSES = 100;
    /** A cut has to outlast several calls. */
    private static final Duration SESSION_TIMEOUT = Duration.ofMinutes(3);

    private final Random random = new Random(42);
    private final ManualTime time = new ManualTime(World.START);
    private final Steps steps = new Steps(random);
    /** One server: a client may read what another one has just written. */
    private final Network network = new Network(time, random, steps, new Trace(time, false), SESSION_TIMEOUT, 1);

    private final Map<Registry, SimulatedRegistry> clients = new HashMap<>();
    private final Semaphore calls = new Semaphore(0);
    private final Thread world = new Thread(this::goOn, "world");
    private volatile boolean over;

    @Override
    protected Registry connect() {
        if (!world.isAlive()) {
            world.setDaemon(true);
            world.start();
        }
        return inTurn(() -> {
            SimulatedRegistry client = new SimulatedRegistry("client", network, time);
            steps.add(client.connection().requests());
            steps.add(client.connection().messages());
            Registry shared = new InTurn(client);
            clients.put(shared, client);
            return shared;
        });
    }

    @AfterEach
    void endTheWorld() {
        over = true;
        calls.release();
    }

    @Override
    protected void cut(Registry client) {
        inTurn(() -> {
            clients.get(client).connection().cut(FOR_EVER, Duration.ZERO);
            return true;
        });
    }

    @Override
    protected void mend(Registry client) {
        inTurn(() -> {
            clients.get(client).connection().mend();
            return true;
        });
    }

    @Override
    protected void expire(RegistrySession session) {
        inTurn(() -> {
            network.expire(session.id());
            return true;
        });
    }

    /** The world's one thread: does what there is to do, then waits for the next call. */
    private void goOn() {
        while (!over) {
            calls.acquireUninterruptibly();
            synchronized (steps) {
                for (int i = 0; i < PASSES; i++) {
                    while (steps.one()) {
                        // The next one.
                    }
                    time.advance(PASS);
                }
            }
        }
    }

    private <T> T inTurn(Supplier<T> call) {
        synchronized (steps) {
            try {
                return call.get();
            } finally {
                calls.release();
            }
        }
    }

    /** A client for any thread. */
    private final class InTurn implements Registry {
        private final Registry client;

        InTurn(Registry client) {
            this.client = client;
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return inTurn(() -> client.read(reads));
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            return inTurn(() -> client.commit(session, commit));
        }

        @Override
        public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
            Subscription subscription = inTurn(() -> client.watch(path, scope, lookAgain));
            return () -> inTurn(() -> {
                subscription.close();
                return true;
            });
        }

        @Override
        public CompletionStage<Void> awaitAbsence(String path) {
            return inTurn(() -> client.awaitAbsence(path));
        }

        @Override
        public Latch enterLatch(String path, String id) {
            Latch latch = inTurn(() -> client.enterLatch(path, id));
            return new Latch() {
                @Override
                public CompletionStage<Void> acquired() {
                    return latch.acquired();
                }

                @Override
                public void close() {
                    inTurn(() -> {
                        latch.close();
                        return true;
                    });
                }
            };
        }

        @Override
        public Optional<RegistrySession> session() {
            return inTurn(client::session);
        }

        @Override
        public ConnectionState connectionState() {
            return inTurn(client::connectionState);
        }

        @Override
        public Subscription onConnectionState(Consumer<ConnectionState> listener) {
            return inTurn(() -> client.onConnectionState(listener));
        }

        @Override
        public Optional<Subscription> reserve(String jobName) {
            return client.reserve(jobName);
        }

        @Override
        public Subscription keepOpen() {
            Subscription held = inTurn(client::keepOpen);
            return () -> inTurn(() -> {
                held.close();
                return true;
            });
        }

        @Override
        public void close() {
            inTurn(() -> {
                client.close();
                return true;
            });
        }
    }
}
