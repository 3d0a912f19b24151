package dev.elasticjob.faults;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What the oracle counted, in pairs of a firing and an item.
 *
 * @param due how many should have run
 * @param run how many did
 * @param folded how many were covered by a later firing that said so
 * @param lost how many were said to be lost
 * @param gaps the pairs that did not run
 * @param silent those of which nobody said anything: a broken promise
 * @param doubled executions of a pair that no interruption explains: a broken promise
 * @param overlaps executions of an item beside another one of it: a broken promise
 * @param unfenced executions whose token did not rise: a broken promise
 * @param worstDelay from the scheduled time to the start of the first attempt
 */
record Verdict(
        int due,
        int run,
        int folded,
        int lost,
        List<Gap> gaps,
        List<String> silent,
        List<String> doubled,
        List<String> overlaps,
        List<String> unfenced,
        Duration worstDelay) {

    /** A firing without a run of an item. */
    record Gap(int item, Instant firing) {}

    List<String> brokenPromises() {
        List<String> all = new ArrayList<>();
        all.addAll(silent);
        all.addAll(doubled);
        all.addAll(overlaps);
        all.addAll(unfenced);
        return all;
    }

    /** For the fault table. */
    String figures() {
        return "due %d, run %d, folded %d, lost %d, silent %d, doubled %d, overlaps %d, worst delay %d ms"
                .formatted(
                        due, run, folded, lost, silent.size(), doubled.size(), overlaps.size(), worstDelay.toMillis());
    }
}
