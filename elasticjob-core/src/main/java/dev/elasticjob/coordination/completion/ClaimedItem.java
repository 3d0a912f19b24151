package dev.elasticjob.coordination.completion;

import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.Optional;

/**
 * An item that this instance has claimed, and whose end it owes.
 *
 * @param item its number
 * @param epoch at which it was claimed
 * @param total the number of the job's items
 * @param definition as it stood when the item was claimed
 * @param scheduledAt the firing it is for; for a manual run, the moment of the claim
 * @param instance this instance's id
 * @param token grows with each start of the item; 0 for a firing without monitoring
 * @param sessionId in which it was claimed
 * @param claimed its record as the claim wrote it
 * @param version of that record
 * @param before its record before the claim, which an unclaim restores
 * @param run the manual run that the claim took from those that wait
 * @param trigger why it was claimed
 * @param checkpoint what an earlier execution of the item left, as it was read before the claim
 */
public record ClaimedItem(
        int item,
        int epoch,
        int total,
        JobDefinition definition,
        Instant scheduledAt,
        String instance,
        long token,
        long sessionId,
        ItemRecord claimed,
        int version,
        ItemRecord before,
        Optional<ManualRun> run,
        ExecutionTrigger trigger,
        Optional<String> checkpoint) {
    public static ClaimedItem of(ItemChange.Start start, Ownership own, long token) {
        ItemRecord claimed = start.next();
        Instant scheduledAt = claimed.runId() == null ? claimed.scheduledAt() : claimed.startedAt();
        if (scheduledAt == null) {
            throw new IllegalStateException("A claim without a firing: " + claimed);
        }
        return new ClaimedItem(
                start.item(),
                own.epoch(),
                own.assignment().total(),
                own.definition(),
                scheduledAt,
                own.instance(),
                token,
                own.session().id(),
                claimed,
                start.view().version() + 1,
                start.view().current(),
                start instanceof ItemChange.ManualClaim manual
                        ? Optional.of(manual.waiting().run())
                        : Optional.empty(),
                start.trigger(),
                start.view().checkpoint());
    }

    public String jobName() {
        return definition.jobName();
    }

    /** Of the firing, or of the manual run, that it is claimed for. */
    public String runId() {
        return claimed.runIdOf(jobName()).orElseThrow();
    }

    /** Whether it repeats an interrupted execution. */
    public boolean taken() {
        return trigger == ExecutionTrigger.FAILOVER;
    }

    /** Whether there is a lock and a record of it: a firing without monitoring has none. */
    public boolean isMonitored() {
        return token != 0;
    }

    /** Counts the starts for this firing, from 1. */
    public int attempt() {
        return claimed.attempt();
    }
}
