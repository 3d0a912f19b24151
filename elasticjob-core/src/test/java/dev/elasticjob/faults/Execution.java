package dev.elasticjob.faults;

import java.time.Instant;

/**
 * One execution, as its process has told it.
 *
 * @param end when it returned, or when its process was killed, or the end of the log
 * @param whole whether it returned by itself
 */
record Execution(
        String process, int item, Instant firing, int attempt, long token, Instant start, Instant end, boolean whole) {
    @Override
    public String toString() {
        return "item %d for %s, attempt %d, token %d, in %s from %s to %s%s"
                .formatted(item, firing, attempt, token, process, start, end, whole ? "" : " (not whole)");
    }
}
