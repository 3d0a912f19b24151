package dev.elasticjob.benchmarks;

import static dev.elasticjob.benchmarks.Measures.median;

import dev.elasticjob.benchmarks.Firings.Firing;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The same work by schedulers that coordinate through a database, for orientation. Each contender has a server of its
 * own and a JVM of its own, one after the other.
 */
class PostgresBenchmark {
    private static final PeersTable TABLE = new PeersTable();
    private static final String EVERY_SECOND = "* * * * * ?";
    private static final String EVERY_TEN_SECONDS = "0/10 * * * * ?";
    private static final int WARM_UP = 3;
    private static final int FIRINGS = 5;

    @AfterAll
    static void write() {
        TABLE.write();
    }

    @Test
    void aHundredJobsEachSecond() {
        Map<Side, SteadyWork> work = byEach(side -> steady(side, 100, 60));

        String figure = "100 jobs of one item each second, for a minute: ";
        TABLE.add(figure + "due firings that ran in that time, %", work, SteadyWork::runPercent);
        TABLE.add(figure + "lateness, median, ms", work, SteadyWork::p50Millis);
        TABLE.add(figure + "lateness, p99, ms", work, SteadyWork::p99Millis);
        TABLE.add(figure + "CPU of the client, s", work, SteadyWork::cpuSeconds);
    }

    @Test
    void aThousandJobsEachSecond() {
        Map<Side, SteadyWork> work = byEach(side -> steady(side, 1_000, 20));

        String figure = "1,000 jobs of one item each second, for 20 s: ";
        TABLE.add(figure + "executions per second", work, SteadyWork::perSecond);
        TABLE.add(figure + "due firings that ran in that time, %", work, SteadyWork::runPercent);
        TABLE.add(figure + "lateness, median, ms", work, SteadyWork::p50Millis);
        TABLE.add(figure + "CPU of the client, s in a minute", work, SteadyWork::cpuSeconds);
    }

    @Test
    void firingOfAThousandItems() {
        Map<Side, Double> millis = byEach(side -> firing(side, 1_000));

        TABLE.add(
                "a firing of 1,000 items: from the scheduled time to the last one done, median, ms",
                millis,
                Double::doubleValue);
    }

    private static <T> Map<Side, T> byEach(Function<Side, T> measure) {
        Map<Side, T> measured = new EnumMap<>(Side.class);
        for (Side side : PeersTable.COLUMNS) {
            measured.put(side, measure.apply(side));
        }
        return measured;
    }

    private static SteadyWork steady(Side side, int jobs, int seconds) {
        try (ContenderServer server = ContenderServer.start(side);
                ContenderProcess contender = ContenderProcess.start(side, settings(server, jobs, 1, EVERY_SECOND))) {
            contender.start();
            SteadyWork.warmUp(contender);
            return SteadyWork.watch(contender, jobs, seconds);
        }
    }

    private static double firing(Side side, int items) {
        try (ContenderServer server = ContenderServer.start(side);
                ContenderProcess contender =
                        ContenderProcess.start(side, settings(server, 1, items, EVERY_TEN_SECONDS))) {
            contender.start();
            return median(contender.firings(WARM_UP + FIRINGS).stream()
                    .skip(WARM_UP)
                    .mapToDouble(Firing::lastMillis)
                    .toArray());
        }
    }

    private static WorkloadSettings settings(ContenderServer server, int jobs, int items, String cron) {
        return new WorkloadSettings(server.address(), 0, jobs, items, cron, items, 0);
    }
}
