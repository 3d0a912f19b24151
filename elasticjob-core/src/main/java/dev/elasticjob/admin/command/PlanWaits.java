package dev.elasticjob.admin.command;

import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The waits of commands until the instances of a job follow them. Each ends after {@link PauseAnswer#LONGEST_WAIT}, or when
 * this is closed. Thread-safe.
 */
public final class PlanWaits implements AutoCloseable {
    private static final Duration PATIENCE = PauseAnswer.LONGEST_WAIT;

    private final TaskTimer timer;
    private final Set<CompletableFuture<Boolean>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param timer stays open */
    public PlanWaits(TaskTimer timer) {
        this.timer = timer;
    }

    /**
     * Whether the plan becomes as wanted in time.
     *
     * @return a stage that fails with {@link IllegalStateException} if the job is removed
     */
    CompletableFuture<Boolean> until(AwaitedPlan plan) {
        CompletableFuture<Boolean> reached = plan.within(PATIENCE, timer);
        open.add(reached);
        reached.whenComplete((done, error) -> open.remove(reached));
        if (closed) {
            reached.complete(false);
        }
        return reached;
    }

    /** Ends all waits: their commands count as not yet in force. */
    @Override
    public void close() {
        closed = true;
        open.forEach(wait -> wait.complete(false));
    }
}
