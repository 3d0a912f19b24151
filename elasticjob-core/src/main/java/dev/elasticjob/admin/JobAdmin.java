package dev.elasticjob.admin;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.BackfillAnswer;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.DefinitionChangedException;
import dev.elasticjob.admin.command.DisableAnswer;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.command.TriggerAnswer;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.UnreadableSettings;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.definition.JobDefinition;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Commands for the jobs in the registry. Each command is a write to the registry, which the instances follow. The
 * commands work for every job of the namespace, even if no instance runs it.
 *
 * <p>Each command that changes something is a log line and a {@link dev.elasticjob.job.event.JobEvent.CommandEnded} on
 * this instance, with the actor that {@link #by} names, what was there before, and what came of it.
 *
 * <p>Thread-safe. Every stage fails with {@link dev.elasticjob.registry.RegistryUnavailableException} if the registry
 * is unavailable, and with {@link UnknownTargetException} if there is no such job, item or server. Repeating a
 * command is harmless; only {@link #trigger(String)} triggers another run each time, as does each new {@link
 * RunRequest}.
 */
public interface JobAdmin {
    /** The same commands in someone's name. Without it, the actor is the system user of the process. */
    JobAdmin by(Actor actor);

    /**
     * Runs the job's items once, in addition to their schedule: each item as soon as it neither runs nor is due. If it
     * is triggered again before it starts, an item still runs once.
     *
     * @return a stage that fails with {@link IllegalStateException} while no enabled instance owns the items, and while the
     *     job or its namespace is paused
     */
    CompletionStage<TriggerAnswer> trigger(String jobName);

    /**
     * Runs the job's items once, under a run id that the caller chooses. If the call is repeated with that id, for
     * instance because the first answer was lost, it triggers no second run. The last 16 ids are remembered.
     *
     * @param runId 1 to 64 letters, digits, or any of {@code ._:-}; executions carry it in their task id
     */
    CompletionStage<TriggerAnswer> trigger(String jobName, String runId);

    /**
     * Runs the job's items once, or some of them, with a parameter for this run.
     *
     * <p>If a request with the same parameter is already waiting for an item, one run answers both. A request with
     * another parameter is refused, and so is one that finds 16 requests waiting. A refused request triggers nothing,
     * with one exception: the items of a job with many items (more than 500, with long parameters) are triggered in
     * several transactions. If another request comes between two of these, some items may have been triggered, and run;
     * repeating the request under its run id triggers the others.
     *
     * @return a stage that fails with {@link IllegalStateException} also if the request is refused in this way: repeat
     *     it once the waiting run has started
     */
    CompletionStage<TriggerAnswer> trigger(String jobName, RunRequest request);

    /**
     * Runs the job's items once, and waits for the run to end: until each triggered item has ended, was dropped, or its
     * result can no longer be known. The caller does not have to run the job. The wait has no time limit of its own
     * ({@link CompletableFuture#orTimeout} sets one), and survives lost connections and sessions. Cancelling the wait
     * does not end the run. If any caller repeats the request under its run id, it waits for the same run.
     *
     * <p>An interrupted item counts as ended only if failover is off. With failover on, the wait continues until
     * another instance has ended the item, or the item is abandoned.
     *
     * @return a future that fails as {@link #trigger(String, RunRequest)} does. It also fails with {@link
     *     IllegalStateException} if the job is removed, and if the engine is closed. It completes on a thread of the
     *     registry, which dependent stages must not block
     */
    CompletableFuture<RunOutcome> run(String jobName, RunRequest request);

    /**
     * Ends what is executing or waiting: what one or several items execute, or a firing or manual run, on all items or on
     * some. The cancellation is written into the registry, with the actor; it applies wherever the item executes, also after a
     * crash, and to nothing that runs later. Of the actor's name, 64 bytes are stored with it, and of the reason 128. Up to
     * 200 items are changed in one transaction, more in several.
     *
     * <ul>
     *   <li>An execution is interrupted, as at a timeout, and has failed when its thread has returned, even if its code
     *       completes first. It isn't retried or taken over. Code that ignores the interruption keeps its item locked.
     *   <li>An interrupted execution that waits for its next attempt has failed.
     *   <li>An item that has not begun the firing skips it; one that still has an earlier execution is left alone, and
     *       named in the answer as {@code BUSY}.
     *   <li>A manual run that waits for an item is dropped there.
     * </ul>
     *
     * @return what came of it for each item. Fails with {@link IllegalStateException} if there is nothing to cancel: all
     *     items that are named are idle, the run has ended or isn't known, or the firing is one of an unmonitored job
     */
    CompletionStage<CancelAnswer> cancel(String jobName, CancelRequest request);

    /**
     * Runs those items again that failed in a firing or manual run and have not begun anything later. Their context shows
     * the scheduled time, the run id and the parameter of that run, and the next attempt. An item that begins something
     * else first does not run again; this is reported as an event.
     *
     * @param runId the run id of the firing or manual run, as events and contexts show it
     * @param newRunId the run id of this request: repeated with it, the call triggers nothing more. 1 to 64 letters,
     *     digits, or any of {@code ._:-}
     * @return a stage that fails with {@link IllegalStateException} if no item is known to have failed in that run, if no
     *     enabled instance owns the items, or if another run waits for one of them
     */
    CompletionStage<TriggerAnswer> triggerAgain(String jobName, String runId, String newRunId);

    /** The same, and waits for the end as {@link #run} does. */
    CompletableFuture<RunOutcome> runAgain(String jobName, String runId, String newRunId);

    /**
     * Runs scheduled times of the past once more, one after the other, in the job's order, on all items that are not
     * disabled. The code sees the scheduled time and the run id of each firing. The leader asks for the times, whether or
     * not the caller lives on; a leader that dies is followed by another.
     *
     * <ul>
     *   <li>Each time is started once, and again only after an interruption.
     *   <li>The schedule goes first: a firing that becomes due waits at most for the execution that is under way on its item.
     *   <li>A time that fails doesn't stop the others. They are counted in {@code JobReport}, and reported at the end.
     * </ul>
     *
     * @return a stage that fails with {@link IllegalArgumentException} if the range has no scheduled time or more than
     *     1,000, and with {@link IllegalStateException} while the job has another backfill
     */
    CompletionStage<BackfillAnswer> backfill(String jobName, BackfillRequest request);

    /**
     * Stops the job's backfill: no further time begins, on no item. What executes goes on.
     *
     * @return a stage that fails with {@link IllegalStateException} if the job has none
     */
    CompletionStage<Void> stopBackfill(String jobName);

    /**
     * Disables all servers on which the job has had instances, so that it has no owners until it or one of them is enabled
     * again. Restarts don't change that, but an instance on a new server runs the items: to stop a job everywhere,
     * {@linkplain #pause pause} it. What comes due is not made up for.
     *
     * @return a stage that fails with {@link IllegalStateException} if the job has never had an instance
     */
    CompletionStage<Void> disable(String jobName);

    /** Enables all servers of the job. */
    CompletionStage<Void> enable(String jobName);

    /** Excludes a server from the job's sharding until it is enabled again. Restarts don't change that. */
    CompletionStage<Void> disableServer(String jobName, String ip);

    CompletionStage<Void> enableServer(String jobName, String ip);

    /** Skips an item's firings until it is enabled again. Skipped firings are not made up for. */
    CompletionStage<Void> disableItem(String jobName, int item);

    CompletionStage<Void> enableItem(String jobName, int item);

    /**
     * {@linkplain #disableItem Disables} several items, in one transaction; more than 200 in several. Nothing is written if
     * the job doesn't have all of them when the command begins. If the registry becomes unavailable in the middle of more
     * than 200, some may be disabled: repeat the command.
     *
     * @return what came of it for each item. The stage fails with {@link UnknownTargetException}, which names all unknown
     *     items, and with {@link IllegalArgumentException} if there are no items
     */
    CompletionStage<DisableAnswer> disableItems(String jobName, Set<Integer> items);

    /** Enables several items, in the same way. */
    CompletionStage<DisableAnswer> enableItems(String jobName, Set<Integer> items);

    /**
     * Pauses a job: no instance starts anything of it until it is {@linkplain #resume resumed}, whatever happens in
     * between. What runs continues to its end. What comes due in the pause is not missed; what was due before is made up
     * for afterwards, as configured. Interrupted executions and manual runs that wait go on waiting; new manual runs are
     * refused. Restarts don't change that.
     *
     * @return a stage that completes when the pause is in force, so that nothing is claimed any more; after ten seconds at
     *     the latest. It then fails only if the job is removed, with {@link IllegalStateException}
     */
    CompletionStage<PauseAnswer> pause(String jobName);

    /** Ends the pause of a job. If its namespace is paused too, nothing starts until that is resumed. */
    CompletionStage<PauseAnswer> resume(String jobName);

    /**
     * Pauses all jobs of the namespace, also those that are registered later. Each job's own pause is independent of it.
     *
     * @return a stage that completes when the pause is in force for all jobs, after ten seconds at the latest
     */
    CompletionStage<PauseAnswer> pauseAll();

    /** Ends the pause of the namespace. Jobs that are paused by themselves stay so. */
    CompletionStage<PauseAnswer> resumeAll();

    /**
     * Takes an instance out of a job, until this is undone or the instance is restarted: its items go to the other
     * instances, and it starts nothing of the job any more. What runs there continues to its end. The process lives on, and
     * stays registered. If no other instance is there, the items wait, and what comes due is made up for afterwards.
     *
     * <p>Of an instance that has left in good order, and whose items wait for its successor ({@code
     * elasticjob.rebalance-delay}), they wait no longer. There is nothing to undo then: it takes part when it comes back. If it has
     * come back while the command is carried out, it isn't drained, and nothing is changed.
     *
     * @return a stage that completes when the instance owns no items, after ten seconds at the latest. It fails with
     *     {@link UnknownTargetException} if the job has no such instance
     */
    CompletionStage<DrainAnswer> drain(String jobName, String instance);

    /** Undoes a {@linkplain #drain drain}. Does nothing if the instance leaves by itself. */
    CompletionStage<DrainAnswer> undrain(String jobName, String instance);

    /**
     * {@linkplain #drain Drains} an instance out of all jobs of the namespace in which it is registered now, or in which
     * items wait for its successor.
     *
     * @return the answer for each of these jobs. The stage fails with {@link UnknownTargetException} if there is no
     *     such job
     */
    CompletionStage<SortedMap<String, DrainAnswer>> drainAll(String instance);

    /** Undoes {@link #drainAll}, and every other drain of the instance. */
    CompletionStage<SortedMap<String, DrainAnswer>> undrainAll(String instance);

    /**
     * Keeps an application of Kubernetes from getting workers until it is resumed: what has started goes on, and what comes
     * due stays owed. Its controller follows within seconds, or as soon as there is one.
     *
     * @param app the id of {@link dev.elasticjob.admin.app.AppReport}
     * @return false if it was suspended already. The stage fails with {@link UnknownTargetException} if there is no such
     *     application
     */
    CompletionStage<Boolean> suspendApp(String app);

    /** Undoes {@link #suspendApp}, but no {@code suspend} of the resource. */
    CompletionStage<Boolean> resumeApp(String app);

    /**
     * Removes what the registry shows of an application whose resource was deleted while no controller was there.
     *
     * @return a stage that fails with {@link IllegalStateException} while a controller looks after it
     */
    CompletionStage<Boolean> forgetApp(String app);

    /**
     * Confirms that the registry has lost its data, or has gone back to an older copy: the finding, the meter and the detail
     * of the health end, and instances with {@code elasticjob.registry.on-data-loss=hold} go on.
     *
     * @return false if there is no loss to confirm
     */
    CompletionStage<Boolean> confirmDataLoss();

    /**
     * Makes all fencing tokens from now on greater than this one. For a registry that has lost its data when no instance was
     * left that knew its tokens: a job's storage still does. It can't be undone.
     *
     * @param above the highest token that any storage has seen
     * @return false if they are greater already; fails with an {@link IllegalStateException} if no instance has started in
     *     the namespace yet
     * @throws IllegalArgumentException if it is negative, or leaves too few tokens above it
     */
    CompletionStage<Boolean> raiseFencingTokens(long above);

    /** Reads the job's definition from the registry. */
    CompletionStage<JobDefinition> definition(String jobName);

    /**
     * Changes the job's definition. Concurrent changes by others are not lost: the change is applied again, to their
     * result. If the stored cron expression can't be used, the change receives the one in force instead. To replace a
     * definition that can't be used for another reason, call {@link #repair}.
     *
     * @param change receives the newest definition. It must not change the job's name or type, nor whether it has a
     *     cron, and may be called several times
     * @return the new definition
     */
    CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change);

    /** Reads the job's definition with its version. */
    CompletionStage<VersionedDefinition> versionedDefinition(String jobName);

    /**
     * Changes some settings of a definition that the caller has read before.
     *
     * @param version of the definition that was read
     * @param settings values by the settings' names, as in the registry; of a group such as {@code http} or {@code
     *     retry}, those to change, and null for those to remove
     * @return the new definition. The stage fails with {@link DefinitionChangedException}, which has the newer
     *     definition, if it was changed in the meantime, and with {@link
     *     dev.elasticjob.definition.InvalidJobDefinitionException}, which has every violation, if settings are unknown
     *     or can't be used, or decide what the application that declares the job decides: its command line, URI, or the
     *     properties of its kind. Of a job that is kept in the registry, they can be changed; instances follow within their
     *     limits. If the stage fails, nothing is written
     */
    CompletionStage<VersionedDefinition> redefine(String jobName, String version, Map<String, ?> settings);

    /**
     * Replaces a stored definition that can't be read or used. Concurrent corrections by others are not lost.
     *
     * @param definition with the job's name
     * @return the definition. The stage fails with {@link IllegalStateException} if another definition is stored that
     *     can be used: change that one with {@link #redefine}. Repeating the command changes nothing
     */
    CompletionStage<JobDefinition> repair(JobDefinition definition);

    /**
     * Reads a definition that can't be used: what is wrong, and what can still be read of it.
     *
     * @return a stage that fails with {@link IllegalStateException} if it can be used
     */
    CompletionStage<UnreadableSettings> unreadableSettings(String jobName);

    /**
     * Replaces a stored definition that can't be used by what can still be read of it, with other values for the rest.
     *
     * @param version of the definition that was read, as {@link #unreadableSettings} says it
     * @param settings values by the settings' names, for at least what can't be used or is missing; of a group, those to
     *     change, and null for those to remove
     * @return the new definition. The stage fails with {@link IllegalStateException} if the definition was changed since, or
     *     can be used, and with {@link dev.elasticjob.definition.InvalidJobDefinitionException}, which has every violation,
     *     if settings are unknown, can't be used, or still need a value. In these cases, nothing is written
     */
    CompletionStage<VersionedDefinition> repair(String jobName, String version, Map<String, ?> settings);

    /**
     * Creates a job that is kept in the registry: no application declares it. Each instance that takes such jobs ({@code
     * elasticjob.jobs-from-registry}) and may run this one joins it within a second. It is changed with {@link #redefine}
     * and deleted with {@link #remove}, as any other job.
     *
     * @param definition a script, an HTTP request, or, as {@code jobClass}, the name of the bean that runs the job on the
     *     instances
     * @return the definition. The stage fails with {@link
     *     dev.elasticjob.definition.InvalidJobDefinitionException} if there is no name of a bean, and with {@link
     *     IllegalStateException} if there is another job of this name, or if something is left of a removed one. Repeating
     *     the command changes nothing
     */
    CompletionStage<VersionedDefinition> create(JobDefinition definition);

    /**
     * The same with settings by name.
     *
     * @param settings values by the settings' names, as in the registry; those that are missing have their defaults
     * @return a stage that also fails with {@link dev.elasticjob.definition.InvalidJobDefinitionException}, which has every
     *     violation, if settings are unknown or can't be used
     */
    CompletionStage<VersionedDefinition> create(String jobName, Map<String, ?> settings);

    /** Requests resharding: a new assignment. */
    CompletionStage<Void> reshard(String jobName);

    /**
     * Removes the job from the registry. Its instances stop it as soon as they notice. Running executions continue to
     * their end, and keep their locks until then.
     *
     * @return a stage that completes when nothing is left, which takes as long as the longest execution, or when a
     *     process has registered the job again, which keeps what it finds. If it fails, the job is partly removed:
     *     repeat the call
     */
    CompletionStage<Void> remove(String jobName);
}
