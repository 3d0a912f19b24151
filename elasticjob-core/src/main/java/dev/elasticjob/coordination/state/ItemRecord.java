package dev.elasticjob.coordination.state;

import dev.elasticjob.job.RunEnd;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an item last did: the truth about it, stored as the data of its node.
 *
 * @param scheduledAt the firing it last ran, skipped or began with; null for an item that has not seen one
 * @param instance that runs or ran it
 * @param run the manual run that is or was the last execution; null for a firing
 * @param attempt counts the starts for one firing, from 1; 0 before the first
 * @param crashes how often this firing was orphaned
 * @param startedAt when it was claimed, and once it has ended, when its thread began; by the instance's clock
 * @param finishedAt when its thread returned, by the instance's clock
 * @param failure the head of the failure's text
 * @param past the newest manual runs before that, oldest first
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
        List<PastRun> past) {
    /** Between job and firing; no manual run's id may have it, so that none is taken for a firing's. */
    private static final String FIRING = "@";

    /** An item without a history. */
    public static final ItemRecord NEW = startingAt(null);

    public ItemRecord {
        past = List.copyOf(past);
    }

    /** A new item that takes part from the first firing after the given one. */
    public static ItemRecord startingAt(@Nullable Instant scheduledAt) {
        return new ItemRecord(scheduledAt, ItemState.NEW, null, null, 0, 0, null, null, null, List.of());
    }

    /** The run ids of the manual run as one text; null for a firing. */
    public @Nullable String runId() {
        return run == null ? null : run.runId();
    }

    /** The first attempt at a firing. */
    public ItemRecord claimed(Instant firing, String byInstance, Instant now) {
        return new ItemRecord(
                firing, next(ItemState.RUNNING), byInstance, null, 1, 0, now, null, null, pastWithPresent());
    }

    /** A manual run, which leaves the firings alone. */
    public ItemRecord claimedFor(ManualRun next, String byInstance, Instant now) {
        return new ItemRecord(
                scheduledAt, next(ItemState.RUNNING), byInstance, next, 1, 0, now, null, null, pastWithPresent());
    }

    /** The next attempt at an interrupted execution. */
    public ItemRecord taken(String byInstance, Instant now) {
        return new ItemRecord(
                scheduledAt, next(ItemState.RUNNING), byInstance, run, attempt + 1, crashes, now, null, null, past);
    }

    /** The end of the execution that this record shows. */
    public ItemRecord ended(ItemState outcome, Instant began, Instant returned, @Nullable String failureText) {
        return new ItemRecord(
                scheduledAt, next(outcome), instance, run, attempt, crashes, began, returned, failureText, past);
    }

    /** The execution that this record shows was found without its lock. */
    public ItemRecord orphaned(Instant registryTime) {
        return new ItemRecord(
                scheduledAt,
                next(ItemState.INTERRUPTED),
                instance,
                run,
                attempt,
                crashes + 1,
                startedAt,
                registryTime,
                failure,
                past);
    }

    /** An interrupted execution that nobody will repeat. */
    public ItemRecord dropped(String reason) {
        return new ItemRecord(
                scheduledAt,
                next(ItemState.FAILED),
                instance,
                run,
                attempt,
                crashes,
                startedAt,
                finishedAt,
                reason,
                past);
    }

    /**
     * A firing that the item does not take part in.
     *
     * @param runIds of the manual runs that are dropped with it
     */
    public ItemRecord skipped(@Nullable Instant firing, List<String> runIds) {
        return new ItemRecord(
                firing,
                state,
                instance,
                run,
                attempt,
                crashes,
                startedAt,
                finishedAt,
                failure,
                pastWith(runIds, RunEnd.DROPPED));
    }

    // ------------------------------------------------------------------ manual runs

    /**
     * How a manual run has ended, as far as this record tells; empty while it goes on, is to be repeated, or is not among
     * those that the record remembers.
     *
     * @param failover whether what was interrupted is repeated
     */
    public Optional<RunEnd> endOf(String runId, boolean failover) {
        if (isOf(runId)) {
            return end().filter(end -> end != RunEnd.INTERRUPTED || !failover);
        }
        return past.stream()
                .filter(known -> known.runId().equals(runId))
                .map(PastRun::end)
                .findFirst();
    }

    /** Whether the execution that this record shows answers the request. */
    public boolean isOf(String runId) {
        return run != null && run.runIds().contains(runId);
    }

    private Optional<RunEnd> end() {
        return switch (state) {
            case NEW, RUNNING -> Optional.empty();
            case COMPLETED -> Optional.of(RunEnd.COMPLETED);
            case FAILED -> Optional.of(RunEnd.FAILED);
            case INTERRUPTED -> Optional.of(RunEnd.INTERRUPTED);
        };
    }

    /** What another execution is to remember of this one. */
    private List<PastRun> pastWithPresent() {
        return run == null ? past : pastWith(run.runIds(), end().orElse(RunEnd.OVERTAKEN));
    }

    private List<PastRun> pastWith(List<String> runIds, RunEnd end) {
        List<PastRun> all = new ArrayList<>(past);
        runIds.forEach(runId -> all.add(new PastRun(runId, end)));
        return all.subList(Math.max(0, all.size() - PastRun.REMEMBERED), all.size());
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
     * By what name the execution that this record shows is known, on every instance and in every attempt: the request's
     * for a manual run, else the job's name and the firing. The one place that makes it; only a manual run's is stored.
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
