package dev.elasticjob.simulation;

import java.util.stream.LongStream;

/**
 * Which lives a simulation lives: the first 1,000 in {@code mvn verify}, 4,000 more with {@code -Pproof}, as many as one
 * likes with {@code -Dsimulation.seeds=200000}, from {@code -Dsimulation.first=5000} on; or a single one again, with a
 * trace, by {@code -Dsimulation.seed=42}.
 */
final class Seeds {
    /** Tests with this tag run in both builds, each with seeds of its own. */
    static final String IN_BOTH_BUILDS = "seeds";

    private static final int COUNT = Integer.getInteger("simulation.seeds", 1_000);
    private static final long FIRST = Long.getLong("simulation.first", 0);

    private Seeds() {}

    /** @param part a simulation that takes longer lives one in so many */
    static LongStream oneIn(int part) {
        Long one = Long.getLong("simulation.seed");
        return one == null ? LongStream.range(FIRST, FIRST + COUNT / part) : LongStream.of(one);
    }

    /** Some of them, to be lived twice. */
    static LongStream few() {
        return LongStream.range(FIRST, FIRST + 5);
    }

    /** Whether one is lived again, to be looked at. */
    static boolean isOneAgain() {
        return Long.getLong("simulation.seed") != null;
    }
}
