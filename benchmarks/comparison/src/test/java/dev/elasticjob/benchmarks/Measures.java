package dev.elasticjob.benchmarks;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Middle and tail of what was measured. */
final class Measures {
    private static final int ROUNDS = 10;

    private Measures() {}

    static double median(double... values) {
        return percentile(0.5, values);
    }

    /** The smallest value that so large a part of all does not exceed. */
    static double percentile(double part, double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(part * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }

    /** How long it takes in the end, in milliseconds: the median of ten times, after as many to warm up. */
    static double medianMillis(Runnable work) {
        return median(IntStream.range(0, 2 * ROUNDS)
                .mapToDouble(round -> millis(work))
                .skip(ROUNDS)
                .toArray());
    }

    /** How long it takes, in milliseconds. */
    static double millis(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1_000_000.0;
    }
}
