package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DueMoments;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which of the firings that an item has missed it makes up for, in a job with {@code catchUp=EACH}: the newest, as many as
 * its limit says, and none that is older than its window. Used for one plan.
 */
final class KeptFirings {
    private final DueMoments due;
    private final JobDefinition job;
    /** Missed firings before this moment are lost. */
    private final Optional<Instant> cutoff;

    private final Map<Gap, Optional<Instant>> first = new HashMap<>();
    private final Map<Instant, Optional<Instant>> next = new HashMap<>();

    /** @param registryNow by the registry's clock, from which the window counts */
    KeptFirings(Ownership own, Instant registryNow) {
        this.due = own.due();
        this.job = own.definition();
        Duration window = job.catchUpWindow();
        // What isn't late has not been missed.
        Duration least = own.misfireThreshold();
        this.cutoff = window.isZero()
                ? Optional.empty()
                : Optional.of(registryNow.minus(window.compareTo(least) > 0 ? window : least));
    }

    private record Gap(@Nullable Instant seen, Instant latest) {}

    /** The oldest one that is kept, after the one that the item has seen and up to the latest; empty if none is. */
    Optional<Instant> first(@Nullable Instant seen, Instant latest) {
        return first.computeIfAbsent(new Gap(seen, latest), this::oldest);
    }

    private Optional<Instant> oldest(Gap gap) {
        Assignment plan = due.assignment();
        Instant start = gap.seen();
        if (cutoff.isPresent() && (start == null || start.isBefore(cutoff.get()))) {
            start = cutoff.get().minusNanos(1);
        }
        int limit = job.catchUpLimit();
        int count = plan.countOwed(start, gap.latest().plusNanos(1), limit + 1);
        if (count <= limit) {
            return count == 0 ? Optional.empty() : plan.firstOwed(start);
        }
        Instant oldest = gap.latest();
        for (int kept = 1; kept < limit; kept++) {
            oldest = due.before(oldest).orElse(oldest);
        }
        return Optional.of(oldest);
    }

    /** The firing after that one. */
    Optional<Instant> after(Instant firing) {
        return next.computeIfAbsent(firing, due.assignment()::firstOwed);
    }

    /** Whether it is older than the window. */
    boolean isTooOld(Instant firing) {
        return cutoff.filter(firing::isBefore).isPresent();
    }

    /** Why an item doesn't make up for this one, which it has missed. */
    String whyNot(Instant firing, Optional<Instant> kept) {
        if (isTooOld(firing)) {
            return "older than its catchUpWindow of " + DurationText.of(job.catchUpWindow());
        }
        return kept.filter(firing::isBefore).isPresent()
                ? "beyond its catchUpLimit of " + job.catchUpLimit()
                : "their firings have ended without it";
    }
}
