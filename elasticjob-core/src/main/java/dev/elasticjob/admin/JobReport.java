package dev.elasticjob.admin;

import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.Standstill;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.JobState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The state of one job, according to the registry.
 *
 * @param type the type; empty if the definition can't be read
 * @param schedule the one in force; empty before the first plan
 * @param nextDueTime the next firing, according to the schedule in force and this instance's clock; empty for a one-off
 *     job, and while a firing of a job with a fixed delay goes on
 * @param delayed the last firing of a job that has a fixed delay, or had one; empty if there was none
 * @param status the state of the job as a whole
 * @param state the state of the job on this instance; empty if this instance doesn't run it
 * @param instance this instance's id within the job; empty before it has registered
 * @param leader the id of the leading instance
 * @param epoch of the assignment; -1 before the first plan
 * @param reshardingNecessary whether a new plan is requested
 * @param instances the ids of all instances, sorted
 * @param items every item of the assignment, in order; while nothing is assigned, as in a pause, every item that has a
 *     node
 * @param firings the firings that have begun and that not all of their items have ended, the oldest first: of a job that
 *     has cluster listeners or is followed by other jobs. Of other jobs, nothing records them
 * @param backfill the backfill that goes on
 * @param overdue the scheduled time that no item has begun within the job's {@code expectWithin}, though the job isn't
 *     paused; empty if there is none, and in an overview
 * @param notFollowed the jobs that it runs after and that can't be followed at present; empty in an overview
 * @param problem what keeps the job from running as defined: a node that can't be read, with the reason (the values from
 *     that node are empty then), instances of other software, or a job that it runs after and that can't be followed
 * @param paused what pauses the job: its own pause, or else that of the namespace; empty if it isn't paused
 * @param since since when the status holds, or what is behind the problem, by the registry's clock; empty if the registry
 *     doesn't show it, and in an overview of a job that nobody runs
 * @param standstill what keeps every instance from running items, by the will of people; empty if there is nothing, and
 *     in an overview
 * @param wrongClocks the clocks that differ from the registry's by more than the job's {@code maxTimeDiffSeconds}; empty if
 *     none does
 * @param needsSuccessOf the jobs that it runs after only if they have succeeded
 * @param endingCalendar the calendar of the job's settings if its last day is near or over; otherwise empty
 */
