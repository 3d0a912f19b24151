package dev.elasticjob.benchmarks;

import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What the starter adds to the CPU that an application needs to start: two Spring Boot applications, one without the
 * starter, the other with it and one job, until that job has run for the first time. They start in pairs, one after the
 * other and in alternating order, so that other work on the machine slows down both. Each has its JVM's default options,
 * and the one with jobs a new ZooKeeper in a process of its own, which is not counted.
 */
class StartBenchmark {
    private static final int PAIRS = Integer.getInteger("pairs", 10);
    private static final double LIMIT = 1;

    /** CPU seconds of the two applications of a pair. */
    private record Pair(double plain, double jobs) {
        double added() {
            return jobs - plain;
        }
    }

    @Test
    void anApplicationWithOneJob() {
        List<Pair> pairs = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            pairs.add(pair % 2 == 0 ? plainFirst() : jobsFirst());
            System.out.println("benchmark: " + pairs.get(pair));
        }

        double added = median(pairs.stream().map(Pair::added).toList());
        String table = """
                | figure | without the starter | one job | added, median of %d pairs | must reach | reached |
                |---|---|---|---|---|---|
                | an application started, to the end of the first firing: CPU, s | %s | %s | %s | ≤ %s | %s |
                """.formatted(
                        PAIRS,
                        exact(median(pairs.stream().map(Pair::plain).toList())),
                        exact(median(pairs.stream().map(Pair::jobs).toList())),
                        exact(added),
                        exact(LIMIT),
                        added <= LIMIT ? "yes" : "**no**");
        Report.write("What the starter adds to a start", table);
        System.out.println("benchmark:\n" + table);
    }

    private static Pair plainFirst() {
        double plain = plain();
        return new Pair(plain, jobs());
    }

    private static Pair jobsFirst() {
        double jobs = jobs();
        return new Pair(plain(), jobs);
    }

    private static double plain() {
        try (ContenderProcess application = ContenderProcess.start(Side.PLAIN_SPRING_BOOT, oneJob("none"))) {
            return application.cpuSeconds();
        }
    }

    private static double jobs() {
        try (ContenderServer server = ContenderServer.start(Side.SPRING_BOOT);
                ContenderProcess application = ContenderProcess.start(Side.SPRING_BOOT, oneJob(server.address()))) {
            application.start();
            application.firings(1);
            return application.cpuSeconds();
        }
    }

    private static WorkloadSettings oneJob(String registry) {
        return new WorkloadSettings(registry, 0, 1, 1, "* * * * * ?", 1, 0);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return IntStream.of((sorted.size() - 1) / 2, sorted.size() / 2)
                .mapToDouble(sorted::get)
                .average()
                .orElseThrow();
    }

    private static String exact(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
