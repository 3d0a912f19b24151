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
 * An item's latest execution, stored as the data of its node. The record is authoritative; other nodes only display its
 * content.
 *
 * @param scheduledAt the firing that it last ran or skipped, or the one before its first; null if there is none
 * @param instance the instance that runs or ran it
 * @param run the manual run; null for a firing
 * @param attempt the number of starts for one firing, from 1; 0 before the first
 * @param crashes the number of times this firing was orphaned
 * @param startedAt the time of the claim; after the end, the start of the thread; by the instance's clock
 * @param finishedAt the end of the thread, by the instance's clock
 * @param failure the beginning of the failure's text
 * @param past the outcomes of the latest earlier manual runs, by run id, oldest first
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
    /** Separates job and firing. The id of a manual run can't contain it, so the two kinds can't be confused. */
    private static final String FIRING = "@";

    /** The number of earlier requests that a record remembers. Each read of the record transfers them. */
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

    /** The run ids of the manual run, joined; null for a firing. */
    public @Nullable String runId() {
        return run == null ? null : run.runId();
    }

    /** The first attempt at a firing. */
    public ItemRecord claimed(Instant firing, String byInstance, Instant now) {
        return started(firing, byInstance, null, 1, 0, now, pastWithPresent());
    }

    /** A manual run, which doesn't use up a firing. */
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

    public ItemRecord ended(ItemState outcome, Instant began, Instant returned, @Nullable String failureText) {
        return ended(outcome, crashes, began, returned, failureText);
    }

    /** The execution was found without its lock. */
    public ItemRecord orphaned(Instant registryTime) {
        return ended(ItemState.INTERRUPTED, crashes + 1, startedAt, registryTime, failure);
    }

    /** The interrupted execution will not be repeated. */
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
     * A skipped firing.
     *
     * @param runIds the manual runs that are dropped with it
     */
    public ItemRecord skipped(@Nullable Instant firing, List<String> runIds) {
        Map<String, RunEnd> dropped = pastWith(runIds, RunEnd.DROPPED);
        return new ItemRecord(firing, state, instance, run, attempt, crashes, startedAt, finishedAt, failure, dropped);
    }

    // ------------------------------------------------------------------ manual runs

    /**
     * The outcome of a manual run, according to this record; empty if the run continues, will be repeated, or is not
     * among the runs that the record remembers.
     *
     * @param failover whether interrupted executions are repeated
     */
    public Optional<RunEnd> endOf(String runId, boolean failover) {
        if (isOf(runId)) {
            return end().filter(end -> end != RunEnd.INTERRUPTED || !failover);
        }
        return Optional.ofNullable(past.get(runId));
    }

    /** Whether this execution answers the request. */
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

    /** The outcomes that the record of the next execution remembers. */
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

    public boolean isSameExecution(ItemRecord other) {
        return attempt == other.attempt
                && Objects.equals(instance, other.instance)
                && Objects.equals(scheduledAt, other.scheduledAt)
                && Objects.equals(runId(), other.runId())
                && Objects.equals(startedAt, other.startedAt);
    }

    /**
     * The run id of this execution, the same on every instance and in every attempt: the request's id for a manual run,
     * otherwise the job's name and the firing. Only a manual run's id is stored.
     *
     * @return empty if the item has not started yet
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
