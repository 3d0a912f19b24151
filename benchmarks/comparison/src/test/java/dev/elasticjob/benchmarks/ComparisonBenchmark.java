package dev.elasticjob.benchmarks;

import static dev.elasticjob.benchmarks.Measures.median;
import static dev.elasticjob.benchmarks.Measures.medianMillis;
import static dev.elasticjob.benchmarks.Measures.millis;
import static dev.elasticjob.benchmarks.Report.NONE;
import static dev.elasticjob.benchmarks.workload.WorkloadSettings.NEVER;

import dev.elasticjob.benchmarks.ContenderProcess.Stats;
import dev.elasticjob.benchmarks.Firings.Firing;
import dev.elasticjob.benchmarks.workload.WorkloadSettings;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of {@code docs/performance.md}: {@code mvn -Pbenchmarks verify}. Each figure has a server of its own, and each
 * contender a JVM of its own; they take turns. Nothing here fails for being slow: the counts are guarded by the core's
 * {@code BudgetIT}.
 */
class ComparisonBenchmark {
    private static final Table TABLE = new Table("Beside ElasticJob 3.0.4");
    private static final String EVERY_FIVE_SECONDS = "0/5 * * * * ?";
    private static final String EVERY_SECOND = "* * * * * ?";
    private static final int WARM_UP = 3;
    private static final int FIRINGS = 5;

    @AfterAll
    static void write() {
        TABLE.write();
    }

    // ------------------------------------------------------------------ firings

    private record FiringCost(double packets, double lastMillis) {}

    @ParameterizedTest
    @CsvSource({"1, 4", "10, 5", "100, 6", "1000, 12"})
    void firing(int items, int budget) {
        FiringCost ours = firing(Side.OURS, items);
        FiringCost lite = firing(Side.ELASTICJOB_LITE, items);
        double bare = bareFiring(items);

        String figure = "a firing of %,d items: ".formatted(items);
        TABLE.add(figure + "packets", ours.packets(), OptionalDouble.of(lite.packets()), OptionalDouble.of(2), budget);
        TABLE.add(
                figure + "from the scheduled time to the last one done, median, ms",
                ours.lastMillis(),
                OptionalDouble.of(lite.lastMillis()),
                OptionalDouble.of(bare),
                Math.max(3 * bare, 10));
    }

