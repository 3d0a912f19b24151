package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.HookFinished;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.SharedPlan;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the design may cost, by the server's own count of packets and by transaction numbers. */
@Tag("proof")
class BudgetIT {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobTree REPORT = new JobTree("report");
    private static final String NEVER = "0 0 0 1 1 *";

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());
    private final EventLog events = new EventLog();

    @Test
    void aThousandItemsAreFirstAssignedInOneCommit() {
        start("a@-@1", job("orders", NEVER, 1_000));
        events.await(AssignmentChanged.class, change -> change.items().size() == 1_000);

        long plan = node(TREE.sharding()).mzxid();

        assertThat(createdBy(1_000)).containsExactly(plan);
    }

    @Test
    void theItemsOfALeavingInstanceMoveInOneCommitOfTheLeader() {
        start("a@-@1", job("orders", NEVER, 900));
        start("b@-@1", job("orders", NEVER, 900));
        ElasticJobEngine leaving = start("c@-@1", job("orders", NEVER, 900));
        awaitShares(3, 300);
        long before = node(TREE.sharding()).mzxid();

        leaving.close();
        awaitShares(2, 450);

        Set<Long> moves = changedBy(900).stream().filter(zxid -> zxid > before).collect(Collectors.toSet());
        assertThat(moves).containsExactly(node(TREE.sharding()).mzxid());
    }

    @Test
    void aFiringThatIsNotRecordedCostsOneRead() {
        int firings = 5;
        start(
                "a@-@1",
                job("orders", "* * * * * *", 100).toBuilder()
                        .monitorExecution(false)
                        .build());
        awaitRuns(100, 2);
        long before = server.packetsReceived();

        awaitRuns(100, 2 + firings);
        long packets = server.packetsReceived() - before;

        System.out.printf("a firing that is not recorded costs %.1f packets%n", (double) packets / firings);
        assertThat(packets).isLessThanOrEqualTo(2L * firings);
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "10, 5", "100, 6", "1000, 12"})
    void aFiringCostsFewPackets(int items, int budget) {
        int firings = 5;
        start("a@-@1", job("orders", "* * * * * *", items));
        awaitRuns(items, 2);
        long before = server.packetsReceived();

        awaitRuns(items, 2 + firings);
        long packets = server.packetsReceived() - before;

        System.out.printf("a firing of %d items costs %.1f packets%n", items, (double) packets / firings);
        assertThat(packets).isLessThanOrEqualTo((long) budget * firings);
    }

    /** From the request to the last item: the request, which reads twice and writes twice, included. */
    @ParameterizedTest
    @CsvSource({"1, true, 9", "10, true, 13", "100, true, 13", "1000, true, 18", "1, false, 9", "100, false, 13"})
    void aRunOnRequestCostsFewPackets(int items, boolean monitored, int budget) {
        int runs = 5;
        start(
                "a@-@1",
                job("orders", "0 0 0 1 1 ?", items).toBuilder()
                        .monitorExecution(monitored)
                        .build());
        events.awaitAll(AssignmentChanged.class, change -> change.items().size() == items, 1);
        JobAdmin admin = new RegistryJobAdmin(registry());
        get(admin.trigger("orders"));
        awaitWholeRuns(items, 1);
        long before = server.packetsReceived();
        for (int run = 2; run <= runs + 1; run++) {
            get(admin.trigger("orders"));
            awaitWholeRuns(items, run);
        }
        long packets = server.packetsReceived() - before;

        System.out.printf("a run of %d items on request costs %.1f packets%n", items, (double) packets / runs);
        assertThat(packets).isLessThanOrEqualTo((long) budget * runs);
    }

    /** The leader's reads: one for each limit that passes. Nothing is written while all is well. */
    @ParameterizedTest
    @CsvSource({"PT1H, PT1H, 5", "PT1H, PT1S, 6", "PT1S, PT1S, 6"})
    void aWatchedFiringCostsAReadForEachLimitThatPasses(Duration stuckAfter, Duration expectWithin, int budget) {
        int firings = 5;
        JobDefinition watched = job("orders", "* * * * * *", 10).toBuilder()
                .stuckAfter(stuckAfter)
                .expectWithin(expectWithin)
                .build();
        start("a@-@1", watched);
        awaitRuns(10, 2);
        long before = server.packetsReceived();

        awaitRuns(10, 2 + firings);
        long packets = server.packetsReceived() - before;

        System.out.printf(
                "a firing of a job that is watched (%s, %s) costs %.1f packets%n",
                stuckAfter, expectWithin, (double) packets / firings);
        assertThat(packets).isLessThanOrEqualTo((long) budget * firings + 1);
        assertThat(get(registry().read(List.of(RegistryRead.data(TREE.watchdog()))))
                        .node(TREE.watchdog()))
                .isEmpty();
    }

    @ParameterizedTest
    // A sixth firing of the follower may have begun within the time of five.
    @CsvSource({"1, 12", "100, 18"})
    void aFiringThatAnotherJobFollowsCostsFewPacketsMore(int items, int budget) {
        int firings = 5;
        start("a@-@1", job("orders", "* * * * * *", items));
        isFollowed();
        awaitRuns(items, 4);
        int told = told();
        long before = server.packetsReceived();

        awaitRuns(items, 4 + firings);
        long packets = server.packetsReceived() - before;

        System.out.printf(
                "a firing of %d items that another job follows costs %.1f packets%n",
                items, (double) packets / firings);
        assertThat(packets).isLessThanOrEqualTo((long) budget * firings);
        assertThat(told() - told).isBetween(firings - 1, firings + 1);
    }

    /** By a job that no instance runs: so what it has to run for stays. */
    private void isFollowed() {
        JobDefinition report = JobDefinition.builder("report")
                .after(AfterSettings.of("orders"))
                .build();
        RegistryCommit commit = RegistryCommit.builder()
                .create(REPORT.root())
                .create(REPORT.extension(), new JobDefinitionCodec().extension(report, Optional.empty()))
                .create(REPORT.after())
                .create(TREE.followers())
                .create(TREE.follower("report"))
                .create(TREE.necessary())
                .build();
        assertThat(get(registry().commit(commit)).isCommitted()).isTrue();
    }

    private int told() {
        return get(registry().read(List.of(RegistryRead.children(REPORT.after()))))
                .children(REPORT.after())
                .size();
    }

    @Test
    void clusterListenersCostFourTransactionsForAFiring() {
        int firings = 5;
        ElasticJobEngine engine = ElasticJobEngine.builder(registry())
                .instanceId("a@-@1")
                .ip("10.0.0.1")
                .listener(events)
                .clusterListeners(List.of(new ClusterJobListener() {}))
                .build();
        opened.add(engine);
        engine.register(job("orders", "* * * * * *", 10), context -> {});
        get(engine.start());
        events.awaitAll(HookFinished.class, call -> call.kind() == HookKind.AFTER, 2);
        int before = node(TREE.firings()).version();

        events.awaitAll(HookFinished.class, call -> call.kind() == HookKind.AFTER, 2 + firings);
        int transactions = node(TREE.firings()).version() - before;

        System.out.printf("cluster listeners cost %.1f transactions for a firing%n", (double) transactions / firings);
        // What is counted begins and ends in the midst of a firing.
        assertThat(transactions).isBetween(4 * firings - 3, 4 * firings + 3);
    }

    @Test
    void aHundredJobsOfOneProcessStartWithFewPacketsAndThreads() {
        int jobs = 100;
        Registry registry = registry();
        ElasticJobEngine engine = engine(registry, "a@-@1");
        for (int job = 0; job < jobs; job++) {
            engine.register(job("job-" + job, NEVER, 4), context -> {});
        }
        long packets = server.packetsReceived();

        get(engine.start());
        events.awaitAll(AssignmentChanged.class, change -> change.items().size() == 4, jobs);
        long taken = server.packetsReceived() - packets;
        long threads = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> isOfTheEngine(thread.getName()))
                .count();

        System.out.printf("%d jobs of 4 items start with %d packets and %d threads%n", jobs, taken, threads);
        assertThat(taken).isLessThanOrEqualTo(1_500);
        assertThat(threads).isLessThanOrEqualTo(25);
    }

    /**
     * Those that start while a plan is made wait for the next one, so that how many plans there are depends on how far
     * apart they start: one if they start together, one for each if each starts when the last one has its items.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    void sixteenInstancesStartWithFewPackets(int atOnce) {
        int instances = 16;
        List<ElasticJobEngine> engines = new ArrayList<>();
        for (int instance = 0; instance < instances; instance++) {
            ElasticJobEngine engine = engine(registry(), (char) ('a' + instance) + "@-@1");
            engine.register(job("orders", NEVER, 4), context -> {});
            engines.add(engine);
        }
        long before = server.packetsReceived();

        for (int started = 0; started < instances; started += atOnce) {
            engines.subList(started, started + atOnce).stream()
                    .map(ElasticJobEngine::start)
                    .toList()
                    .forEach(BudgetIT::get);
            awaitPlan(started + atOnce, 4);
        }
        long packets = server.packetsReceived() - before;
        int plans = node(TREE.sharding()).version();

        System.out.printf("%d instances of a job start with %d packets and %d plans%n", instances, packets, plans);
        // Each instance reads each plan once more.
        assertThat(packets).isLessThanOrEqualTo(24L * instances + (long) instances * (plans - 1));
    }

    @Test
    void aThousandItemsAreDividedAnewWithFewPackets() {
        int items = 1_000;
        for (int instance = 0; instance < 7; instance++) {
            start((char) ('a' + instance) + "@-@1", job("orders", NEVER, items));
        }
        ElasticJobEngine joining = engine(registry(), "h@-@1");
        joining.register(job("orders", NEVER, items), context -> {});
        awaitPlan(7, items);
        long before = server.packetsReceived();

        get(joining.start());
        awaitPlan(8, items);
        long packets = server.packetsReceived() - before;

        System.out.printf("%d items are divided anew among 8 instances with %d packets%n", items, packets);
        assertThat(packets).isLessThanOrEqualTo(100);
    }

    @Test
    void aHundredJobsThatFireEachSecondCostFewPackets() {
        int jobs = 100;
        int firings = 5;
        ElasticJobEngine engine = engine(registry(), "a@-@1");
        for (int job = 0; job < jobs; job++) {
            engine.register(job("job-" + job, "* * * * * *", 1), context -> {});
        }
        get(engine.start());
        awaitRuns(1, 3 * jobs);
        long before = server.packetsReceived();

        awaitRuns(1, (3 + firings) * jobs);
        long packets = server.packetsReceived() - before;

        System.out.printf("a run of one of %d jobs costs %.2f packets%n", jobs, (double) packets / firings / jobs);
        // What is counted begins and ends in the midst of a firing of some jobs.
        assertThat(packets).isLessThanOrEqualTo((firings + 1) * jobs / 2L);
    }

    /** The test's own server may live in this JVM too; its threads are not the engine's. */
    private static boolean isOfTheEngine(String thread) {
        return thread.startsWith("elasticjob-")
                || thread.contains("Curator")
                || thread.contains("ConnectionStateManager")
                || thread.contains("-SendThread")
                || thread.contains("-EventThread");
    }

    // ------------------------------------------------------------------ sentences

    private void awaitRuns(int items, int firings) {
        events.awaitAll(ItemFinished.class, run -> run.item() == items - 1, firings);
    }

    private void awaitWholeRuns(int items, int runs) {
        events.awaitAll(ItemFinished.class, any -> true, items * runs);
    }

    private void awaitShares(int instances, int itemsEach) {
        events.awaitThat(instances + " × " + itemsEach + " items", told -> {
            List<AssignmentChanged> changes = EventLog.only(AssignmentChanged.class, told);
            int newest =
                    changes.stream().mapToInt(AssignmentChanged::epoch).max().orElse(0);
            return changes.stream()
                            .filter(change ->
                                    change.epoch() == newest && change.items().size() == itemsEach)
                            .count()
                    == instances;
        });
    }

    /** Waits until so many instances know the newest plan, and share all items. */
    private void awaitPlan(int instances, int items) {
        events.awaitThat(
                instances + " instances that share " + items + " items",
                told -> SharedPlan.isKnown(EventLog.only(AssignmentChanged.class, told), instances, items));
    }

    /** The transactions that created the items and the nodes that show their owners. */
    private Set<Long> createdBy(int items) {
        return nodes(items).stream().map(RegistryNode::czxid).collect(Collectors.toSet());
    }

    /** The transactions that last changed them. */
    private Set<Long> changedBy(int items) {
        return nodes(items).stream().map(RegistryNode::mzxid).collect(Collectors.toSet());
    }

    private List<RegistryNode> nodes(int items) {
        List<String> paths = IntStream.range(0, items)
                .boxed()
                .flatMap(item -> List.of(TREE.item(item), TREE.owner(item)).stream())
                .toList();
        RegistryAnswer answer =
                get(registry().read(paths.stream().map(RegistryRead::data).toList()));
        return paths.stream().map(path -> answer.node(path).orElseThrow()).toList();
    }

    private RegistryNode node(String path) {
        return get(registry().read(List.of(RegistryRead.data(path)))).node(path).orElseThrow();
    }

    private static JobDefinition job(String name, String cron, int items) {
        return JobDefinition.builder(name).cron(cron).shardingTotalCount(items).build();
    }

    private ElasticJobEngine start(String instance, JobDefinition definition) {
        ElasticJobEngine engine = engine(registry(), instance);
        engine.register(definition, context -> {});
        get(engine.start());
        return engine;
    }

    private ElasticJobEngine engine(Registry registry, String instance) {
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .ip("10.0.0." + (instance.charAt(0) - 'a' + 1))
                .listener(events)
                .build();
        opened.add(engine);
        return engine;
    }

    private Registry registry() {
        Registry registry = CuratorRegistry.connect(RegistrySettings.of(server.connectString(), "shop"));
        opened.add(registry);
        return registry;
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
}
