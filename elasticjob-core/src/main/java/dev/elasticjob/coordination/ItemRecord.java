package dev.elasticjob.coordination;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an item last did: the truth about it, stored as the data of its node.
 *
 * @param scheduledAt the firing it last ran, skipped or began with; null for an item that has not seen one
 * @param instance that runs or ran it
 * @param runId of the manual run that is or was the last execution; null for a firing
 * @param attempt counts the starts for one firing, from 1; 0 before the first
 * @param crashes how often this firing was orphaned
 * @param startedAt when it was claimed, and once it has ended, when its thread began; by the instance's clock
 * @param finishedAt when its thread returned, by the instance's clock
 * @param failure the head of the failure's text
 */
public record ItemRecord(
        @Nullable Instant scheduledAt,
        ItemState state,
        @Nullable String instance,
        @Nullable String runId,
        int attempt,
        int crashes,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String failure) {
    /** Between job and firing; no manual run's id may have it, so that none is taken for a firing's. */
    private static final String FIRING = "@";

    /** An item without a history. */
    public static final ItemRecord NEW = startingAt(null);

    /** A new item that takes part from the first firing after the given one. */
    static ItemRecord startingAt(@Nullable Instant scheduledAt) {
        return new ItemRecord(scheduledAt, ItemState.NEW, null, null, 0, 0, null, null, null);
    }

    /** The first attempt at a firing. */
    ItemRecord claimed(Instant firing, String byInstance, Instant now) {
        return new ItemRecord(firing, next(ItemState.RUNNING), byInstance, null, 1, 0, now, null, null);
    }

    /** A manual run, which leaves the firings alone. */
    ItemRecord claimedFor(ManualRun run, String byInstance, Instant now) {
        return new ItemRecord(scheduledAt, next(ItemState.RUNNING), byInstance, run.runId(), 1, 0, now, null, null);
    }

    /** The next attempt at an interrupted execution. */
    ItemRecord taken(String byInstance, Instant now) {
        return new ItemRecord(
                scheduledAt, next(ItemState.RUNNING), byInstance, runId, attempt + 1, crashes, now, null, null);
    }

    /** The end of the execution that this record shows. */
    ItemRecord ended(ItemState outcome, Instant began, Instant returned, @Nullable String failureText) {
        return new ItemRecord(
                scheduledAt, next(outcome), instance, runId, attempt, crashes, began, returned, failureText);
    }

    /** The execution that this record shows was found without its lock. */
    ItemRecord orphaned(Instant registryTime) {
        return new ItemRecord(
                scheduledAt,
                next(ItemState.INTERRUPTED),
                instance,
                runId,
                attempt,
                crashes + 1,
                startedAt,
                registryTime,
                failure);
    }

    /** An interrupted execution that nobody will repeat. */
    ItemRecord dropped(String reason) {
        return new ItemRecord(
                scheduledAt, next(ItemState.FAILED), instance, runId, attempt, crashes, startedAt, finishedAt, reason);
    }

    /** A firing that the item does not take part in. */
    ItemRecord skipped(@Nullable Instant firing) {
        return new ItemRecord(firing, state, instance, runId, attempt, crashes, startedAt, finishedAt, failure);
    }

    /** Whether the other record shows the very execution that this one shows. */
    boolean isSameExecution(ItemRecord other) {
        return attempt == other.attempt
                && Objects.equals(instance, other.instance)
                && Objects.equals(scheduledAt, other.scheduledAt)
                && Objects.equals(runId, other.runId)
                && Objects.equals(startedAt, other.startedAt);
    }

    /**
     * By what name the execution that this record shows is known, on every instance and in every attempt: the request's
     * for a manual run, else the job's name and the firing. The one place that makes it; only a manual run's is stored.
     *
     * @return empty for an item that has not begun anything yet
     */
    public Optional<String> runIdOf(String jobName) {
        if (runId != null) {
            return Optional.of(runId);
        }
        return Optional.ofNullable(scheduledAt)
                .filter(firing -> state != ItemState.NEW)
                .map(firing -> jobName + FIRING + firing);
    }

    private ItemState next(ItemState target) {
        if (!state.successors().contains(target)) {
            throw new IllegalStateException("An item can't go from " + state + " to " + target);
        }
        return target;
    }
}
