package dev.elasticjob.admin;

import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.event.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of one job, according to the registry.
 *
 * @param type the type; empty if the definition can't be read
 * @param cron the cron expression of the schedule in force; empty before the first plan, and for a one-off job
 * @param timeZone of the schedule in force; empty before the first plan
 * @param nextDueTime the next firing, according to the schedule in force and this instance's clock; empty for a one-off
 *     job
 * @param state the state of the job on this instance
 * @param instance this instance's id within the job; empty before it has registered
 * @param leader the id of the leading instance
 * @param epoch of the assignment; -1 before the first plan
 * @param reshardingNecessary whether a new plan is requested
 * @param instances the ids of all instances, sorted
 * @param items every item of the assignment, in order
 * @param problem the node of the job that can't be read, and the reason; the values from that node are empty then
 */
public record JobReport(
        String name,
        Optional<JobType> type,
        Optional<String> cron,
        Optional<String> timeZone,
        Optional<Instant> nextDueTime,
        JobState state,
        Optional<String> instance,
        Optional<String> leader,
        int epoch,
        boolean reshardingNecessary,
        List<String> instances,
        List<ItemReport> items,
        Optional<String> problem) {
    public JobReport {
        instances = List.copyOf(instances);
        items = List.copyOf(items);
    }

    /**
     * One item.
     *
     * @param owner the instance that owns the item; empty if it has no owner
     * @param running whether an instance holds its lock
     * @param waitsForFailover whether an interrupted execution waits to be taken over
     * @param itemRecord the last execution
     * @param checkpoint the last checkpoint of its executions
     * @param problem the reason why its record can't be read
     */
    public record ItemReport(
            int item,
            Optional<String> owner,
            boolean running,
            boolean disabled,
            boolean misfired,
            boolean waitsForFailover,
            Execution itemRecord,
            Optional<String> checkpoint,
            Optional<String> problem) {}

    /**
     * The last execution of an item. Times are from the executing instance's clock.
     *
     * @param scheduledAt the scheduled time of the firing
     * @param instance the instance that ran it
     * @param runId the run id of that firing, or of a manual run; the same on every instance
     * @param runParameter the parameter of that manual run, if it has one
     * @param failure the head of the failure's text
     */
    public record Execution(
            ItemState state,
            Optional<Instant> scheduledAt,
            Optional<String> instance,
            Optional<String> runId,
            Optional<String> runParameter,
            int attempt,
            int crashes,
            Optional<Instant> startedAt,
            Optional<Instant> finishedAt,
            Optional<String> failure) {}
}
