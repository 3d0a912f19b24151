package dev.elasticjob.admin;

import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.event.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One job as the registry shows it.
 *
 * @param type empty where its definition can't be read
 * @param cron of the schedule in force; empty before the first plan, and for a one-off job
 * @param timeZone of the schedule in force; empty before the first plan
 * @param nextDueTime by the schedule in force and this instance's clock; empty for a one-off job
 * @param state of the job on this instance
 * @param instance this instance's id within the job; empty before it has registered
 * @param leader the id of the leading instance
 * @param epoch of the assignment; -1 before the first plan
 * @param reshardingNecessary whether a new plan is asked for
 * @param instances the ids of all instances, sorted
 * @param items every item of the assignment, in order
 * @param problem which of the job's nodes can't be read, and why; what it would tell is empty then
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
     * @param owner the instance that claims it; empty while nobody owns it
     * @param running whether an instance holds its lock
     * @param waitsForFailover whether an interrupted execution waits to be taken over
     * @param itemRecord what it last did
     * @param checkpoint what its executions last said of how far they had come
     * @param problem why its record can't be read
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
     * What an item last did; times are those of the executing instance's clock.
     *
     * @param scheduledAt the firing it last ran for
     * @param instance that ran it
     * @param runId of that firing, or of a manual run; the same on every instance
     * @param runParameter of that manual run, where it has one
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
