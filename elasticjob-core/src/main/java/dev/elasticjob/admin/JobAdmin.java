package dev.elasticjob.admin;

import dev.elasticjob.definition.JobDefinition;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Commands for jobs as they stand in the registry: each is a write to the tree, which the instances follow. They know
 * any job of the namespace, also one that no instance runs.
 *
 * <p>Safe for use by any thread. Every stage fails with {@link
 * dev.elasticjob.registry.RegistryUnavailableException} when the registry can't be asked, and with
 * {@link IllegalArgumentException} when there is no such job, item or server. Repeating a command is harmless; only
 * {@link #trigger(String)} asks for another run each time, as does each new {@link RunRequest}.
 */
public interface JobAdmin {
    /**
     * Runs the job's items once, beside their schedule: each as soon as it neither runs nor is due. Asked for again
     * before it begins, it still runs once.
     *
     * @return fails with {@link IllegalStateException} while no enabled instance owns the items
     */
    CompletionStage<TriggerAnswer> trigger(String jobName);

    /**
     * The same under a run id of the caller's: repeated with it, for instance because the first answer was lost, it
     * asks for nothing new. The last 16 are remembered.
     *
     * @param runId 1 to 64 letters, digits, or any of {@code ._:-}; executions carry it in their task id
     */
    CompletionStage<TriggerAnswer> trigger(String jobName, String runId);

    /**
     * The same with a parameter for this run.
     *
     * <p>A request that meets an item for which one with the same parameter waits already is answered together with it. One
     * with another parameter is refused, and so is one that finds 16 requests waiting. Nothing is asked for then: except of
     * a job with many items (more than 500, with long parameters), whose items are asked in several transactions. If
     * somebody else asks between two of those, some items may have been asked, and run; repeated under its run id, the
     * request asks for the others.
     *
     * @return fails with {@link IllegalStateException} also when the request is refused so: ask again once what waits has
     *     begun
     */
    CompletionStage<TriggerAnswer> trigger(String jobName, RunRequest request);

    /**
     * The same, and waits for the run's end: until each item that was asked has ended, was dropped, or can't be known about
     * any more. Whoever asks need not run the job. The wait has no end of its own ({@link
     * CompletableFuture#orTimeout} gives it one), survives lost connections and sessions, and ends nothing when it is
     * given up. Repeated under its run id, by whomever, the request waits for the same run.
     *
     * <p>An interrupted item counts as ended only where failover is off. With failover on it is awaited until another
     * instance has ended it, or it is given up.
     *
     * @return fails as {@link #trigger(String, RunRequest)} does; with {@link IllegalStateException} also when the job is
     *     removed, when its executions are not monitored or no longer so, as nobody could say then, and when the engine is
     *     closed.
     *     Completes on a thread of the registry: what depends on it must not block there
     */
    CompletableFuture<RunOutcome> run(String jobName, RunRequest request);

    /** Takes a server out of the job's sharding, until it is enabled; restarts don't change that. */
    CompletionStage<Void> disableServer(String jobName, String ip);

    CompletionStage<Void> enableServer(String jobName, String ip);

    /** Lets an item's firings pass, until it is enabled; none is made up for. */
    CompletionStage<Void> disableItem(String jobName, int item);

    CompletionStage<Void> enableItem(String jobName, int item);

    /** The job's definition as the registry has it. */
    CompletionStage<JobDefinition> definition(String jobName);

    /**
     * Changes the job's definition. What others change meanwhile is not lost: the change is then applied again, to
     * theirs. In place of a stored cron expression that can't be used, the change meets the one in force. A definition that
     * can't be used otherwise is for {@link #repair}.
     *
     * @param change gets the newest definition; must not change the job's name or type, nor whether it has a
     *     cron; may be called several times
     * @return the new definition
     */
    CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change);

    /**
     * Replaces a stored definition that can't be read, or can't be used. What others mend meanwhile is not lost.
     *
     * @param definition with the job's name
     * @return the definition. Fails with {@link IllegalStateException} where another one is stored that can be used: {@link
     *     #redefine} changes that; repeated, the command changes nothing
     */
    CompletionStage<JobDefinition> repair(JobDefinition definition);

    /** Asks for a new assignment. */
    CompletionStage<Void> reshard(String jobName);

    /**
     * Removes the job from the registry. Its instances stop it as soon as they notice; what is executing goes on to its
     * end and keeps its locks until then.
     *
     * @return completes when nothing is left, which takes as long as the longest execution; or when a process has
     *     registered the job anew, which keeps what it found. Where it fails, the job is removed in part: repeat it
     */
    CompletionStage<Void> remove(String jobName);

    /**
     * What was asked for.
     *
     * @param runId that the executions carry
     * @param items that will run
     * @param disabled items, which were left out
     */
    record TriggerAnswer(String runId, SortedSet<Integer> items, SortedSet<Integer> disabled) {}
}
