package dev.elasticjob.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** Upper bounds: the registry in memory, which keeps every node here too, allocates on the same thread. */
    @Test
    void allocations() {
        int items = 1_000;
        int firings = 400;
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        cluster.start(1, items);
        cluster.pass(Duration.ofMinutes(20));
        long executed = cluster.executed();

        long before = threads.getCurrentThreadAllocatedBytes();
        cluster.pass(Duration.ofMinutes(firings));
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        System.out.printf(
                "scale: %,d bytes allocated for an execution that does nothing, with its coordination%n",
                bytes / (cluster.executed() - executed));
    }
}