    private static FiringCost firing(Side side, int items) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                ContenderProcess contender =
                        ContenderProcess.start(side, settings(server, 1, items, EVERY_FIVE_SECONDS))) {
            contender.start();
            contender.firings(WARM_UP);
            long before = server.packetsReceived();
            List<Firing> firings = contender.firings(WARM_UP + FIRINGS);
            double packets = (double) (server.packetsReceived() - before) / FIRINGS;
            double[] last = firings.stream()
                    .skip(WARM_UP)
                    .mapToDouble(Firing::lastMillis)
                    .toArray();
            return new FiringCost(packets, median(last));
        }
    }

    private static double bareFiring(int items) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                BareTransactions bare = new BareTransactions(server.connectString(), "/bare")) {
            bare.prepare(items);
            return medianMillis(() -> bare.fire(items));
        }
    }

    // ------------------------------------------------------------------ starts

    private record StartCost(double millis, double packets, Stats stats) {}

    @Test
    void startOfAHundredJobs() {
        StartCost ours = start(Side.OURS, 100);
        StartCost lite = start(Side.ELASTICJOB_LITE, 100);

        String figure = "100 jobs of 4 items started: ";
        TABLE.add(figure + "ms", ours.millis(), lite.millis(), lite.millis() / 10);
        TABLE.add(figure + "packets", ours.packets(), lite.packets(), 1_500);
        TABLE.add(figure + "threads", ours.stats().threads(), lite.stats().threads(), 25);
    }

    @ParameterizedTest
    @CsvSource({"1000, 6000, 512", "10000, 60000, 512"})
    void startOfManyJobs(int jobs, int millis, int megabytes) {
        StartCost ours = start(Side.OURS, jobs, "-Xmx512m");

        String figure = "%,d jobs of 4 items started, in 512 MB: ".formatted(jobs);
        TABLE.add(figure + "ms", ours.millis(), millis);
        TABLE.add(figure + "packets", ours.packets(), 15.0 * jobs);
        TABLE.add(figure + "threads", ours.stats().threads(), 25);
        TABLE.add(figure + "heap after collection, MB", ours.stats().heapMegabytes(), megabytes);
    }

    private static StartCost start(Side side, int jobs, String... options) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                ContenderProcess contender = ContenderProcess.start(side, settings(server, jobs, 4, NEVER), options)) {
            long before = server.packetsReceived();
            long millis = contender.start();
            double packets = server.packetsReceived() - before;
            return new StartCost(millis, packets, contender.stats());
        }
    }

    /** To the end of the first firing: the peer divides its items no earlier. */
    @Test
    void startOfACluster() {
        double ours = cluster(Side.OURS, 16);
        double lite = cluster(Side.ELASTICJOB_LITE, 16);

        TABLE.add("16 instances started, one job of 4 items, to the end of its first firing: packets", ours, lite, 400);
    }

    private static double cluster(Side side, int instances) {
        List<ContenderProcess> processes = new ArrayList<>();
        Heard<List<String>> said = new Heard<>();
        try (ZooKeeperProcess server = ZooKeeperProcess.start()) {
            for (int instance = 0; instance < instances; instance++) {
                processes.add(ContenderProcess.start(
                        side,
                        new WorkloadSettings(server.connectString(), instance, 1, 4, "0/20 * * * * ?", 1, 0),
                        said::add,
                        "-Xmx128m",
                        "-XX:+UseSerialGC"));
            }
            long before = server.packetsReceived();
            processes.forEach(process -> process.ask("start"));
            processes.forEach(ContenderProcess::startedMillis);
            said.await(
                    "four executions",
                    all -> all.stream()
                                    .filter(line -> line.get(0).equals("FIRED"))
                                    .count()
                            >= 4);
            return server.packetsReceived() - before;
        } finally {
            processes.forEach(ContenderProcess::close);
        }
    }

    // ------------------------------------------------------------------ many firings

    private static final String RAN = "due firings that ran, %";

    private record SteadyCost(SteadyWork work, double packetsPerRun) {}

    @Test
    void aHundredJobsEachSecond() {
        SteadyCost ours = steady(Side.OURS, 100);
        SteadyCost lite = steady(Side.ELASTICJOB_LITE, 100);

        String figure = "100 jobs of one item each second, for a minute: ";
        TABLE.add(
                figure + "lateness, median, ms",
                ours.work().p50Millis(),
                lite.work().p50Millis(),
                10);
        TABLE.add(
                figure + "lateness, p99, ms",
                ours.work().p99Millis(),
                lite.work().p99Millis(),
                50);
        TABLE.add(figure + "packets per run", ours.packetsPerRun(), lite.packetsPerRun(), 3);
        TABLE.add(
                figure + "CPU of the client, s",
                ours.work().cpuSeconds(),
                lite.work().cpuSeconds(),
                6);
    }

    /** Without the peer's lateness, which is never shown as more than a second. */
    @Test
    void fiveHundredJobsEachSecond() {
        SteadyCost ours = steady(Side.OURS, 500);
        SteadyCost lite = steady(Side.ELASTICJOB_LITE, 500);

        String figure = "500 jobs of one item each second, for a minute: ";
        TABLE.addPercent(
                figure + RAN,
                ours.work().runPercent(),
                OptionalDouble.of(lite.work().runPercent()));
        TABLE.add(figure + "lateness, p99, ms", ours.work().p99Millis(), 1_000);
        TABLE.add(figure + "packets per run", ours.packetsPerRun(), lite.packetsPerRun(), 3);
    }

    @Test
    void aThousandJobsEachSecond() {
        SteadyCost ours = steady(Side.OURS, 1_000);

        String figure = "1,000 jobs of one item each second, for a minute: ";
        TABLE.addPercent(figure + RAN, ours.work().runPercent(), OptionalDouble.empty());
        TABLE.add(figure + "lateness, p99, ms", ours.work().p99Millis(), 1_000);
        TABLE.add(figure + "packets per run", ours.packetsPerRun(), 3);
    }

    /** Of a minute. */
    private static SteadyCost steady(Side side, int jobs) {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                ContenderProcess contender = ContenderProcess.start(side, settings(server, jobs, 1, EVERY_SECOND))) {
            contender.start();
            SteadyWork.warmUp(contender);
            long before = server.packetsReceived();
            SteadyWork work = SteadyWork.watch(contender, jobs, 60);
            double packets = server.packetsReceived() - before;
            return new SteadyCost(work, packets / work.executions());
        }
    }

    // ------------------------------------------------------------------ resharding

    @ParameterizedTest
    @CsvSource({"1000, 8, 100, 10", "10000, 20, 115, 0"})
    void reshard(int items, int instances, int packets, int times) throws Exception {
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                BareTransactions bare = new BareTransactions(server.connectString(), "/bare");
                OurCluster cluster = new OurCluster(settings(server, 1, items, NEVER))) {
            bare.prepare(items);
            double shown = medianMillis(() -> bare.show(items));
            List<Runnable> members = IntStream.range(1, instances)
                    .mapToObj(any -> cluster.prepare())
                    .toList();
            members.forEach(Runnable::run);
            Runnable joins = cluster.prepare();
            cluster.awaitShared(instances - 1);
            cluster.awaitShown();
            long before = server.packetsReceived();

            double took = millis(() -> {
                joins.run();
                cluster.awaitShared(instances);
                cluster.awaitShown();
            });

            String figure = "%,d items, one more joins %d instances: ".formatted(items, instances - 1);
            TABLE.add(figure + "packets of all", server.packetsReceived() - before, packets);
            TABLE.add(
                    figure + "ms",
                    took,
                    OptionalDouble.empty(),
                    OptionalDouble.of(shown),
                    times == 0 ? 2_000 : times * shown);
        }
    }

    // ------------------------------------------------------------------ failover

    /** Two instances execute a hundred items each when one of them dies. */
    @Test
    void failover() {
        int orphans = 100;
        try (ZooKeeperProcess server = ZooKeeperProcess.start();
                BareTransactions bare = new BareTransactions(server.connectString(), "/bare");
                Registry registry = CuratorRegistry.connect(RegistrySettings.of(server.connectString(), "benchmark"));
                ContenderProcess survivor = ContenderProcess.start(Side.OURS, half(server, 0, orphans));
                ContenderProcess victim = ContenderProcess.start(Side.OURS, half(server, 1, orphans))) {
            bare.prepare(orphans);
            double times = medianMillis(() -> bare.fire(orphans));
            survivor.start();
            victim.start();
            survivor.firings(1);
            victim.firings(1);
            String node = new JobTree("job-0").instance(half(server, 1, orphans).ip() + "@-@1");
            CompletableFuture<Void> gone = registry.awaitAbsence(node).toCompletableFuture();

            victim.close();
            gone.join();
            long before = server.packetsReceived();
            double took = millis(() -> survivor.firings(2));

            String figure = "%d orphans of a dead instance, from its node's end: ".formatted(orphans);
            TABLE.add(figure + "packets to the start of the last one", server.packetsReceived() - before, 10);
            TABLE.add(
                    figure + "ms to the start of the last one",
                    took,
                    OptionalDouble.empty(),
                    OptionalDouble.of(times),
                    100 + times);
        }
    }

    /** Both join before the firing: a second is too short for that, a minute too long to wait. */
    private static WorkloadSettings half(ZooKeeperProcess server, int instance, int items) {
        return new WorkloadSettings(server.connectString(), instance, 1, 2 * items, "0/20 * * * * ?", items, 120_000);
    }

    // ------------------------------------------------------------------ the server

    /** What one server carries when it does nothing else: claims and completions of so many items, by eight clients. */
    @ParameterizedTest
    @CsvSource({"1, 2000", "100, 50"})
    void ceiling(int items, int firings) {
        int clients = 8;
        List<BareTransactions> bare = new ArrayList<>();
        try (ZooKeeperProcess server = ZooKeeperProcess.start()) {
            for (int client = 0; client < clients; client++) {
                BareTransactions one = new BareTransactions(server.connectString(), "/bare-" + client);
                one.prepare(items);
                bare.add(one);
            }
            double took = millis(() -> {
                CompletableFuture<?>[] all = bare.stream()
                        .map(one -> CompletableFuture.runAsync(
                                () -> IntStream.range(0, firings).forEach(firing -> one.fire(items)),
                                task -> new Thread(task, "client").start()))
                        .toArray(CompletableFuture[]::new);
                CompletableFuture.allOf(all).join();
            });
            TABLE.add(new Table.Row(
                    "a server with nothing else to do, 8 clients: firings of %,d items per second".formatted(items),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.of(clients * firings * 1_000 / took),
                    NONE,
                    NONE,
                    true));
        } finally {
            bare.forEach(BareTransactions::close);
        }
    }

    // ------------------------------------------------------------------ sentences

    private static WorkloadSettings settings(ZooKeeperProcess server, int jobs, int items, String cron) {
        return new WorkloadSettings(server.connectString(), 0, jobs, items, cron, items, 0);
    }
}
