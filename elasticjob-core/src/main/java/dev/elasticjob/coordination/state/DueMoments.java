package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.Jitter;
import dev.elasticjob.definition.JobDefinition;
import java.time.Instant;
import java.util.Optional;

/**
 * When each item is due for which firing: by the schedule in force, and later by the job's jitter. Whatever asks how late an
 * item is asks here. Immutable.
 */
public record DueMoments(Assignment assignment, Jitter jitter) {
    public static DueMoments of(Assignment assignment, JobDefinition job) {
        return new DueMoments(assignment, Jitter.of(job));
    }

    /** From when on the item may start the firing. */
    public Instant of(int item, Instant firing) {
        return jitter.dueAt(item, firing);
    }

    /** The latest firing that the item is due for by now. Under a former schedule, it may be one before the latest of all. */
    public Optional<Instant> latest(int item, Instant now) {
        Optional<Instant> firing = assignment.latestDue(now);
        while (firing.isPresent() && now.isBefore(of(item, firing.get()))) {
            firing = before(firing.get());
        }
        return firing;
    }

    /** The one before a firing that is owed. */
    public Optional<Instant> before(Instant firing) {
        return assignment.latestDue(firing.minusNanos(1));
    }

    /** The first firing after that one for which the item is due at this moment or later. */
    public Optional<Instant> first(int item, Instant seen, Instant moment) {
        Instant earliest = moment.minus(jitter.window()).minusNanos(1);
        Optional<Instant> firing = assignment.firstOwed(Assignment.later(seen, earliest));
        while (firing.isPresent() && of(item, firing.get()).isBefore(moment)) {
            firing = assignment.firstOwed(firing.get());
        }
        return firing;
    }

    /** From when on the item may start the latest firing, which it has not seen; empty if it may now, or there is none. */
    public Optional<Instant> delayedUntil(int item, ItemRecord record, Instant now) {
        Instant seen = record.scheduledAt();
        return jitter.isNone()
                ? Optional.empty()
                : assignment
                        .latestDue(now)
                        .filter(firing -> seen == null || firing.isAfter(seen))
                        .map(firing -> of(item, firing))
                        .filter(now::isBefore);
    }
}
