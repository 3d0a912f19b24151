package dev.elasticjob.kubernetes.plan;

import java.time.Duration;

/** The pauses between starts that fail: 10 s, doubled up to 5 min. Pure. */
final class StartPause {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int LONGEST_AFTER = 6;

    private StartPause() {}

    /** @param failures in a row, from 1 */
    static Duration after(int failures) {
        return failures >= LONGEST_AFTER ? LONGEST : FIRST.multipliedBy(1L << (failures - 1));
    }
}
