package dev.elasticjob.job.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Something that happened to a job on this instance. What is told of an execution names it by its run id: see {@link
 * ShardingContext#getRunId()}.
 */
public sealed interface JobEvent {
    String jobName();

    /** The job's state on this instance changed. */
    record StateChanged(String jobName, JobState from, JobState to) implements JobEvent {}

    /**
     * This instance follows a new assignment.
     *
     * @param items those it owns now
     */
    record AssignmentChanged(String jobName, String instance, int epoch, SortedSet<Integer> items)
            implements JobEvent {}

    /** An item's execution began on its thread. */
    record ItemStarted(String jobName, String instance, int item, Instant scheduledAt, String runId, int attempt)
            implements JobEvent {}

    /**
     * An attempt at an item has failed, and the next one follows on this instance after a pause, in which the item has no
     * thread but stays locked. The execution has not ended: it begins and finishes once, whatever the number of its
     * attempts.
     *
     * @param attempt of the execution, as in its other events: retries don't count there
     * @param failures how many attempts of this execution have failed
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
     * An item's execution has ended: its thread has returned.
     *
     * @param failure the last attempt's; empty after a success
     */
    record ItemFinished(
            String jobName,
            String instance,
            int item,
            Instant scheduledAt,
            String runId,
            int attempt,
            Optional<Throwable> failure)
            implements JobEvent {}

    /** The execution of an item was found interrupted: its instance died or lost its session. */
    record ItemInterrupted(String jobName, String instance, int item, Instant scheduledAt, String runId, int attempt)
            implements JobEvent {}

    /**
     * Earlier firings of an item are covered by the one that starts now, as {@code misfire=true} asks.
     *
     * @param from the first of the firings that did not run
     * @param into the firing that starts now
     * @param count how many firings did not run; counting stops at 1,000
     */
    record FiringsFolded(String jobName, int item, Instant from, Instant into, int count) implements JobEvent {}

    /**
     * Firings of an item never ran and never will. Told once: by the claim that closes the gap, or by the instance that has
     * given a firing up.
     *
     * @param before the firing that starts now; where one firing is given up, that firing itself
     * @param count how many firings; counting stops at 1,000
     */
    record FiringsLost(String jobName, int item, Instant before, int count) implements JobEvent {}

    /**
     * A manual run that was asked for and accepted will not happen for this item.
     *
     * @param runIds of the requests it was to answer
     */
    record ManualRunDropped(String jobName, int item, List<String> runIds, String reason) implements JobEvent {
        public ManualRunDropped {
            runIds = List.copyOf(runIds);
        }
    }

    /**
     * This machine's clock is too far from the registry's to claim firings here; they stay due, for others or for later.
     *
     * @param here this machine's time
     * @param registry the registry's, by its answers to our latest transactions
     */
    record ClockDiffers(String jobName, String instance, Instant here, Instant registry) implements JobEvent {}

    /**
     * The leader has compared state with plan, and repaired what differed.
     *
     * @param repairs how many things; a healthy job has none
     */
    record Reconciled(String jobName, int repairs) implements JobEvent {}

    /**
     * The job's definition in the registry was made unreadable while the job ran: nothing new is claimed here until it is
     * mended. Told once for each reason.
     *
     * @param node in the registry's namespace
     * @param reason what was expected there, and what to do
     */
    record DefinitionUnreadable(String jobName, String node, String reason) implements JobEvent {}

    /**
     * Somebody has stored a cron expression that can't be used: the schedule in force is kept until it is corrected. Told
     * once for each reason.
     *
     * @param node in the registry's namespace
     * @param cron of the schedule in force
     * @param reason what was expected there
     */
    record ScheduleKept(String jobName, String node, String cron, String reason) implements JobEvent {}

    /**
     * The job's assignment in the registry was made unreadable: nothing new is claimed here until it is mended. Told once
     * for each reason.
     *
     * @param node in the registry's namespace
     * @param reason what was expected there, and what to do
     */
    record AssignmentUnreadable(String jobName, String node, String reason) implements JobEvent {}

    /**
     * Instances of other software, such as Elastic-Job 2.1.5, take part in the job. Unless the engine was told to go on,
     * nothing new is claimed until they are gone. Told once.
     */
    record ForeignInstances(String jobName, List<String> instances) implements JobEvent {
        public ForeignInstances {
            instances = List.copyOf(instances);
        }
    }

    /** This instance can't take part in the job; the text says what to do. */
    record JobRefused(String jobName, String reason) implements JobEvent {}
}
