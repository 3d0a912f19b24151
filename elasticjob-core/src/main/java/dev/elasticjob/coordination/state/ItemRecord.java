package dev.elasticjob.coordination.state;

import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.function.Predicate;
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
 * @param ends how firings before that have ended, where the job's firings are opened
 * @param cancelled the request that the execution ends; null if there is none. With one, every end is a failure
 * @param streak the failures up to this record. If there is none, the time of the last success is only known to the
 *     instance that runs the item
 * @param took how long its executions take, smoothed, from the start of the thread to its end, in whole milliseconds; zero if
 *     none has ended yet; null if the job doesn't measure them
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
        Map<String, RunEnd> past,
        ItemEnds ends,
        @Nullable Cancellation cancelled,
        FailureStreak streak,
        @Nullable Duration took) {
    /** The longest duration that is known of an item. */
    static final Duration LONGEST = Duration.ofDays(365);

    /** Separates job and firing. The id of a manual run can't contain it, so the two kinds can't be confused. */
    public static final String FIRING = "@";

    /** The number of earlier requests that a record remembers. Each read of the record transfers them. */
    private static final int REMEMBERED_RUNS = 2;

    /** The same where somebody waits for the end of each run in the whole cluster. */
    private static final int REMEMBERED_OPEN_RUNS = 8;

    /** An item without a history. */
    public static final ItemRecord NEW = startingAt(null);

    /** A record of a job whose firings are not opened. */
    public ItemRecord(
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
        this(
                scheduledAt,
                state,
                instance,
                run,
                attempt,
                crashes,
                startedAt,
                finishedAt,
                failure,
                past,
                ItemEnds.NONE,
                null,
                FailureStreak.NONE,
                null);
    }

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
        return claimed(firing, byInstance, now, ItemEnds.NONE);
    }

    /** @param before how the item has ended earlier firings that are open */
    public ItemRecord claimed(Instant firing, String byInstance, Instant now, ItemEnds before) {
        return started(firing, byInstance, null, 1, 0, now, pastWithPresent(), before);
    }

    /** A manual run, which doesn't use up a firing. */
    public ItemRecord claimedFor(ManualRun next, String byInstance, Instant now) {
        return claimedFor(next, byInstance, now, ItemEnds.NONE);
    }

    /** @param before how the item has ended the firing that this record shows, and earlier ones */
    public ItemRecord claimedFor(ManualRun next, String byInstance, Instant now, ItemEnds before) {
        int first = next.repeats() == null ? 1 : next.repeats().attempt();
        return started(scheduledAt, byInstance, next, first, 0, now, pastWithPresent(), before);
    }

    /** The next attempt at an interrupted execution. */
    public ItemRecord taken(String byInstance, Instant now) {
        return started(scheduledAt, byInstance, run, attempt + 1, crashes, now, past, ends);
    }

    private ItemRecord started(
            @Nullable Instant firing,
            String byInstance,
            @Nullable ManualRun by,
            int nextAttempt,
            int crashesBefore,
            Instant now,
            Map<String, RunEnd> before,
            ItemEnds endsBefore) {
        ItemState running = next(ItemState.RUNNING);
        return new ItemRecord(
                firing,
                running,
                byInstance,
                by,
                nextAttempt,
                crashesBefore,
                now,
                null,
                null,
                before,
                endsBefore,
                null,
                streakBefore(),
                took);
    }

    /** The failures up to this record; of one that doesn't count them, the one that it shows. */
    public FailureStreak failures() {
        boolean uncounted =
                state == ItemState.FAILED && streak.isEmpty() && streak.counted() == null && cancelled == null;
        return uncounted ? streak.failed(finishedAt) : streak;
    }

    /**
     * The same claim, made in this state of the job's pause, for {@code pauseAfterFailures}.
     *
     * @param pause the transaction that last changed it; empty if the job doesn't count its failures
     */
    public ItemRecord countedUnder(OptionalLong pause) {
        FailureStreak next = streak.countedUnder(pause);
        return next.equals(streak) ? this : counting(next);
    }

    /** How many executions have failed one after the other in this state of the job's pause. */
    public int failuresIn(long pause) {
        return streak.countedIn(pause);
    }

    /** Whether so many have, in the state of the job's pause in which it was claimed. */
    public boolean hasFailed(int times) {
        return state == ItemState.FAILED
                && streak.counted() != null
                && streak.counted().times() >= times;
    }

    /** The first line of the latest failure, cut to 120 bytes; empty if none is known. */
    public String lastFailure() {
        return streak.lastFailure(failure);
    }

    private FailureStreak streakBefore() {
        return state == ItemState.COMPLETED
                ? FailureStreak.none(finishedAt)
                : failures().shown(failure);
    }

    /** Its thread has returned. */
    public ItemRecord ended(ItemState outcome, Instant began, Instant returned, @Nullable String failureText) {
        ItemRecord ended = ended(outcome, crashes, began, returned, failureText);
        boolean whole = cancelled == null && outcome != ItemState.INTERRUPTED;
        return took == null || !whole || returned.isBefore(began)
                ? ended
                : ended.taking(smoothed(took, Duration.between(began, returned)));
    }

    /**
     * Exponential smoothing, with a quarter for the latest. One execution that takes far longer than those before it counts with
     * four times what they took: it may have hung. The first one counts as it is.
     */
    private static Duration smoothed(Duration before, Duration latest) {
        long most = before.isZero() ? LONGEST.toMillis() : Math.min(4 * before.toMillis(), LONGEST.toMillis());
        long taken = Math.max(1, Math.min(latest.toMillis(), most));
        return Duration.ofMillis(before.isZero() ? taken : Math.max(1, (3 * before.toMillis() + taken + 2) / 4));
    }

    /** The same claim; if the job measures, it is known from then on how long the item takes. */
    public ItemRecord measured(boolean measures) {
        Duration next = measures ? Objects.requireNonNullElse(took, Duration.ZERO) : null;
        return Objects.equals(next, took) ? this : taking(next);
    }

    private ItemRecord taking(@Nullable Duration duration) {
        return known(streak, duration);
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
        return cancelled == null
                ? at(scheduledAt, next(outcome), crashed, began, returned, failureText, past, ends)
                        .counting(streakAfter(outcome, returned))
                : at(scheduledAt, next(ItemState.FAILED), crashed, began, returned, cancelled.text(), past, ends);
    }

    private FailureStreak streakAfter(ItemState outcome, @Nullable Instant returned) {
        return switch (outcome) {
            case COMPLETED -> FailureStreak.NONE;
            case FAILED -> streak.failed(returned);
            case NEW, RUNNING, INTERRUPTED -> streak;
        };
    }

    private ItemRecord counting(FailureStreak failures) {
        return known(failures, took);
    }

    /** The same execution, with what is known from those before it. */
    private ItemRecord known(FailureStreak failures, @Nullable Duration duration) {
        return new ItemRecord(
                scheduledAt,
                state,
                instance,
                run,
                attempt,
                crashes,
                startedAt,
                finishedAt,
                failure,
                past,
                ends,
                cancelled,
                failures,
                duration);
    }

    // ------------------------------------------------------------------ cancelled

    /** The running execution is to end. Whatever its end is, it fails by this cancellation. */
    public ItemRecord cancelling(Cancellation cancellation) {
        return new ItemRecord(
                scheduledAt,
                state,
                instance,
                run,
                attempt,
                crashes,
                startedAt,
                finishedAt,
                failure,
                past,
                ends,
                cancellation,
                streak,
                took);
    }

    /** The interrupted execution will not be repeated, because of this cancellation. */
    public ItemRecord cancelledBy(Cancellation cancellation) {
        return cancelling(cancellation).ended(ItemState.FAILED, crashes, startedAt, finishedAt, null);
    }

    /**
     * What a claim would have left that has failed without having been started. It never had a thread, so it has no start.
     *
     * @param at by the registry's clock
     */
    public ItemRecord refused(Instant at, String reason) {
        return ended(ItemState.FAILED, crashes, null, at, reason);
    }

    /** Whether it failed because the listeners before the first item did. */
    public boolean isRefused() {
        return state == ItemState.FAILED && attempt > 0 && startedAt == null;
    }

    /** The execution was claimed, hasn't begun, and never will. */
    public ItemRecord endedUnbegun(Instant registryTime) {
        return ended(ItemState.FAILED, crashes, startedAt, registryTime, failure);
    }

    // ------------------------------------------------------------------ repeated

    /** Whether the record shows the failed execution that is to be repeated, and nothing later. */
    public boolean letsRepeat(RepeatedRun next) {
        return state == ItemState.FAILED
                && attempt > 0
                && (run != null || scheduledAt != null)
                && repeated().equals(next);
    }

    /** What repeats the failed execution that the record shows. */
    public RepeatedRun repeated() {
        if (run == null) {
            return new RepeatedRun(scheduledAt, null, attempt + 1);
        }
        return run.repeats() == null
                ? new RepeatedRun(null, run.runId(), attempt + 1)
                : run.repeats().next(attempt);
    }

    /**
     * A skipped firing.
     *
     * @param runIds the manual runs that are dropped with it
     */
    public ItemRecord skipped(@Nullable Instant firing, List<String> runIds) {
        return skipped(firing, runIds, RunEnd.DROPPED, ends);
    }

    /** @param runEnd of the runs that the item does not take part in either */
    public ItemRecord skipped(@Nullable Instant firing, List<String> runIds, RunEnd runEnd, ItemEnds passed) {
        Map<String, RunEnd> dropped = pastWith(runIds, runEnd);
        ItemRecord skipping = at(firing, state, crashes, startedAt, finishedAt, failure, dropped, passed);
        return run == null && !Objects.equals(firing, scheduledAt) ? skipping.unstarted() : skipping;
    }

    /** The item has not started the firing that it shows, so nothing can be repeated. */
    private ItemRecord unstarted() {
        return new ItemRecord(
                scheduledAt,
                state,
                instance,
                run,
                0,
                crashes,
                startedAt,
                finishedAt,
                failure,
                past,
                ends,
                null,
                streak,
                took);
    }

    /**
     * What is left of a claim that is undone, but has passed firings. The claim has reported what was interrupted before,
     * so that is over.
     */
    public ItemRecord havingPassed(@Nullable Instant firing, ItemEnds passed) {
        ItemState over = state == ItemState.INTERRUPTED ? ItemState.FAILED : state;
        return at(firing, over, crashes, startedAt, finishedAt, failure, past, passed);
    }

    private ItemRecord at(
            @Nullable Instant firing,
            ItemState nextState,
            int crashed,
            @Nullable Instant began,
            @Nullable Instant returned,
            @Nullable String failureText,
            Map<String, RunEnd> nextPast,
            ItemEnds nextEnds) {
        return new ItemRecord(
                firing,
                nextState,
                instance,
                run,
                attempt,
                crashed,
                began,
                returned,
                failureText,
                nextPast,
                nextEnds,
                cancelled,
                streak,
                took);
    }

    // ------------------------------------------------------------------ firings of the whole cluster

    /** The same execution, as one of a firing that was opened after it had been claimed. */
    public ItemRecord ofOpenFiring() {
        return at(scheduledAt, state, crashes, startedAt, finishedAt, failure, past, ends.opened(true));
    }

    /**
     * How the item has ended a firing that it belongs to; empty while it has not.
     *
     * @param failover whether what was interrupted is repeated
     */
    public Optional<Outcome> endOf(Instant firing, boolean failover) {
        Optional<Outcome> remembered = ends.of(firing);
        if (remembered.isPresent()) {
            return remembered;
        }
        if (scheduledAt == null || scheduledAt.isBefore(firing)) {
            return Optional.empty();
        }
        return run == null && scheduledAt.equals(firing)
                ? presentEnd(failover)
                : Optional.of(Outcome.notBegun(End.UNKNOWN));
    }

    /** Whether it shows an interrupted execution for this firing, and doesn't say that the firing was open. */
    public boolean isUnmarkedEndOf(@Nullable Instant firing) {
        return state == ItemState.INTERRUPTED && run == null && !ends.opened() && Objects.equals(scheduledAt, firing);
    }

    private Optional<Outcome> presentEnd(boolean failover) {
        if (state == ItemState.NEW) {
            // The item was removed and created again.
            return Optional.of(Outcome.notBegun(End.UNKNOWN));
        }
        return end().filter(end -> end != RunEnd.INTERRUPTED || !failover)
                .map(end -> new Outcome(End.valueOf(end.name()), attempt, String.valueOf(instance)));
    }

    /**
     * The ends to remember when this record comes to show something else.
     *
     * @param open the moments of the open firings that name the item
     * @param mayOpen whether a firing may yet be opened
     * @param next the firing that the record shows then; null if it is the same
     * @param passed how the open firings in between are ended
     */
    public ItemEnds endsBefore(
            SortedSet<Instant> open,
            Predicate<Instant> mayOpen,
            @Nullable Instant next,
            Function<Instant, End> passed) {
        ItemEnds kept = ends.retaining(firing -> open.contains(firing) || mayOpen.test(firing));
        for (Instant firing : open) {
            if (scheduledAt != null && !firing.isAfter(scheduledAt)) {
                kept = endOf(firing, false).map(keptEnd(kept, firing)).orElse(kept);
            } else if (next != null && firing.isBefore(next)) {
                kept = kept.with(firing, Outcome.notBegun(passed.apply(firing)));
            }
        }
        return kept.opened(false);
    }

    private static Function<Outcome, ItemEnds> keptEnd(ItemEnds kept, Instant firing) {
        return end -> kept.with(firing, end);
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
        int remembered = ends.isEmpty() ? REMEMBERED_RUNS : REMEMBERED_OPEN_RUNS;
        all.keySet().removeAll(List.copyOf(all.keySet()).subList(0, Math.max(0, all.size() - remembered)));
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
                .map(firing -> jobName + FIRING + InstantText.write(firing));
    }

    /** The run id of this execution; of the first attempt, where it repeats another one. */
    public String firstRunIdOf(String jobName) {
        return Optional.ofNullable(run)
                .flatMap(by -> by.repeatedRunIdOf(jobName))
                .or(() -> runIdOf(jobName))
                .orElseThrow();
    }

    /** A manual run is due at the time of its claim; one that repeats a firing, at the time of that. */
    public @Nullable Instant dueAt() {
        if (run == null) {
            return scheduledAt;
        }
        if (run.repeats() != null && run.repeats().at() != null) {
            return run.repeats().at();
        }
        return isRefused() ? finishedAt : startedAt;
    }

    private ItemState next(ItemState target) {
        if (!state.successors().contains(target)) {
            throw new IllegalStateException("An item can't go from " + state + " to " + target);
        }
        return target;
    }
}
