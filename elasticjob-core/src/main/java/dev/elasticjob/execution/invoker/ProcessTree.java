package dev.elasticjob.execution.invoker;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A process and its descendants, except those that have detached themselves from it.
 */
final class ProcessTree {
    /** A stopping engine gives interrupted executions one second in total; a lost lease gives them two. */
    private static final Duration GENTLE = Duration.ofMillis(400);

    private static final Duration FORCED = Duration.ofMillis(400);

    private final ProcessHandle root;
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    ProcessTree(ProcessHandle root) {
        this.root = root;
        known.add(root);
    }

    /**
     * Asks all processes to end, and kills those that haven't done so soon. Completes even if the thread is interrupted
     * in the meantime, and keeps the interrupt flag.
     */
    void end() {
        signal(ProcessHandle::destroy);
        await(alive(), GENTLE);
        signal(ProcessHandle::destroyForcibly);
        // Waits for the root only: an orphan stays in the process table until it is reaped, in a container perhaps
        // never.
        await(List.of(root), FORCED);
    }

    private void signal(Consumer<ProcessHandle> signal) {
        alive().forEach(process -> process.descendants().forEach(known::add));
        alive().forEach(signal);
    }

    private List<ProcessHandle> alive() {
        return known.stream().filter(ProcessHandle::isAlive).toList();
    }

    private static void await(List<ProcessHandle> processes, Duration atMost) {
        CompletableFuture<?> ended = CompletableFuture.allOf(
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new));
        boolean interrupted = Thread.interrupted();
        try {
            ended.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // The caller checks which processes are alive.
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException e) {
            throw new IllegalStateException("Can't wait for the end of a process", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
