package dev.elasticjob.benchmarks;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The figures of {@code docs/scale.md}, which depend on no machine: requests of clusters of many instances and many jobs,
 * and what an execution allocates. {@code mvn -Pscale verify}
 */
class ScaleBenchmark {
    private static final int ITEMS = 4;

    private final VirtualCluster cluster = new VirtualCluster();

    @ParameterizedTest
    @CsvSource({"1, 1", "10, 10", "100, 10", "10, 100", "100, 100", "1000, 10", "10, 1000"})
    void requests(int instances, int jobs) {
        long start = cluster.requestsOf(() -> {
            for (int instance = 0; instance < instances; instance++) {
                cluster.start(jobs, ITEMS);
            }
            cluster.pass(Duration.ofSeconds(20));
        });
        long firing = cluster.requestsOf(() -> cluster.pass(Duration.ofMinutes(1)));
        if (cluster.executed() != (long) jobs * ITEMS) {
            throw new IllegalStateException(
                    "%,d executions were expected, there were %,d".formatted(jobs * ITEMS, cluster.executed()));
        }
        long join = cluster.requestsOf(() -> {
            cluster.start(jobs, ITEMS);
            cluster.pass(Duration.ofSeconds(5));
        });
        long leave = cluster.requestsOf(() -> {
            cluster.stop(0);
            cluster.pass(Duration.ofSeconds(5));
        });
        System.out.printf(
                "scale: | %,d | %,d | %,d | %,d | %,d | %,d |%n", instances, jobs, start, firing, join, leave);
    }

    /**
     * Upper bounds: the registry in memory, which keeps every node here too, allocates on the same thread. JMH's profiler
     * can't tell the job's thread from the others, so that is counted around it.
     */
    @Test
    void allocations() throws RunnerException {
        RunResult firing = new Runner(new OptionsBuilder()
                        .include(NoOpFiring.class.getName())
                        .addProfiler(GCProfiler.class)
                        .forks(1)
                        .warmupIterations(5)
                        .warmupTime(TimeValue.seconds(2))
                        .measurementIterations(5)
                        .measurementTime(TimeValue.seconds(2))
                        .build())
                .runSingle();
        cluster.start(1, 1_000);
        cluster.pass(Duration.ofMinutes(20));
        long executed = cluster.executed();
        long before = cluster.allocatedByJobs();
        cluster.pass(Duration.ofMinutes(100));

        System.out.printf(
                "scale: an execution that does nothing, with its coordination: %,.0f bytes and %,.0f ns; on the job's"
                        + " thread: %,d bytes%n",
                firing.getSecondaryResults().get("gc.alloc.rate.norm").getScore(),
                firing.getPrimaryResult().getScore(),
                (cluster.allocatedByJobs() - before) / (cluster.executed() - executed));
    }
}