public record JobReport(
        String name,
        Optional<JobType> type,
        Optional<ScheduleReport> schedule,
        Optional<Instant> nextDueTime,
        Optional<DelayedReport> delayed,
        JobStatus status,
        Optional<JobState> state,
        Optional<String> instance,
        Optional<String> leader,
        int epoch,
        boolean reshardingNecessary,
        List<String> instances,
        List<ItemReport> items,
        List<FiringReport> firings,
        Optional<BackfillReport> backfill,
        Optional<Instant> overdue,
        List<String> notFollowed,
        Optional<String> problem,
        Optional<PausedBy> paused,
        Optional<Instant> since,
        Optional<Standstill> standstill,
        Optional<WrongClocks> wrongClocks,
        List<String> needsSuccessOf,
        Optional<JobCalendar> endingCalendar) {
    public JobReport {
        needsSuccessOf = List.copyOf(needsSuccessOf);
        instances = List.copyOf(instances);
        items = List.copyOf(items);
        firings = List.copyOf(firings);
        notFollowed = List.copyOf(notFollowed);
    }

    /**
     * Clocks that keep instances from claiming firings.
     *
     * @param instances the ids of the instances, sorted
     * @param everywhere whether they are all that may own items: then nothing starts
     */
    public record WrongClocks(List<String> instances, boolean everywhere) {
        public WrongClocks {
            instances = List.copyOf(instances);
        }
    }

    /**
     * When a job fires.
     *
     * @param kind what decides it
     * @param text all of it as one text, with bounds, calendar and spread; empty for {@link ScheduleKind#ON_REQUEST}
     * @param cron the cron expressions, as the setting of that name has them; empty for schedules of other kinds
     * @param timeZone on whose wall clock it fires
     */
    public record ScheduleReport(ScheduleKind kind, String text, Optional<String> cron, String timeZone) {
        static ScheduleReport of(Schedule schedule) {
            return new ScheduleReport(
                    schedule.kind(),
                    schedule.text(),
                    Optional.of(schedule.plain().text()).filter(text -> schedule.kind() == ScheduleKind.CRON),
                    schedule.zone().getId());
        }
    }

    /**
     * A firing by a fixed delay.
     *
     * @param ended when the last of its items ended it, by the registry's clock; empty while it goes on
     */
    public record DelayedReport(Instant scheduledAt, Optional<Instant> ended) {}

    /**
     * One open firing.
     *
     * @param runId the one that its items show
     * @param scheduledAt empty for a manual run
     * @param phase what it waits for: the rest of its request, the cluster listeners before the first item, the items, or the listeners after the
     *     last one
     * @param since when the phase began, by the registry's clock
     * @param items those that belong to it, as ranges: "0-3,9"
     * @param unfinished those of them that have not ended it yet, as ranges
     * @param instance the instance that calls the listeners; empty while none does
     * @param attempt the number of these calls, or of those before the items; 0 if there was none
     * @param refused why none of its items may begin; empty if they may
     * @param slow whether it has waited for the listeners for a remarkable part of the time that they may take: a fifth of
     *     their timeout, and at least 10 s; without a timeout, a minute
     */
    public record FiringReport(
            String runId,
            Optional<Instant> scheduledAt,
            OpenFiring.Phase phase,
            Instant since,
            String items,
            String unfinished,
            Optional<String> instance,
            int attempt,
            Optional<String> refused,
            boolean slow) {}

    /**
     * Scheduled times of the past that run once more.
     *
     * @param actor who began it
     * @param next the first time that isn't asked for yet; empty if all are
     * @param until the end of its range
     * @param underWay the times that were asked for and are not known to have ended
     * @param failed how many of those that have ended at least one item didn't complete
     * @param failedTimes the first 20 of them
     */
    public record BackfillReport(
            String actor,
            Optional<Instant> next,
            Instant until,
            List<Instant> underWay,
            int failed,
            List<Instant> failedTimes) {
        public BackfillReport {
            underWay = List.copyOf(underWay);
            failedTimes = List.copyOf(failedTimes);
        }
    }

    /** The same as an overview. */
    public JobReport withoutItems() {
        return new JobReport(
                name,
                type,
                schedule,
                nextDueTime,
                delayed,
                status,
                state,
                instance,
                leader,
                epoch,
                reshardingNecessary,
                instances,
                List.of(),
                List.of(),
                backfill,
                overdue,
                notFollowed,
                problem,
                paused,
                since,
                standstill,
                wrongClocks,
                needsSuccessOf,
                endingCalendar);
    }

    /** The items that wait for the successor of an instance that has left in good order. */
    public Set<Integer> awaiting(String instance) {
        return items.stream()
                .filter(item -> item.successorAwaitedUntil().isPresent()
                        && item.owner().filter(instance::equals).isPresent())
                .map(ItemReport::item)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * One item.
     *
     * @param owner the instance that owns the item; empty if it has no owner
     * @param running whether an instance holds its lock
     * @param lock the lock; empty if no instance holds it
     * @param waitsForFailover whether an interrupted execution waits to be taken over
     * @param pauseEnds when that execution may be taken over, if it pauses before; by the registry's clock
     * @param waitingRuns the manual runs that wait for the item, in order
     * @param itemRecord the last execution
     * @param checkpoint the last checkpoint of its executions
     * @param problem the reason why its record can't be read
     * @param recorded when its record was last written, by the registry's clock
     * @param owes the first firing that was due and that it has not begun; empty if there is none
     * @param progress how far its execution has come; empty if it doesn't run, and of an execution that reports nothing
     * @param overweight of an item that never starts at its owner, its weight and that one's capacity; empty of one that may
     * @param successorAwaitedUntil how long it waits for the successor of its owner, which has left in good order; by the
     *     registry's clock; empty if it doesn't
     * @param progressProblem why the progress isn't known, although it executes: the instance's node can't be read
     */
    public record ItemReport(
            int item,
            Optional<String> owner,
            boolean running,
            Optional<Lock> lock,
            boolean disabled,
            boolean misfired,
            boolean waitsForFailover,
            Optional<Instant> pauseEnds,
            List<WaitingRun> waitingRuns,
            Execution itemRecord,
            Optional<String> checkpoint,
            Optional<String> problem,
            Instant recorded,
            Optional<Instant> owes,
            Optional<Progress> progress,
            Optional<Overweight> overweight,
            Optional<Instant> successorAwaitedUntil,
            Optional<String> progressProblem) {
        public ItemReport {
            waitingRuns = List.copyOf(waitingRuns);
        }
    }

    /**
     * An item that weighs more than its owner can carry.
     *
     * @param capacity of its owner
     * @param carriedElsewhere whether another instance that may own items of the job can carry it
     */
    public record Overweight(int weight, int capacity, boolean carriedElsewhere) {}

    /**
     * How far an execution has come, as the job says.
     *
     * @param done may exceed the total, if that was an estimate
     * @param total 0 if it isn't known
     * @param text what it is about; may be empty
     * @param written when its instance last wrote the progress of what it executes, by the registry's clock
     */
    public record Progress(long done, long total, String text, Instant written) {}

    /**
     * The lock of an item.
     *
     * @param instance the instance that holds it
     * @param since when the item was claimed, by the registry's clock
     * @param token the fencing token of the execution
     * @param stuck whether the item executes for longer than the job's {@code stuckAfter}, as far as is known here
     * @param waits of an item that has waited for a thread for longer than that, who has the threads, in words that may be
     *     empty; empty of one that executes, or of which nothing was said
     */
    public record Lock(String instance, Instant since, long token, boolean stuck, Optional<String> waits) {}

    /**
     * A manual run that waits.
     *
     * @param runIds the requests that it answers
     * @param parameter empty if it has none
     * @param requester who requested it, and why: {@code alice: wrong data}; empty if nobody is known
     * @param repeats the run id of the failed execution that it repeats; empty if it repeats none
     * @param dropped who has cancelled it, and why, so that it doesn't begin; empty if nobody has
     */
    public record WaitingRun(List<String> runIds, String parameter, String requester, String repeats, String dropped) {
        public WaitingRun {
            runIds = List.copyOf(runIds);
        }
    }

    /**
     * One instance of the job.
     *
     * @param server the address of its server
     * @param since when it registered, by the registry's clock
     * @param software "of ours" for this library, or the name of other software
     * @param version of this library there; empty if its node doesn't say it
     * @param labels by which jobs choose it
     * @param capacity what its items may weigh together, over all jobs; empty for no limit
     * @param matches whether it has the labels that the job's {@code runOn} asks for, as far as is known
     * @param clockDiffers whether its clock differs from the registry's by more than the job's {@code maxTimeDiffSeconds}: it
     *     claims no firings, and other instances get its items
     * @param leader whether it leads the job
     * @param draining whether it gives its items away, because it is stopping or operators have drained it
     * @param drainedBy the operator who has drained it; empty if it is stopping
     * @param serverDisabled whether operators have disabled its server
     * @param items the items that it owns
     */
    public record InstanceReport(
            String id,
            String server,
            Instant since,
            String software,
            Optional<String> version,
            Map<String, String> labels,
            OptionalInt capacity,
            boolean matches,
            boolean clockDiffers,
            boolean leader,
            boolean draining,
            Optional<DrainedBy> drainedBy,
            boolean serverDisabled,
            List<Integer> items) {
        public InstanceReport {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            items = List.copyOf(items);
        }

        /** Whether the leader may give it items. */
        public boolean mayOwn() {
            return matches && !draining && !serverDisabled;
        }
    }

    /**
     * An operator who keeps an instance from running items.
     *
     * @param since by the registry's clock
     * @param reason empty if none was given
     */
    public record DrainedBy(Instant since, String actor, String reason) {}

    /**
     * The last execution of an item. Times are from the executing instance's clock.
     *
     * @param scheduledAt the scheduled time of the firing; empty for an item that has never run
     * @param instance the instance that ran it
     * @param runId the run id of that firing, or of a manual run; the same on every instance
     * @param runParameter the parameter of that manual run, if it has one
     * @param requester who requested that manual run, if it is known
     * @param failure the head of the failure's text
     * @param cancelled who has cancelled it, and why; while it is running, it is being interrupted
     * @param failing the executions up to this one that have failed one after the other; empty if the last one that has
     *     ended has not failed
     */
    public record Execution(
            ItemState state,
            Optional<Instant> scheduledAt,
            Optional<String> instance,
            Optional<String> runId,
            Optional<String> runParameter,
            Optional<Requester> requester,
            int attempt,
            int crashes,
            Optional<Instant> startedAt,
            Optional<Instant> finishedAt,
            Optional<String> failure,
            Optional<String> cancelled,
            Optional<Failing> failing) {}

    /**
     * Executions that have failed one after the other. Those that were cancelled don't count.
     *
     * @param times how many
     * @param since the end of the first of them
     * @param succeeded the end of the last one before them that has completed; empty if none is known
     * @param last the first line of the latest failure
     */
    public record Failing(int times, Instant since, Optional<Instant> succeeded, String last) {}
}
