package dev.elasticjob.kubernetes.plan;

import java.time.Duration;

/** Pauses between attempts that fail: each is twice as long as the one before, up to the longest. Immutable. */
public record GrowingPause(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 16;

    /** Of what the cluster refuses, and of starts that fail. */
    public static final GrowingPause OF_ATTEMPTS = new GrowingPause(Duration.ofSeconds(10), Duration.ofMinutes(5));

    /** @param failures in a row, from 1 */
    public Duration after(int failures) {
        Duration pause = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return pause.compareTo(longest) > 0 ? longest : pause;
    }
}
