package dev.elasticjob.benchmarks;

import static dev.elasticjob.benchmarks.Measures.percentile;

import dev.elasticjob.benchmarks.Firings.Firing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * What a contender does in a given time with jobs of one item that all fire each second.
 *
 * @param executions all that it has told of, a little more than those of that time
 * @param perSecond of those executed within that time, whenever they were due
 * @param runPercent of what was due within that time: what ran no later than a second after its end
 * @param p50Millis the lateness of those executed within that time
 * @param cpuSeconds in a minute
 */
record SteadyWork(
        int executions, double perSecond, double runPercent, double p50Millis, double p99Millis, double cpuSeconds) {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration GRACE = Duration.ofSeconds(1);

    static void warmUp(ContenderProcess contender) {
        contender.firings().until(Instant.now().plus(WARM_UP));
    }

    /** From the next full second on. */
    static SteadyWork watch(ContenderProcess contender, int jobs, int seconds) {
        double cpu = contender.stats().cpuSeconds();
        Instant before = Instant.now();
        Instant begin = before.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        Instant end = begin.plusSeconds(seconds);
        List<Firing> told = contender.firings().until(end.plus(GRACE));
        double minutes = Duration.between(before, Instant.now()).toMillis() / 60_000.0;
        double cpuSeconds = (contender.stats().cpuSeconds() - cpu) / minutes;

        double[] lateness = told.stream()
                .filter(firing -> within(firing.lastAt(), begin, end))
                .mapToDouble(Firing::lastMillis)
                .toArray();
        long ran = told.stream()
                .filter(firing -> within(firing.scheduledAt(), begin, end))
                .count();
        return new SteadyWork(
                told.size(),
                (double) lateness.length / seconds,
                100.0 * ran / (jobs * seconds),
                percentile(0.5, lateness),
                percentile(0.99, lateness),
                cpuSeconds);
    }

    private static boolean within(Instant moment, Instant begin, Instant end) {
        return !moment.isBefore(begin) && moment.isBefore(end);
    }
}
