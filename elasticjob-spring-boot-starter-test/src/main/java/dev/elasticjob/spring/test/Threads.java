package dev.elasticjob.spring.test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a cluster: one that coordinates all instances, so that repeated tests run in the same order, and one
 * for each running item. Tasks that arrive after the end are discarded.
 */
final class Threads implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;
    private static final long LONGEST_STEP_SECONDS = 10;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor coordination = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> daemon(new Coordinator(task, "elasticjob-test-coordination")),
            new ThreadPoolExecutor.DiscardPolicy());
    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> daemon(new Own(task, "elasticjob-test-worker-" + number.incrementAndGet())),
            new ThreadPoolExecutor.DiscardPolicy());

    Executor coordination() {
        return coordination;
    }

    Executor workers() {
        return workers;
    }

    /** Runs an action between two steps of coordination, after all steps that are already queued. */
    void betweenSteps(Runnable action) {
        if (areCoordinating()) {
            action.run();
            return;
        }
        try {
            CompletableFuture.runAsync(action, coordination).get(LONGEST_STEP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a coordination step", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    ("Expected a coordination step to finish within %d s, but it did not: does a listener wait for"
                                    + " something?")
                            .formatted(LONGEST_STEP_SECONDS),
                    e);
        }
    }

    /** Whether the caller is a job or a listener, which can't wait for itself. */
    static boolean areRunningThis() {
        return Thread.currentThread() instanceof Own;
    }

    /** Whether the caller is a step of coordination, which can't wait for itself either. */
    static boolean areCoordinating() {
        return Thread.currentThread() instanceof Coordinator;
    }

    @Override
    public void close() {
        coordination.shutdown();
        workers.shutdownNow();
    }

    private static Thread daemon(Thread thread) {
        thread.setDaemon(true);
        return thread;
    }

    private static class Own extends Thread {
        Own(Runnable task, String name) {
            super(task, name);
        }
    }

    private static final class Coordinator extends Own {
        Coordinator(Runnable task, String name) {
            super(task, name);
        }
    }
}
