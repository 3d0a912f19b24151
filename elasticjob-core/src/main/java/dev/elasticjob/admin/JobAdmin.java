package dev.elasticjob.admin;

import dev.elasticjob.definition.JobDefinition;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Commands for jobs as they stand in the registry: each is a write to the tree, which the instances follow. They know
 * any job of the namespace, also one that no instance runs.
 *
 * <p>Safe for use by any thread. Every stage fails with {@link
 * dev.elasticjob.registry.RegistryUnavailableException} when the registry can't be asked, and with
 * {@link IllegalArgumentException} when there is no such job, item or server. Repeating a command is harmless; only
 * {@link #trigger(String)} asks for another run each time.
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
     * theirs.
     *
     * @param change gets the newest definition; must not change the job's name or type; may be called several times
     * @return the new definition
     */
    CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change);

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
