package dev.elasticjob.benchmarks;

import java.util.Arrays;

/** Middle and tail of what was measured. */
final class Measures {
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

    /** How long it takes, in milliseconds. */
    static double millis(Runnable work) {
        long begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1_000_000.0;
    }
}
