package dev.elasticjob.simulation;

import dev.elasticjob.definition.Schedule;
import dev.elasticjob.job.JobEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Keeps account of firings that did not run: each claim closes a gap, and what lies in it must have been told, as
 * folded or as lost, once. Who has died, or was cut off from the answer, could not tell.
 */
final class Losses {
    private final Oracle oracle;
    private final Map<String, Long> owed = new HashMap<>();
    private final Map<String, Long> told = new HashMap<>();
    private final Set<Long> known = new HashSet<>();

    Losses(Oracle oracle) {
        this.oracle = oracle;
    }

    void joins(int item, Recorded first) {
        // A new item owes nothing of what was before it.
    }

    /** A claim from one firing to another. */
    void closesGap(
            long session, int item, Recorded before, Recorded after, Schedule schedule, Instant since, boolean folds) {
        Instant from =
                before.scheduledAt() != null && before.scheduledAt().isAfter(since) ? before.scheduledAt() : since;
        long between = schedule.countBetween(from, after.scheduledAt(), 1_000);
        long interrupted = before.is("INTERRUPTED") ? 1 : 0;
        owe("folded", item, after.scheduledAt(), folds ? between : 0);
        owe("lost", item, after.scheduledAt(), interrupted + (folds ? 0 : between));
        known.add(session);
    }

    /** An interrupted execution that nobody repeats. */
    void givenUp(int item, Recorded execution) {
        owe("lost", item, execution.scheduledAt(), 1);
    }

    void interruptedAndGone(int item, Recorded before, Recorded after, long session) {
        known.add(session);
    }

    void unclaimed(int item) {
        // The next claim closes the same gap again.
    }

    void skipped(int item, Recorded after) {
        // What a disabled item lets pass is not missed.
    }

    void told(SimulatedProcess process, JobEvent event) {
        if (event instanceof JobEvent.FiringsFolded folded) {
            tell("folded", folded.item(), folded.into(), folded.count());
        } else if (event instanceof JobEvent.FiringsLost lost) {
            tell("lost", lost.item(), lost.before(), lost.count());
        }
    }

    private void owe(String kind, int item, Instant firing, long count) {
        owed.merge(key(kind, item, firing), count, Long::sum);
    }

    private void tell(String kind, int item, Instant firing, long count) {
        String key = key(kind, item, firing);
        long sum = told.merge(key, count, Long::sum);
        Long most = owed.get(key);
        if (most != null && sum > most) {
            oracle.violated("P3, losses are told once: %s: %d told, %d there are".formatted(key, sum, most));
        }
    }

    private static String key(String kind, int item, Instant firing) {
        return kind + " before " + firing + " of item " + item;
    }
}
