package dev.elasticjob.spring.test;

import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.registry.Registry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The parts that the instances of a cluster share: registry, time, threads, and a journal of events. Only the test's
 * thread waits here.
 */
final class ClusterResources implements AutoCloseable {
    private final Threads threads = new Threads();
    private final RunningTasks activity = new RunningTasks();
    private final RunningTasks coordination = activity.part();
    private final Journal journal = new Journal();
    private final Pace pace;
    private final TestRegistry registry;

    ClusterResources(JobEnvironment environment, Instant startTime, Duration patience) {
        Executor counted = task -> InstanceRuntime.counted(coordination, threads.coordination(), task);
        this.pace = environment == JobEnvironment.MANUAL_TIME
                ? new ManualPace(startTime, activity, coordination, patience)
                : new RealPace(journal, patience);
        this.registry = environment == JobEnvironment.EMBEDDED_ZOOKEEPER
                ? TestRegistry.onEmbeddedZooKeeper(patience)
                : TestRegistry.inMemory(pace.clock(), counted);
    }

    Journal journal() {
        return journal;
    }

    Pace pace() {
        return pace;
    }

    Registry connect() {
        return registry.connect();
    }

    InstanceRuntime life() {
        return new InstanceRuntime(threads, coordination, activity.part(), pace.timer());
    }

    /** Makes an engine an instance of this name, with these threads and this time. */
    void settle(ElasticJobEngineBuilder engine, String instance, InstanceRuntime life) {
        engine.instanceId(instance)
                .ip(instance)
                .clock(pace.clock())
                .timer(life.timer())
                .coordinationExecutor(life.coordination())
                .workers(life.workers())
                .serverTick(TestRegistry.TICK)
                .listener(life.heardBy(journal));
    }

    /**
     * @param what completes "Waited for …"
     * @param seen what was observed instead, for the failure
     * @throws AssertionError if the condition doesn't hold in time
     */
    void await(String what, BooleanSupplier reached, Supplier<String> seen) {
        waitFor(what, () -> pace.await(reached), seen);
    }

    /** Waits for an answer. A failure is thrown as it is. */
    <T> T answer(String what, CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        future.whenComplete((answer, error) -> journal.wake());
        waitFor(what, () -> pace.awaitAnswer(future::isDone), this::running);
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private void waitFor(String what, BooleanSupplier waiting, Supplier<String> seen) {
        if (Threads.areRunningThis()) {
            throw new IllegalStateException(
                    ("A job or a listener waited for %s. Only the test's thread may do so, because it waits for jobs"
                                    + " and listeners")
                            .formatted(what));
        }
        if (!waiting.getAsBoolean()) {
            throw new AssertionError(
                    "Waited for %s, which did not happen %s.%n%s".formatted(what, pace.patience(), seen.get()));
        }
    }

    private String running() {
        return "Running executions: "
                + journal.executions().stream()
                        .filter(run -> run.state() == Execution.State.RUNNING)
                        .toList();
    }

    @Override
    public void close() {
        pace.close();
        registry.close();
        threads.close();
    }
}
