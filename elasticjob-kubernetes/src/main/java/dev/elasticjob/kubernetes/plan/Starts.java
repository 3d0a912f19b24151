package dev.elasticjob.kubernetes.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * How the starts of a pool's workers have ended lately. Immutable.
 *
 * @param template to which they belong
 * @param failed how often in a row starts have failed, since the last that has registered
 * @param formerly how often they had failed in a row before that
 * @param last when the last failure was noticed
 * @param round the workers that were there at that time: if others of them fail, it is the same failure
 */
public record Starts(String template, int failed, int formerly, Optional<Instant> last, Set<String> round) {
    /** None has failed. */
    public static final Starts NONE = new Starts("", 0, 0, Optional.empty(), Set.of());

    /** After a failure that is older, the pauses begin anew. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(15);

    public Starts {
        round = Set.copyOf(round);
    }

    /**
     * @param all the workers of the pool
     * @param failures those of the template that have failed
     * @param successes those of the template that have registered since the last decision
     * @param longLived those of the failures that have certainly worked for long before
     * @param completed when a worker of the template has last ended as it should
     */
    Starts next(
            String ofTemplate,
            Collection<String> all,
            Collection<String> failures,
            Collection<String> successes,
            Collection<String> longLived,
            Optional<Instant> completed,
            Instant now) {
        Starts before = template.equals(ofTemplate) ? this : new Starts(ofTemplate, 0, 0, Optional.empty(), Set.of());
        Set<String> fresh = new HashSet<>(failures);
        fresh.removeAll(before.round);
        if (!fresh.isEmpty()) {
            boolean again =
                    Collections.disjoint(longLived, fresh) && before.isRecent(now) && !before.isFollowedBy(completed);
            int times = 1 + (before.failed > 0 ? before.failed : again ? before.formerly : 0);
            return new Starts(ofTemplate, times, 0, Optional.of(now), Set.copyOf(all));
        }
        // What has failed stays known as long as it is there: it is not a new failure.
        Set<String> present = new HashSet<>(before.round);
        present.retainAll(all);
        // A time that hasn't come yet was written by another clock.
        Optional<Instant> noticed = before.last.map(time -> time.isAfter(now) ? now : time);
        return successes.isEmpty() || before.failed == 0
                ? new Starts(ofTemplate, before.failed, before.formerly, noticed, present)
                : new Starts(ofTemplate, 0, before.failed, noticed, present);
    }

    private boolean isFollowedBy(Optional<Instant> completed) {
        return completed.filter(time -> last.filter(time::isAfter).isPresent()).isPresent();
    }

    private boolean isRecent(Instant now) {
        return last.filter(time -> time.plus(FORGOTTEN).isAfter(now)).isPresent();
    }

    /** Until when nothing is started, because starts fail; empty if they don't. */
    Optional<Instant> pausedUntil() {
        return failed == 0 ? Optional.empty() : last.map(time -> time.plus(GrowingPause.OF_ATTEMPTS.after(failed)));
    }
}
