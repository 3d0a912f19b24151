package dev.elasticjob.coordination.state;

import dev.elasticjob.job.RunEnd;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an item last did, stored as the data of its node. The record decides; other nodes only display its content.
 *
 * @param scheduledAt the firing it last ran, skipped or started with; null for an item that has not had one
 * @param instance the instance that runs or ran it
 * @param run the manual run that is or was the last execution; null for a firing
 * @param attempt the number of starts for one firing, from 1; 0 before the first
 * @param crashes how often this firing was orphaned
 * @param startedAt the time of the claim; once it has ended, the time when its thread began; by the instance's clock
 * @param finishedAt the time when its thread returned, by the instance's clock
 * @param failure the beginning of the failure's text
 * @param past how the newest manual runs before that have ended, by run id, oldest first
 */
public record ItemRecord(
        @Nullable Instant scheduledAt,
        ItemState state,
        @Nullable String instance,
        @Nullable ManualRun run,
        int attempt,
        int crashes,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String failure,
        Map<String, RunEnd> past) {
    /** Separates job and firing. The id of a manual run can't contain it, and so can't be mistaken for a firing's. */
    private static final String FIRING = "@";

    /** How many requests before the present one a record remembers. They cost their bytes with each read of the record. */
    private static final int REMEMBERED_RUNS = 2;

    /** An item without a history. */
    public static final ItemRecord NEW = startingAt(null);

    public ItemRecord {
        past = past.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(past));
    }

    /** A new item that takes part from the first firing after the given one. */
    public static ItemRecord startingAt(@Nullable Instant scheduledAt) {
        return new ItemRecord(scheduledAt, ItemState.NEW, null, null, 0, 0, null, null, null, Map.of());
    }

    /** The run ids of the manual run as one text; null for a firing. */
    public @Nullable String runId() {
        return run == null ? null : run.runId();
    }

    /** The first attempt at a firing. */
    public ItemRecord claimed(Instant firing, String byInstance, Instant now) {
        return started(firing, byInstance, null, 1, 0, now, pastWithPresent());
    }

    /** A manual run, which leaves the firings alone. */
    public ItemRecord claimedFor(ManualRun next, String byInstance, Instant now) {
        return started(scheduledAt, byInstance, next, 1, 0, now, pastWithPresent());
    }

    /** The next attempt at an interrupted execution. */
    public ItemRecord taken(String byInstance, Instant now) {
        return started(scheduledAt, byInstance, run, attempt + 1, crashes, now, past);
    }

    private ItemRecord started(
            @Nullable Instant firing,
            String byInstance,
            @Nullable ManualRun by,
            int nextAttempt,
            int crashesBefore,
            Instant now,
            Map<String, RunEnd> before) {
        ItemState running = next(ItemState.RUNNING);
        return new ItemRecord(firing, running, byInstance, by, nextAttempt, crashesBefore, now, null, null, before);
    }

    /** The end of the execution that this record shows. */
    public ItemRecord ended(ItemState outcome, Instant began, Instant returned, @Nullable String failureText) {
        return ended(outcome, crashes, began, returned, failureText);
    }

    /** The execution that this record shows was found without its lock. */
    public ItemRecord orphaned(Instant registryTime) {
        return ended(ItemState.INTERRUPTED, crashes + 1, startedAt, registryTime, failure);
    }

    /** An interrupted execution that is not repeated. */
    public ItemRecord abandoned(String reason) {
        return ended(ItemState.FAILED, crashes, startedAt, finishedAt, reason);
    }

    private ItemRecord ended(
            ItemState outcome,
            int crashed,
            @Nullable Instant began,
            @Nullable Instant returned,
            @Nullable String failureText) {
        ItemState end = next(outcome);
        return new ItemRecord(scheduledAt, end, instance, run, attempt, crashed, began, returned, failureText, past);
    }

    /**
     * A firing that the item does not take part in.
     *
     * @param runIds of the manual runs that are dropped with it
     */
    public ItemRecord skipped(@Nullable Instant firing, List<String> runIds) {
        Map<String, RunEnd> dropped = pastWith(runIds, RunEnd.DROPPED);
        return new ItemRecord(firing, state, instance, run, attempt, crashes, startedAt, finishedAt, failure, dropped);
    }

    // ------------------------------------------------------------------ manual runs

    /**
     * How a manual run has ended, as far as this record shows; empty while it goes on, is to be repeated, or is not among
     * the runs that the record remembers.
     *
     * @param failover whether what was interrupted is repeated
     */
    public Optional<RunEnd> endOf(String runId, boolean failover) {
        if (isOf(runId)) {
            return end().filter(end -> end != RunEnd.INTERRUPTED || !failover);
        }
        return Optional.ofNullable(past.get(runId));
    }

    /** Whether the execution that this record shows answers the request. */
    public boolean isOf(String runId) {
        return run != null && run.runIds().contains(runId);
    }

    /** Whether the item has begun, or was asked and has ended, all requests of a run, as far as this record remembers. */
    public boolean shows(ManualRun asked) {
        return asked.runIds().stream().allMatch(runId -> isOf(runId) || past.containsKey(runId));
    }

    private Optional<RunEnd> end() {
        return switch (state) {
            case NEW, RUNNING -> Optional.empty();
            case COMPLETED -> Optional.of(RunEnd.COMPLETED);
            case FAILED -> Optional.of(RunEnd.FAILED);
            case INTERRUPTED -> Optional.of(RunEnd.INTERRUPTED);
        };
    }

    /** What the record of the next execution remembers. */
    private Map<String, RunEnd> pastWithPresent() {
        return run == null ? past : pastWith(run.runIds(), end().orElse(RunEnd.OVERTAKEN));
    }

    private Map<String, RunEnd> pastWith(List<String> runIds, RunEnd end) {
        Map<String, RunEnd> all = new LinkedHashMap<>(past);
        all.keySet().removeAll(runIds);
        runIds.forEach(runId -> all.put(runId, end));
        all.keySet().removeAll(List.copyOf(all.keySet()).subList(0, Math.max(0, all.size() - REMEMBERED_RUNS)));
        return all;
    }

    /** Whether the other record shows the very execution that this one shows. */
    public boolean isSameExecution(ItemRecord other) {
        return attempt == other.attempt
                && Objects.equals(instance, other.instance)
                && Objects.equals(scheduledAt, other.scheduledAt)
                && Objects.equals(runId(), other.runId())
                && Objects.equals(startedAt, other.startedAt);
    }

    /**
     * The name of the execution that this record shows, the same on every instance and in every attempt: the request's id
     * for a manual run, else the job's name and the firing. Only a manual run's is stored.
     *
     * @return empty for an item that has not begun anything yet
     */
    public Optional<String> runIdOf(String jobName) {
        if (run != null) {
            return Optional.of(run.runId());
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
