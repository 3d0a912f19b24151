package dev.elasticjob.job.event;

import dev.elasticjob.job.ShardingContext.Requester;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Something that happened to a job on this instance. Events about an execution identify it by its run id: see {@link
 * dev.elasticjob.job.ShardingContext#getRunId()}.
 */
public sealed interface JobEvent {
    String jobName();

    /** The job's state on this instance changed. */
    record StateChanged(String jobName, JobState from, JobState to) implements JobEvent {}

    /**
     * This instance follows a new assignment.
     *
     * @param items the items that this instance owns now
     */
    record AssignmentChanged(String jobName, String instance, int epoch, SortedSet<Integer> items)
            implements JobEvent {}

    /**
     * The execution of an item started on its thread.
     *
     * @param dueAt from when on the item was due: the scheduled time, later by the job's {@code jitter}
     * @param startedAt by this machine's clock
     * @param requester who requested the manual run, if it is known; see {@link
     *     dev.elasticjob.job.ShardingContext#getRequester()}
     */
    record ItemStarted(
            String jobName,
            String instance,
            int item,
            Instant scheduledAt,
            String runId,
            int attempt,
            ExecutionTrigger trigger,
            Instant dueAt,
            Instant startedAt,
            Optional<Requester> requester)
            implements JobEvent {
        /** Of a job without jitter. */
        public ItemStarted(
                String jobName,
                String instance,
                int item,
                Instant scheduledAt,
                String runId,
                int attempt,
                ExecutionTrigger trigger,
                Instant startedAt,
                Optional<Requester> requester) {
            this(jobName, instance, item, scheduledAt, runId, attempt, trigger, scheduledAt, startedAt, requester);
        }
    }

    /**
     * An attempt at an item failed, and the next one follows on this instance after a pause. During the pause the item
     * stays locked, but occupies no thread. The execution has not ended: it starts and finishes once, however many
     * attempts it takes.
     *
     * @param attempt the attempt of the execution, as in its other events; retries don't count
     * @param failures the number of failed attempts of this execution so far
     */
    record ItemRetried(
            String jobName,
            String instance,
            int item,
            Instant scheduledAt,
            String runId,
            int attempt,
            int failures,
            Duration pause,
            Throwable failure)
            implements JobEvent {}

    /**
     * The execution of an item ended: its thread has returned.
     *
     * @param trigger the same as in {@link ItemStarted}
     * @param startedAt the same as in {@link ItemStarted}
     * @param finishedAt by this machine's clock
     * @param retries how many times the execution was retried on this instance; 0 if its first attempt was the last one
     * @param failure the failure of the last attempt; empty after a success
     * @param requester the same as in {@link ItemStarted}
     */
    record ItemFinished(
            String jobName,
            String instance,
            int item,
            Instant scheduledAt,
            String runId,
            int attempt,
            ExecutionTrigger trigger,
            Instant startedAt,
            Instant finishedAt,
            int retries,
            ExecutionOutcome outcome,
            Optional<Throwable> failure,
            Optional<Requester> requester)
            implements JobEvent {
        /** From the start to the end, including the pauses before retries. */
        public Duration duration() {
            return Duration.between(startedAt, finishedAt);
        }
    }

    /**
     * A call of the job's cluster listeners started, on this instance only.
     *
     * @param runId of the firing
     * @param scheduledAt empty for a manual run
     * @param attempt more than 1 if the instance that called them before died or lost its session
     * @param startedAt by this machine's clock
     */
    record HookStarted(
            String jobName,
            String instance,
            HookKind kind,
            String runId,
            Optional<Instant> scheduledAt,
            int attempt,
            Instant startedAt)
            implements JobEvent {}

    /**
     * A call of the job's cluster listeners ended: its thread has returned.
     *
     * @param startedAt the same as in {@link HookStarted}
     * @param finishedAt by this machine's clock
     * @param failure what the listeners have thrown; empty after a success
     */
    record HookFinished(
            String jobName,
            String instance,
            HookKind kind,
            String runId,
            Optional<Instant> scheduledAt,
            int attempt,
            Instant startedAt,
            Instant finishedAt,
            ExecutionOutcome outcome,
            Optional<Throwable> failure)
            implements JobEvent {
        public Duration duration() {
            return Duration.between(startedAt, finishedAt);
        }
    }

    /**
     * A firing waits for cluster listeners, but for a minute, no instance has called them. This instance has none for the
     * job. Reported once for each firing.
     *
     * @param runId of the firing
     */
    record ListenersMissing(String jobName, String instance, String runId, HookKind kind) implements JobEvent {}

    /**
     * The execution of an item takes longer than the job's {@code stuckAfter}. It goes on. Reported once for each
     * execution, by the instance that executes the item; by the job's leader, if that instance reports nothing.
     *
     * @param instance the instance that executes the item
     * @param since the beginning of the execution; if the leader reports it, the claim, which may have waited for a thread
     * @param limit the job's {@code stuckAfter}
     * @param reportedBy the id of this instance
     */
    record ItemStuck(
            String jobName,
            String instance,
            int item,
            Instant scheduledAt,
            String runId,
            int attempt,
            Instant since,
            Duration limit,
            String reportedBy)
            implements JobEvent {}

    /**
     * No item of a firing that is due has begun within the job's {@code expectWithin}. Reported by the job's leader, once
     * until an item has begun this firing or a later one.
     *
     * @param limit the job's {@code expectWithin}
     * @param reportedBy the id of this instance
     */
    record FiringOverdue(String jobName, Instant scheduledAt, Duration limit, String reportedBy) implements JobEvent {}

    /** The execution of an item was found interrupted: its instance died or lost its session. */
    record ItemInterrupted(String jobName, String instance, int item, Instant scheduledAt, String runId, int attempt)
            implements JobEvent {}

    /**
     * The execution of an item that an operator had cancelled has ended: its record shows it as failed. It is not repeated.
     * Follows {@link ItemFinished}, whose outcome may be another one if the job's code ended before the instance heard of the
     * command, or {@link ItemInterrupted}.
     *
     * @param reason who cancelled it, and why: {@code cancelled by alice: wrong data}
     */
    record ItemCancelled(
            String jobName, String instance, int item, Instant scheduledAt, String runId, int attempt, String reason)
            implements JobEvent {}

    /**
     * An item has failed a firing, or a manual run, without being started, because the job's cluster listeners failed
     * before the first item. Reported once for each item, by its owner. {@link HookFinished} and the error handler have the
     * failure itself.
     *
     * @param instance the owner
     * @param attempt the attempt that was not started: 1, or more if the run repeats a failed one
     * @param reason the head of the failure's text, as the item's record has it
     */
    record ItemRefused(
            String jobName, String instance, int item, Instant scheduledAt, String runId, int attempt, String reason)
            implements JobEvent {}

    /**
     * One execution, for the firing that starts now, makes up for earlier firings of an item. Happens with {@code
     * misfire=true}.
     *
     * @param from the first of the firings that did not run
     * @param into the firing that starts now
     * @param count how many firings did not run; counting stops at 1,000
     */
    record FiringsFolded(String jobName, int item, Instant from, Instant into, int count) implements JobEvent {}

    /**
     * Firings of an item did not run and will not be repeated. Reported once: by the claim that follows them, or by the
     * instance that abandons a firing.
     *
     * @param from the first of the firings
     * @param before the firing that starts now; if a single firing is abandoned, that firing itself
     * @param count the number of firings; counting stops at 1,000
     * @param reason why a job with {@code catchUp=EACH} doesn't make up for them; otherwise empty
     */
    record FiringsLost(String jobName, int item, Instant from, Instant before, int count, String reason)
            implements JobEvent {
        /** Without a reason of its own: {@code misfire} or {@code failover} is off, or the execution was given up. */
        public FiringsLost(String jobName, int item, Instant from, Instant before, int count) {
            this(jobName, item, from, before, count, "");
        }
    }

    /**
     * An item doesn't run firings that came due while it was executing, as {@code overlap=SKIP} says: nothing is lost.
     * Reported once, by the claim that follows them, or by the instance that lets them pass.
     *
     * @param from the first of the firings
     * @param before the firing that starts now; where others wait for the end of a firing, that firing itself
     * @param count the number of firings; counting stops at 1,000
     */
    record FiringsSkipped(String jobName, int item, Instant from, Instant before, int count) implements JobEvent {}

    /**
     * A manual run that was accepted will not take place for this item.
     *
     * @param runIds the ids of the requests that the run was for
     */
    record ManualRunDropped(String jobName, int item, List<String> runIds, String reason) implements JobEvent {
        public ManualRunDropped {
            runIds = List.copyOf(runIds);
        }
    }

    /**
     * This machine's clock and the registry's differ by more than a minute: the job's firings start by the registry's time.
     * Or they differ by more than the job's {@code maxTimeDiffSeconds}: then this instance claims no firings, and others get its
     * items.
     *
     * @param here this machine's time
     * @param registry the registry's time, from its answers to the latest transactions
     */
    record ClockDiffers(String jobName, String instance, Instant here, Instant registry) implements JobEvent {}

    /**
     * A node of the job, or the pause of its namespace, held a time in the future of the registry's clock, for which
     * firings would have waited. The leader has corrected it: the registry's time counts instead. Firings before that
     * may not have run.
     *
     * @param node the path of the node in the registry's namespace
     * @param from the time that it held; the latest, if there were several
     * @param to the registry's time
     */
    record TimeCorrected(String jobName, String node, Instant from, Instant to) implements JobEvent {}

    /**
     * This instance, as the leader, has put a new assignment in force.
     *
     * @param items the number of items that have an owner now
     * @param moved how many of them have another owner than before, or their first one
     * @param took from the decision to reshard until the registry had stored the assignment
     */
    record Resharded(String jobName, int epoch, int items, int moved, Duration took) implements JobEvent {}

    /**
     * The leader compared the registry with the plan, and repaired the differences.
     *
     * @param repairs the number of repairs; 0 for a healthy job
     */
    record Reconciled(String jobName, int repairs) implements JobEvent {}

    /**
     * The job's definition in the registry became unreadable while the job was running. This instance claims nothing
     * new until it is corrected. Reported once for each reason.
     *
     * @param node the path of the node in the registry's namespace
     * @param reason what was expected in the node, and what to do
     */
    record DefinitionUnreadable(String jobName, String node, String reason) implements JobEvent {}

    /**
     * A cron expression that can't be used was stored. The schedule in force stays in force until the expression is
     * corrected. Reported once for each reason.
     *
     * @param node the path of the node in the registry's namespace
     * @param cron the cron expression of the schedule in force
     * @param reason what was expected in the node
     */
    record ScheduleKept(String jobName, String node, String cron, String reason) implements JobEvent {}

    /**
     * The job's assignment in the registry became unreadable. This instance claims nothing new until it is corrected.
     * Reported once for each reason.
     *
     * @param node the path of the node in the registry's namespace
     * @param reason what was expected in the node, and what to do
     */
    record AssignmentUnreadable(String jobName, String node, String reason) implements JobEvent {}

    /**
     * The job's open firings in the registry became unreadable. This instance claims nothing new until they are corrected.
     * Reported once for each reason.
     *
     * @param node the path of the node in the registry's namespace
     * @param reason what was expected in the node, what was found, and what to do
     */
    record FiringsUnreadable(String jobName, String node, String reason) implements JobEvent {}

    /**
     * Instances of other software, such as Elastic-Job 2.1.5, take part in the job. Nothing new is claimed until they
     * are gone, unless the engine is configured to continue. Reported once.
     */
    record ForeignInstances(String jobName, List<String> instances) implements JobEvent {
        public ForeignInstances {
            instances = List.copyOf(instances);
        }
    }

    /**
     * This job doesn't run after another one at present, although its definition says so: they would follow each other
     * in a circle, the other job isn't there or was removed, or its executions are not recorded. Reported once for each
     * reason. Firings of the other job that have ended before still lead to runs.
     *
     * @param parent the other job
     * @param reason why not, and what to do
     */
    record ParentNotFollowed(String jobName, String parent, String reason) implements JobEvent {}

    /**
     * All times of a backfill have been asked for, and have ended.
     *
     * @param id of the backfill
     * @param until the end of its range
     * @param failed how many of its times at least one item didn't complete, as far as the records still showed it
     * @param failedTimes the first 20 of them
     */
    record BackfillEnded(String jobName, String id, Instant until, int failed, List<Instant> failedTimes)
            implements JobEvent {
        public BackfillEnded {
            failedTimes = List.copyOf(failedTimes);
        }
    }

    /**
     * This job will not run after a firing of other jobs that has ended.
     *
     * @param parents the jobs whose firing it was, as far as they have ended it
     * @param firing the scheduled time in milliseconds since 1970, or the run id
     */
    record FollowUpDropped(String jobName, List<String> parents, String firing, String reason) implements JobEvent {
        public FollowUpDropped {
            parents = List.copyOf(parents);
        }
    }

    /** This instance can't take part in the job. The reason includes what to do. */
    record JobRefused(String jobName, String reason) implements JobEvent {}

    /**
     * This instance has noticed that the registry has lost its data, or has gone back to an older copy of it. Each instance
     * reports it once.
     *
     * @param jobName {@link CommandEnded#ALL_JOBS}: it concerns all jobs of the namespace
     * @param instance the id of this instance
     */
    record RegistryDataLost(String jobName, String instance, RegistryLoss loss) implements JobEvent {}

    /**
     * Someone's command for a job has ended. Reported once, by the instance that was told the command; what follows from
     * it is reported by the instances that carry it out.
     *
     * @param jobName {@link #ALL_JOBS} for a command that concerns the whole namespace
     * @param command what was to be done, for example {@code disable item 3}
     * @param actor who commanded it
     * @param reason empty if none was given
     * @param before what was there before; empty if it was not read
     * @param succeeded whether the registry has stored the command
     * @param outcome what came of it, or why it was refused
     */
    record CommandEnded(
            String jobName,
            String command,
            String actor,
            Optional<String> reason,
            String before,
            boolean succeeded,
            String outcome)
            implements JobEvent {
        /** In place of a job's name, if a command concerns the whole namespace. */
        public static final String ALL_JOBS = "*";
    }
}
