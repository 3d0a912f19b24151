package dev.elasticjob.execution.pool;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;

/**
 * Who has the shared threads at one moment, and who waits for one.
 *
 * @param holders the jobs that have threads; the one whose task began first comes first
 * @param waiting the jobs with tasks that could run if there were a thread
 * @param tasks how many tasks these are
 * @param longestWait how long the first of them has waited; zero if none waits
 * @param sinceBegin how long ago a task last got a thread
 */
public record PoolOccupancy(
        List<Holder> holders, SortedSet<String> waiting, int tasks, Duration longestWait, Duration sinceBegin) {
    static final Duration TOO_LONG = Duration.ofMinutes(1);

    public PoolOccupancy {
        holders = List.copyOf(holders);
    }

    /**
     * A job that has threads.
     *
     * @param threads how many
     * @param longest for how long the first of its tasks has had its own
     */
    public record Holder(String job, int threads, Duration longest) {
        @Override
        public String toString() {
            return "\"%s\" has %d, one of them for %s".formatted(job, threads, DurationText.of(longest));
        }
    }

    /** Whether nothing has begun for a minute, although something has waited all that time. */
    boolean standsStill() {
        return longestWait.compareTo(TOO_LONG) >= 0 && sinceBegin.compareTo(TOO_LONG) >= 0;
    }
}
