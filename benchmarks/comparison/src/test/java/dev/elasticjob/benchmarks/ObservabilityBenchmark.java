package dev.elasticjob.benchmarks;

import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * What it costs to observe jobs: the CPU of two Spring Boot applications with the same jobs, one with the starter alone,
 * the other with meters, observations and traces, application events, health, and the event trace in PostgreSQL. They run
 * at the same time, so that both find the same machine. They run for some minutes before they are measured: at first, most
 * of their CPU compiles their code. The servers are not counted. Beside them, a third process does nothing but write the
 * rows of the trace with the bare driver: no event trace with these rows can cost less.
 */
class ObservabilityBenchmark {
    private static final int JOBS = 100;
    private static final Duration WARM_UP = Duration.ofMinutes(5);
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int WINDOWS = 3;
    private static final double LIMIT = 1.25;

    /** CPU seconds of each of the windows. */
    private record CpuSeconds(List<Double> without, List<Double> with, List<Double> rows) {
        private static double mean(List<Double> seconds) {
            return seconds.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        }

        double ratio() {
            return mean(with) / mean(without);
        }
    }

    @Test
    void aHundredJobsEachSecond() {
        CpuSeconds cpu = measure();

        String table = """
                | figure | starter alone | everything on | ratio | must reach | reached |
                |---|---|---|---|---|---|
                | 100 jobs of one item each second: CPU of the client in a minute, s, mean | %s | %s | %s × | ≤ %s × | %s |
                | the same, minute by minute | %s | %s | – | – | – |
                | floor: the rows of the event trace alone, by the bare driver | – | %s | %s × | – | – |
                """.formatted(
                        exact(CpuSeconds.mean(cpu.without())),
                        exact(CpuSeconds.mean(cpu.with())),
                        exact(cpu.ratio()),
                        exact(LIMIT),
                        cpu.ratio() <= LIMIT ? "yes" : "**no**",
                        each(cpu.without()),
                        each(cpu.with()),
                        each(cpu.rows()),
                        exact(1 + CpuSeconds.mean(cpu.rows()) / CpuSeconds.mean(cpu.without())));
        Report.write("What observability costs", table);
        System.out.println("benchmark:\n" + table);
    }

    private static CpuSeconds measure() {
        CpuSeconds cpu = new CpuSeconds(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        try (ContenderServer one = ContenderServer.start(Side.SPRING_BOOT);
                ContenderServer other = ContenderServer.start(Side.OBSERVED);
                ContenderServer database = ContenderServer.postgres();
                ContenderProcess without = start(Side.SPRING_BOOT, one);
                ContenderProcess with = start(Side.OBSERVED, other, "-Dspring.datasource.url=" + database.address())) {
            without.start();
            with.start();
            try (ContenderProcess rows = start(Side.BARE_ROWS, database)) {
                rows.start();
                without.firings().until(Instant.now().plus(WARM_UP));
                for (int window = 0; window < WINDOWS; window++) {
                    measure(cpu, without, with, rows);
                }
            }
        }
        return cpu;
    }

    private static void measure(
            CpuSeconds cpu, ContenderProcess without, ContenderProcess with, ContenderProcess rows) {
        double cpuWithout = without.cpuSeconds();
        double cpuWith = with.cpuSeconds();
        double cpuRows = rows.cpuSeconds();
        int fired = without.firings().until(Instant.now().plus(WINDOW)).size();
        cpu.without().add(without.cpuSeconds() - cpuWithout);
        cpu.with().add(with.cpuSeconds() - cpuWith);
        cpu.rows().add(rows.cpuSeconds() - cpuRows);
        System.out.printf(Locale.ROOT, "benchmark: %,d firings, CPU %s%n", fired, cpu);
    }

    private static ContenderProcess start(Side side, ContenderServer server, String... options) {
        WorkloadSettings settings = new WorkloadSettings(server.address(), 0, JOBS, 1, "* * * * * ?", 1, 0);
        return ContenderProcess.start(side, settings, options);
    }

    private static String each(List<Double> seconds) {
        return String.join(
                " / ", seconds.stream().map(ObservabilityBenchmark::exact).toList());
    }

    private static String exact(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
