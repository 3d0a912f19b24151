package dev.elasticjob.benchmarks;

import static dev.elasticjob.benchmarks.Measures.median;
import static dev.elasticjob.benchmarks.workload.WorkloadSettings.NEVER;

import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What runs on request, what is not monitored, and what waits, beside ElasticJob 3.0.4, for {@code docs/performance.md}.
 * As in {@link ComparisonBenchmark}, nothing fails for being slow.
 */
class RequestBenchmark {
    private static final Table TABLE = new Table("On request, unmonitored, and waiting");
    private static final String EVERY_SECOND = "* * * * * ?";
    private static final int WARM_UP = 5;
    private static final int RUNS = 11;
    /** Between two requests: the end of a run is told before the registry knows of it. */
    private static final Duration REST = Duration.ofSeconds(2);

    @AfterAll
    static void write() {
        TABLE.write();
    }

    private record RunCost(double packets, double lastMillis) {}

    @ParameterizedTest
    @CsvSource({
        "1, true, 6, 5",
        "10, true, 6, 5",
        "100, true, 6, 5",
        "1000, true, 10, 5",
        "1, false, 5, 2",
        "10, false, 5, 2",
        "100, false, 5, 2",
        "1000, false, 7, 2"
    })
    void runOnRequest(int items, boolean monitored, int packets, int timesFaster) {
        RunCost ours = runOnRequest(Side.OURS, items, monitored);
        RunCost lite = runOnRequest(Side.ELASTICJOB_LITE, items, monitored);

        String figure = "a run of %,d items on request%s: ".formatted(items, monitored ? "" : ", unmonitored");
        TABLE.add(figure + "packets, the request included", ours.packets(), lite.packets(), packets);
        TABLE.add(
                figure + "from the request to the last item, median, ms",
                ours.lastMillis(),
                lite.lastMillis(),
                lite.lastMillis() / timesFaster);
    }

    private static RunCost runOnRequest(Side side, int items, boolean monitored) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                ContenderProcess contender = ContenderProcess.start(side, settings(server, items, NEVER, monitored))) {
            contender.start();
            request(contender, WARM_UP);
            long before = server.packetsReceived();
            double[] last = request(contender, RUNS);
            return new RunCost((double) (server.packetsReceived() - before) / RUNS, median(last));
        }
    }

    /** The delays of the last items. */
    private static double[] request(ContenderProcess contender, int runs) {
        double[] last = new double[runs];
        for (int run = 0; run < runs; run++) {
            int told = contender.firings().count();
            contender.ask("request");
            last[run] = contender.firings(told + 1).get(told).lastMillis();
            contender.firings().until(Instant.now().plus(REST));
        }
        return last;
    }

    @Test
    void unmonitoredFiring() {
        int items = 100;
        double ours = unmonitoredFiring(Side.OURS, items);
        double lite = unmonitoredFiring(Side.ELASTICJOB_LITE, items);

        TABLE.add("a firing of %,d items, unmonitored: packets".formatted(items), ours, lite, 0);
    }

    private static double unmonitoredFiring(Side side, int items) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                ContenderProcess contender =
                        ContenderProcess.start(side, settings(server, items, EVERY_SECOND, false))) {
            contender.start();
            contender.firings(WARM_UP);
            long before = server.packetsReceived();
            contender.firings(WARM_UP + RUNS);
            return (double) (server.packetsReceived() - before) / RUNS;
        }
    }

    private record Watches(double ofLeader, double ofFollower) {}

    /** By the server's count, in which a persistent watch is two, unless it is recursive. */
    @Test
    void watches() {
        int jobs = 100;
        Watches ours = watches(Side.OURS, jobs);
        Watches lite = watches(Side.ELASTICJOB_LITE, jobs);

        String figure = "watches for each of %d jobs: ".formatted(jobs);
        TABLE.add(figure + "of the process that leads them", ours.ofLeader(), lite.ofLeader(), 3);
        TABLE.add(figure + "of one more process", ours.ofFollower(), lite.ofFollower(), 2);
    }

    private static Watches watches(Side side, int jobs) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                ContenderProcess leader = ContenderProcess.start(side, instance(server, 0, jobs));
                ContenderProcess follower = ContenderProcess.start(side, instance(server, 1, jobs))) {
            leader.start();
            double leads = server.watches();
            follower.start();
            return new Watches(leads / jobs, (server.watches() - leads) / jobs);
        }
    }

    @Test
    void allocations() {
        int jobs = 100;
        double ours = allocatedKilobytes(Side.OURS, jobs);
        double lite = allocatedKilobytes(Side.ELASTICJOB_LITE, jobs);

        TABLE.add("allocated for an execution, all threads, %d jobs each second: KB".formatted(jobs), ours, lite, 16);
    }

    /** Of a minute. */
    private static double allocatedKilobytes(Side side, int jobs) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                ContenderProcess contender = ContenderProcess.start(
                        side, new WorkloadSettings(server.connectString(), 0, jobs, 1, EVERY_SECOND, 1, 0))) {
            contender.start();
            SteadyWork.warmUp(contender);
            long before = contender.stats().allocatedBytes();
            int executions = contender
                    .firings()
                    .until(Instant.now().plus(Duration.ofMinutes(1)))
                    .size();
            return (contender.stats().allocatedBytes() - before) / 1024.0 / executions;
        }
    }

    private static WorkloadSettings settings(ZooKeeperProcess server, int items, String cron, boolean monitored) {
        return new WorkloadSettings(server.connectString(), 0, 1, items, cron, items, 0, monitored);
    }

    private static WorkloadSettings instance(ZooKeeperProcess server, int instance, int jobs) {
        return new WorkloadSettings(server.connectString(), instance, jobs, 4, NEVER, 4, 0);
    }
}
