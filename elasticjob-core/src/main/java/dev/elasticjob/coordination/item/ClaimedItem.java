package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.Jitter;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.Optional;

/**
 * An item that this instance has claimed, and whose end it has to write.
 *
 * @param epoch the epoch of the claim
 * @param definition the definition at the time of the claim
 * @param scheduledAt the scheduled time; for a manual run, the time of the claim
 * @param instance this instance's id
 * @param token the number of the transaction that has created the lock; 0 for a firing without monitoring
 * @param sessionId the session of the claim
 * @param claimed the record that the claim wrote
 * @param version the version of that record
 * @param before the record that an unclaim leaves: the one before the claim, unless that has passed open firings
 * @param run the manual run that the claim took
 * @param checkpoint the item's checkpoint, read before the claim
 * @param dataId the id of the registry's data at the time of the claim
 * @param base makes its fencing token of the number
 * @param helped whether another instance owns the item, and had no room for it
 * @param room what it takes of this instance's capacity, until its end is written
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
        Optional<String> checkpoint,
        String dataId,
        long base,
        boolean helped,
        Room room) {
    public static ClaimedItem of(ItemChange.Start start, Ownership own, long token) {
        ItemRecord claimed = start.next();
        Instant scheduledAt = claimed.dueAt();
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
                start.undone(),
                start instanceof ItemChange.ManualClaim manual
                        ? Optional.of(manual.waiting().run())
                        : Optional.empty(),
                start.trigger(),
                start.view().checkpoint(),
                "",
                0,
                !(start instanceof ItemChange.Take) && !own.items().contains(start.item()),
                Room.NONE);
    }

    /** From when on the item was due: the job's jitter delays what its schedule starts. */
    public Instant dueAt() {
        return switch (trigger) {
            case SCHEDULE, MISFIRE -> Jitter.of(definition).dueAt(item, scheduledAt);
            case MANUAL, FAILOVER -> scheduledAt;
        };
    }

    /** The same, claimed in this data of the registry, with this base of its fencing token, and with this room. */
    public ClaimedItem in(String registryData, long fencingBase, Room itsRoom) {
        return new ClaimedItem(
                item,
                epoch,
                total,
                definition,
                scheduledAt,
                instance,
                token,
                sessionId,
                claimed,
                version,
                before,
                run,
                trigger,
                checkpoint,
                registryData,
                fencingBase,
                helped,
                itsRoom);
    }

    /** Grows with each start of the item, also if the registry's numbers begin anew; 0 for a firing without monitoring. */
    public long fencingToken() {
        return token == 0 ? 0 : base + token;
    }

    public String jobName() {
        return definition.jobName();
    }

    /** The run id of the firing or the manual run; of the first one, where this repeats a failed execution. */
    public String runId() {
        return claimed.firstRunIdOf(jobName());
    }

    /** Who requested the manual run; empty for a firing, and if nobody is known. */
    public Optional<Requester> requester() {
        return Optional.ofNullable(claimed.run()).flatMap(run -> run.by().requester());
    }

    /** Whether it repeats an interrupted execution. */
    public boolean taken() {
        return trigger == ExecutionTrigger.FAILOVER;
    }

    /** Whether the item has a lock and a record: a scheduled execution without monitoring has neither. */
    public boolean isMonitored() {
        return token != 0;
    }

    /** Counts the starts for this firing, from 1. */
    public int attempt() {
        return claimed.attempt();
    }
}
