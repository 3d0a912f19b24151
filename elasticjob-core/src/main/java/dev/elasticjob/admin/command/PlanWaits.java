package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The waits of commands until the instances of a job follow them. Each ends after ten seconds, or when this is closed.
 * Thread-safe.
 */
public final class PlanWaits implements AutoCloseable {
    /** The longest that a command waits. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TaskTimer timer;
    private final Map<AwaitedPlan, CompletableFuture<Boolean>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** @param timer stays open */
    public PlanWaits(TaskTimer timer) {
        this.timer = timer;
    }

    /**
     * Whether a job's assignment becomes as wanted in time.
     *
     * @param wanted whether an assignment follows the command
     * @return a stage that fails with {@link IllegalStateException} if the job is removed
     */
    public CompletableFuture<Boolean> until(Registry registry, JobTree tree, Predicate<Assignment> wanted) {
        AwaitedPlan wait = new AwaitedPlan(registry, tree, wanted);
        CompletableFuture<Boolean> reached = wait.within(PATIENCE, timer);
        open.put(wait, reached);
        reached.whenComplete((done, error) -> open.remove(wait));
        if (closed) {
            reached.complete(false);
        }
        return reached;
    }

    /** Ends all waits: their commands count as not yet in force. */
    @Override
    public void close() {
        closed = true;
        open.values().forEach(wait -> wait.complete(false));
    }
}
