package dev.elasticjob.coordination.state;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A firing that has begun, and that not all of its items have ended yet.
 *
 * @param scheduledAt null for a manual run
 * @param runId null for a scheduled firing
 * @param items those that belong to it: they had an owner when it was opened
 * @param hook the call of the listeners that is due, where the phase has one
 * @param since when its phase began, by the registry's clock as that instance knew it
 * @param refused why no item of it may begin; null if they may
 * @param request what its items are asked for while not all of them have been asked; null in all other phases, and if this
 *     isn't the same for all items
 */
public record OpenFiring(
        @Nullable Instant scheduledAt,
        @Nullable String runId,
        NavigableSet<Integer> items,
        Phase phase,
        Hook hook,
        Instant since,
        @Nullable String refused,
        @Nullable Request request) {
    private static final String RUN = "run-";

    /** What a firing waits for. */
    public enum Phase {
        /** A manual run whose request takes several transactions, of which some are missing. */
        ASKING,
        /** The listeners are called before the first item. */
        BEFORE,
        ITEMS,
        /** All items have ended, and the listeners are called. */
        AFTER
    }

    /**
     * A call of listeners, claimed as an item is.
     *
     * @param instance the one that runs it; null while none does
     * @param attempt the number of starts
     * @param crashes how often its instance died meanwhile
     */
    public record Hook(@Nullable String instance, int attempt, int crashes) {
        public static final Hook NONE = new Hook(null, 0, 0);

        public Hook claimedBy(String next) {
            return new Hook(next, attempt + 1, instance == null ? crashes : crashes + 1);
        }

        /** Cut off by the loss of its session, whoever writes that first: its own instance, or the next one. */
        public Hook crashed() {
            return new Hook(null, attempt, crashes + 1);
        }

        /** Cut off by its own instance in good order, which is no crash. */
        public Hook released() {
            return new Hook(null, attempt, crashes);
        }
    }

    /**
     * A manual run as it was asked for, without its id.
     *
     * @param parameter empty if there is none
     * @param repeats the firing of the past for which it stands; null for a run of its own
     */
    public record Request(String parameter, @Nullable RepeatedRun repeats, RequestedBy by) {}

    public OpenFiring {
        items = Collections.unmodifiableNavigableSet(new TreeSet<>(items));
        if ((scheduledAt == null) == (runId == null)) {
            throw new IllegalArgumentException("a firing has either a scheduled time or a run id");
        }
    }

    public static OpenFiring scheduled(
            Instant scheduledAt, NavigableSet<Integer> items, Phase phase, Hook hook, Instant since) {
        return new OpenFiring(scheduledAt, null, items, phase, hook, since, null, null);
    }

    public static OpenFiring manual(String runId, NavigableSet<Integer> items, Phase phase, Instant since) {
        return new OpenFiring(null, runId, items, phase, Hook.NONE, since, null, null);
    }

    /** A manual run of which not all items have been asked. */
    public static OpenFiring asking(
            String runId, NavigableSet<Integer> items, @Nullable Request request, Instant since) {
        return new OpenFiring(null, runId, items, Phase.ASKING, Hook.NONE, since, null, request);
    }

    /** The same once these items have been asked, and no others will be. */
    public OpenFiring asked(NavigableSet<Integer> asked, Phase next) {
        return new OpenFiring(null, runId, asked, next, Hook.NONE, since, null, null);
    }

    /** Whether some of its items may not have been asked yet. */
    public boolean isAsking() {
        return phase == Phase.ASKING;
    }

    public static String idOf(Instant scheduledAt) {
        return String.valueOf(scheduledAt.toEpochMilli());
    }

    public static String idOf(String runId) {
        return RUN + runId;
    }

    /** The name of its lock, and of what is written about it for followers. */
    public String id() {
        return scheduledAt == null ? idOf(Objects.requireNonNull(runId)) : idOf(scheduledAt);
    }

    /** Names the call of listeners that the phase has: a former one may still run where its session has ended. */
    public String call() {
        return phase + " " + id();
    }

    /** The id that its items show: of the manual run, or of the firing by job and scheduled time. */
    public String runIdOf(String jobName) {
        return runId == null ? jobName + "@" + scheduledAt : runId;
    }

    /** Of a scheduled one. */
    Instant order() {
        return Objects.requireNonNull(scheduledAt);
    }

    /** Whether its items may begin. */
    public boolean letsBegin() {
        return phase == Phase.ITEMS && refused == null;
    }

    /** Whether the listeners were called before its items, and are to be called after them. */
    public boolean owesAfter() {
        return phase == Phase.ITEMS && hook.attempt() > 0 && refused == null;
    }

    public boolean awaitsHook() {
        return phase == Phase.BEFORE || phase == Phase.AFTER;
    }

    public OpenFiring in(Phase next, Hook nextHook, Instant from) {
        return new OpenFiring(scheduledAt, runId, items, next, nextHook, from, refused, null);
    }

    public OpenFiring with(Hook next) {
        return new OpenFiring(scheduledAt, runId, items, phase, next, since, refused, request);
    }

    /** No item may begin any more. */
    public OpenFiring refused(String reason, Instant from) {
        return new OpenFiring(scheduledAt, runId, items, Phase.ITEMS, Hook.NONE, from, reason, null);
    }
}
