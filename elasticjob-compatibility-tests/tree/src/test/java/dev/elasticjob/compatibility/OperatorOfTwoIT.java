package dev.elasticjob.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.StateChanged;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tools of 2.1.5 see our jobs as their own, and what they do is followed. */
@Tag("proof")
class OperatorOfTwoIT {
    private static final String NAMESPACE = "shop";
    private static final String ONCE_A_YEAR = "0 0 0 1 1 ?";
    private static final String EVERY_SECOND = "* * * * * ?";
    private static final JobTree TREE = new JobTree("orders");
    private static final UnaryOperator<ElasticJobEngineBuilder> HERE =
            engine -> engine.labels(Map.of("zone", "a", "disk", "ssd")).capacity(4);
    private static final UnaryOperator<ElasticJobEngineBuilder> THERE =
            engine -> engine.labels(Map.of("zone", "b")).capacity(8).rebalanceDelay(Duration.ofHours(1));

    private static TestZooKeeper server;
    private static Operator operator;

    private final Heard<JobEvent> events = new Heard<>();
    private final Heard<ShardingContext> runs = new Heard<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Registry registry;

    @BeforeAll
    static void startServerAndOperator() {
        server = TestZooKeeper.start();
        operator = new Operator(server.connectString(), NAMESPACE);
    }

    @AfterAll
    static void endServerAndOperator() throws IOException {
        operator.close();
        server.close();
    }

    @BeforeEach
    void connect() {
        registry = registry();
    }

    @AfterEach
    void removeTheJobs() throws Exception {
        for (int i = opened.size() - 1; i > 0; i--) {
            opened.get(i).close();
        }
        if (!children(TREE.root()).isEmpty()) {
            get(new RegistryJobAdmin(registry).remove("orders"));
        }
        registry.close();
    }

    // ------------------------------------------------------------------ what he sees

    @Test
    void ourJobIsOnHisList() {
        start("a@-@1", job(ONCE_A_YEAR, 4));

        assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t4\t1");
    }

    @Test
    void aJobOfAKindHeDoesNotKnowBreaksNothingAndIsNotOnHisList() throws Exception {
        start("a@-@1", job(ONCE_A_YEAR, 4));
        try (ElasticJobEngine other = engine("a@-@1")) {
            other.register(JobDefinition.builder("billing")
                    .jobType(JobType.HTTP)
                    .cron(ONCE_A_YEAR)
                    .http(HttpRequestSettings.of("http://localhost:1/close-day"))
                    .build());
            get(other.start());

            assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t4\t1");

            get(other.admin().remove("billing"));
        }
    }

    @Test
    void ourServersAreOnHisList() {
        start("10.0.0.1@-@1", job(ONCE_A_YEAR, 4));

        assertThat(operator.does("servers")).containsExactly("10.0.0.1\t1\t1\t0");
    }

    @Test
    void everySettingHeKnowsIsReadByHisOwnReader() {
        start(
                "a@-@1",
                job(ONCE_A_YEAR, 2).toBuilder()
                        .jobClass("shop.Orders")
                        .shardingItemParameters("0=north,1=south")
                        .jobParameter("p")
                        .failover(true)
                        .misfire(false)
                        .description("d")
                        .jobProperties(Map.of("our.own", "kept apart"))
                        .build());

        assertThat(operator.does("settings", "orders"))
                .containsExactly(
                        "type\tSIMPLE",
                        "class\tshop.Orders",
                        "cron\t0 0 0 1 1 ?",
                        "count\t2",
                        "item parameters\t0=north,1=south",
                        "parameter\tp",
                        "monitored\ttrue",
                        "misfires\tfalse",
                        "fails over\ttrue",
                        "streaming\tfalse",
                        "strategy\t",
                        "reconcile\t10",
                        "description\td");
    }

    @Test
    void aDataflowJobIsReadByHisOwnReader() {
        JobDefinition dataflow = job(ONCE_A_YEAR, 1).toBuilder()
                .jobType(JobType.DATAFLOW)
                .streamingProcess(true)
                .build();
        ElasticJobEngine engine = engine("a@-@1");
        engine.register(dataflow, new Nothing());
        get(engine.start());

        assertThat(operator.does("settings", "orders")).contains("type\tDATAFLOW", "streaming\ttrue");
    }

    /** He shows an instance by its server and the end of its id. */
    @Test
    void heSeesWhoOwnsWhichItem() {
        start("10.0.0.1@-@1", job(ONCE_A_YEAR, 2));
        start("10.0.0.2@-@1", job(ONCE_A_YEAR, 2));
        awaitEvent(
                AssignmentChanged.class,
                change -> change.items().size() == 1 && change.instance().equals("10.0.0.2@-@1"));

        operator.does("disable item", "orders", "1");

        assertThat(operator.does("sharding", "orders"))
                .containsExactly("0\t10.0.0.2\t1\tPENDING", "1\t10.0.0.1\t1\tDISABLED");
    }

    @Test
    void heSeesACancelledItemRunUntilItsThreadHasReturned() {
        CountDownLatch released = new CountDownLatch(1);
        Heard<String> told = new Heard<>();
        ElasticJobEngine engine = engine("10.0.0.1@-@1");
        engine.register(job(ONCE_A_YEAR, 1), context -> {
            told.add("begins");
            try {
                released.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException ignored) {
                told.add("interrupted");
                released.await(60, TimeUnit.SECONDS);
            }
        });
        get(engine.start());
        awaitEvent(AssignmentChanged.class, change -> !change.items().isEmpty());
        get(engine.admin().trigger("orders"));
        told.await("its start", all -> all.contains("begins"));

        get(engine.admin().cancel("orders", CancelRequest.item(0)));
        told.await("its interruption", all -> all.contains("interrupted"));
        List<String> meanwhile = operator.does("sharding", "orders");
        released.countDown();
        awaitEvent(JobEvent.ItemCancelled.class, any -> true);

        assertThat(meanwhile).containsExactly("0\t10.0.0.1\t1\tRUNNING");
        assertThat(operator.does("sharding", "orders")).containsExactly("0\t10.0.0.1\t1\tPENDING");
        assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t1\t1");
    }

    /** He knows no pause: to him, a job whose items have no instance is about to be sharded. */
    @Test
    void aPausedJobIsShownAsOneThatWaitsForItsSharding() {
        start("10.0.0.1@-@1", job(ONCE_A_YEAR, 2));
        RegistryJobAdmin admin = new RegistryJobAdmin(registry);

        get(admin.pause("orders"));
        List<String> job = operator.does("jobs");
        List<String> items = operator.does("sharding", "orders");
        get(admin.resume("orders"));
        awaitEvents(AssignmentChanged.class, change -> change.items().size() == 2, 2);

        assertThat(job).containsExactly("orders\tSHARDING_FLAG\t0 0 0 1 1 ?\t2\t1");
        assertThat(items).containsExactly("0\tnull\tnull\tSHARDING_FLAG", "1\tnull\tnull\tSHARDING_FLAG");
        assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t2\t1");
    }

    @Test
    void aPausedNamespaceBreaksNothingOnHisList() {
        start("10.0.0.1@-@1", job(ONCE_A_YEAR, 2));
        RegistryJobAdmin admin = new RegistryJobAdmin(registry);

        get(admin.pauseAll());
        List<String> jobs = operator.does("jobs");
        List<String> servers = operator.does("servers");
        get(admin.resumeAll());
        awaitEvents(AssignmentChanged.class, change -> change.items().size() == 2, 2);

        assertThat(jobs).containsExactly("orders\tSHARDING_FLAG\t0 0 0 1 1 ?\t2\t1");
        assertThat(servers).containsExactly("10.0.0.1\t1\t1\t0");
        assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t2\t1");
    }

    @Test
    void aDrainedInstanceStaysOnHisListAndOwnsNoItem() {
        start("10.0.0.1@-@1", job(ONCE_A_YEAR, 2));
        start("10.0.0.2@-@1", job(ONCE_A_YEAR, 2));
        awaitEvent(
                AssignmentChanged.class,
                change -> change.items().size() == 1 && change.instance().equals("10.0.0.2@-@1"));

        get(new RegistryJobAdmin(registry).drain("orders", "10.0.0.2@-@1"));

        assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t2\t2");
        assertThat(operator.does("sharding", "orders"))
                .containsExactly("0\t10.0.0.1\t1\tPENDING", "1\t10.0.0.1\t1\tPENDING");
        assertThat(operator.does("servers")).containsExactly("10.0.0.1\t1\t1\t0", "10.0.0.2\t1\t1\t0");
    }

    @Test
    void aJobThatIsDisabledOnAllServersIsDisabledToHimToo() {
        ElasticJobEngine engine = start("10.0.0.1@-@1", job(ONCE_A_YEAR, 1));
        RegistryJobAdmin admin = new RegistryJobAdmin(registry);

        get(admin.disable("orders"));
        List<String> ours = operator.does("jobs");
        awaitEvent(AssignmentChanged.class, change -> change.items().isEmpty());
        events.clear();
        get(admin.enable("orders"));
        List<String> enabled = operator.does("jobs");
        awaitEvent(AssignmentChanged.class, change -> !change.items().isEmpty());
        events.clear();
        operator.does("disable job", "orders");
        awaitEvent(AssignmentChanged.class, change -> change.items().isEmpty());

        assertThat(ours).containsExactly("orders\tDISABLED\t0 0 0 1 1 ?\t1\t1");
        assertThat(enabled).noneMatch(line -> line.contains("DISABLED"));
        assertThat(get(engine.inspector().job("orders")).orElseThrow().status()).isEqualTo(JobStatus.DISABLED);
    }

    // ------------------------------------------------------------------ placement

    /** With labels, capacities, weights, a selector, an offer of the item that nobody can carry, and the node of loads. */
    @Test
    void aJobThatIsPlacedLooksAsAnyOtherToHim() {
        startPlaced();

        assertThat(read(TREE.instance("10.0.0.1@-@1")).text()).endsWith(" labels disk=ssd,zone=a capacity 4");
        assertThat(read(TREE.extension()).text()).contains("\"runOn\"", "\"weight\":2", "\"itemWeights\":\"0=9\"");
        assertThat(children(TREE.offers())).hasSize(1).allMatch(offer -> offer.startsWith("0-"));
        assertThat(children(JobTree.NAMESPACE)).contains(".loads");
        assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t4\t2");
        assertThat(operator.does("servers")).containsExactly("10.0.0.1\t1\t1\t0", "10.0.0.2\t1\t1\t0");
        assertThat(operator.does("sharding", "orders"))
                .containsExactly(
                        "0\t10.0.0.2\t1\tPENDING",
                        "1\t10.0.0.2\t1\tPENDING",
                        "2\t10.0.0.1\t1\tPENDING",
                        "3\t10.0.0.1\t1\tPENDING");
        assertThat(operator.does("settings", "orders"))
                .contains("type\tSIMPLE", "cron\t0 0 0 1 1 ?", "count\t4", "strategy\tSPREAD", "description\t");
    }

    @Test
    void hisUpdateAndHisSwitchesLeaveThePlacementAsItIs() {
        startPlaced();
        byte[] extension = read(TREE.extension()).data();
        List<String> instances = instances();
        List<String> offers = children(TREE.offers());

        operator.does("update", "orders", "description", "his");
        operator.does("disable item", "orders", "3");
        List<String> items = operator.does("sharding", "orders");
        operator.does("enable item", "orders", "3");
        JobDefinition now = get(new RegistryJobAdmin(registry).definition("orders"));

        assertThat(items).contains("3\t10.0.0.1\t1\tDISABLED");
        assertThat(read(TREE.extension()).data()).isEqualTo(extension);
        assertThat(now.description()).isEqualTo("his");
        assertThat(now.runOn()).isEqualTo("zone in (a,b)");
        assertThat(List.of(now.weightOf(0), now.weightOf(1))).containsExactly(9, 2);
        assertThat(instances()).isEqualTo(instances);
        assertThat(children(TREE.offers())).isEqualTo(offers);

        operator.does("update", "orders", "cron", EVERY_SECOND);
        awaitEvents(ItemFinished.class, run -> run.trigger() == ExecutionTrigger.SCHEDULE, 3);
        assertThat(all(ItemFinished.class)).as("what nobody can carry").noneMatch(run -> run.item() == 0);
    }

    /** His request for a run is written over the node of the instance, which then shows its labels and its capacity anew. */
    @Test
    void anInstanceThatHeTriggersHasItsLabelsAndItsCapacityAfterwards() {
        start("10.0.0.1@-@1", placed(ONCE_A_YEAR).toBuilder().itemWeights("").build(), HERE);
        String before = read(TREE.instance("10.0.0.1@-@1")).text();

        operator.does("trigger", "orders");

        awaitEvents(ItemFinished.class, any -> true, 4);
        assertThat(instances()).containsExactly(before);
        assertThat(before).contains("zone=a capacity 4");
    }

    /** To him, it has left, and the sharding that moves its items is about to come. */
    @Test
    void anInstanceWhoseSuccessorIsAwaitedHasLeftToHim() throws Exception {
        start("10.0.0.1@-@1", placed(ONCE_A_YEAR), HERE);
        ElasticJobEngine leaver = start("10.0.0.2@-@1", placed(ONCE_A_YEAR), THERE);
        List<String> before = operator.does("sharding", "orders");

        leaver.close();
        String mark = read(TREE.drain("10.0.0.2@-@1")).text();
        List<String> jobs = operator.does("jobs");
        List<String> servers = operator.does("servers");
        List<String> items = operator.does("sharding", "orders");
        operator.does("update", "orders", "description", "his");
        String markThen = read(TREE.drain("10.0.0.2@-@1")).text();
        start("10.0.0.2@-@1", placed(ONCE_A_YEAR), THERE);

        assertThat(mark).contains("awaitedMillis").isEqualTo(markThen);
        assertThat(jobs).containsExactly("orders\tSHARDING_FLAG\t0 0 0 1 1 ?\t4\t1");
        assertThat(servers).containsExactly("10.0.0.1\t1\t1\t0", "10.0.0.2\t0\t1\t0");
        assertThat(items)
                .containsExactlyElementsOf(before.stream()
                        .map(line -> line.contains("10.0.0.2") ? line.replace("PENDING", "SHARDING_FLAG") : line)
                        .toList());
        assertThat(operator.does("jobs")).containsExactly("orders\tOK\t0 0 0 1 1 ?\t4\t2");
        assertThat(operator.does("sharding", "orders")).isEqualTo(before);
    }

    /** Two instances, and a run that only what weighs 2 takes part in. */
    private void startPlaced() {
        start("10.0.0.1@-@1", placed(ONCE_A_YEAR), HERE);
        start("10.0.0.2@-@1", placed(ONCE_A_YEAR), THERE);
        get(new RegistryJobAdmin(registry).trigger("orders"));
        awaitEvents(ItemFinished.class, any -> true, 3);
        awaitChildOf(TREE.offers());
    }

    private static JobDefinition placed(String cron) {
        return job(cron, 4).toBuilder()
                .jobShardingStrategyClass("SPREAD")
                .runOn("zone in (a,b)")
                .weight(2)
                .itemWeights("0=9")
                .build();
    }

    private List<String> instances() {
        return children(TREE.instances()).stream()
                .map(id -> read(TREE.instance(id)).text())
                .toList();
    }

    private void awaitChildOf(String parent) {
        await(
                parent,
                RegistryRead.children(parent),
                answer -> !answer.children(parent).isEmpty());
    }

    /** An instance that did not ask for the runs answers his request in its own time, maybe after all of them. */
    private void awaitText(String path, Predicate<String> wanted) {
        await(
                path,
                RegistryRead.data(path),
                answer ->
                        answer.node(path).map(RegistryNode::text).filter(wanted).isPresent());
    }

    private void await(String path, RegistryRead what, Predicate<RegistryAnswer> wanted) {
        Heard<RegistryAnswer> read = new Heard<>();
        Runnable look = () -> registry.read(List.of(what)).thenAccept(read::add);
        try (Subscription ignored = registry.watch(path, WatchScope.NODE, look)) {
            look.run();
            read.await("what should be at " + path, all -> all.stream().anyMatch(wanted));
        }
    }

    // ------------------------------------------------------------------ what he does

    @Test
    void aNewScheduleIsFollowed() {
        start("a@-@1", job(ONCE_A_YEAR, 1));

        operator.does("update", "orders", "cron", EVERY_SECOND);

        awaitEvent(ItemFinished.class, any -> true);
    }

    @Test
    void aNewCountAndNewParametersAreFollowed() {
        start("a@-@1", job(EVERY_SECOND, 1));

        operator.does("update", "orders", "parameter", "new");
        operator.does("update", "orders", "item parameters", "2=third");
        operator.does("update", "orders", "count", "3");

        runs.await(
                "item 2 with its parameter",
                all -> all.stream()
                        .anyMatch(run -> run.getShardingItem() == 2
                                && run.getShardingParameter().equals("third")
                                && run.getJobParameter().equals("new")));
    }

    @Test
    void whatHeDoesNotKnowSurvivesHisUpdate() {
        ElasticJobEngine engine = start(
                "a@-@1",
                job(ONCE_A_YEAR, 1).toBuilder()
                        .misfireThreshold(Duration.ofMinutes(7))
                        .maxFailovers(5)
                        .jobProperties(Map.of("our.own", "kept"))
                        .build());
        byte[] extension = read(TREE.extension()).data();

        operator.does("update", "orders", "description", "his");

        JobDefinition now = get(engine.admin().definition("orders"));
        assertThat(read(TREE.extension()).data()).isEqualTo(extension);
        assertThat(now.description()).isEqualTo("his");
        assertThat(now.misfireThreshold()).isEqualTo(Duration.ofMinutes(7));
        assertThat(now.maxFailovers()).isEqualTo(5);
        assertThat(now.jobProperties()).containsEntry("our.own", "kept");
    }

    @Test
    void hisTriggerRunsEveryItemOnce() {
        start("a@-@1", job(ONCE_A_YEAR, 4));
        start("b@-@1", job(ONCE_A_YEAR, 4));
        awaitEvent(
                AssignmentChanged.class,
                change -> change.instance().equals("b@-@1") && change.items().size() == 2);

        operator.does("trigger", "orders");

        awaitEvents(ItemFinished.class, any -> true, 4);
        assertThat(runs.all()).extracting(ShardingContext::getShardingItem).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(runs.all()).allSatisfy(run -> assertThat(run.getTaskId()).contains("@-@operator-"));
        awaitText(TREE.instance("a@-@1"), text -> text.contains("jobInstanceId"));
        awaitText(TREE.instance("b@-@1"), text -> text.contains("jobInstanceId"));
    }

    @Test
    void aServerHeDisablesOwnsNothingUntilHeEnablesIt() {
        start("10.0.0.1@-@1", job(ONCE_A_YEAR, 2));
        start("10.0.0.2@-@1", job(ONCE_A_YEAR, 2));
        awaitEvent(AssignmentChanged.class, change -> change.instance().equals("10.0.0.2@-@1"));

        operator.does("disable server", "orders", "10.0.0.1");
        awaitEvent(
                AssignmentChanged.class,
                change -> change.instance().equals("10.0.0.2@-@1")
                        && change.items().size() == 2);
        events.clear();
        operator.does("enable server", "orders", "10.0.0.1");

        awaitEvent(
                AssignmentChanged.class,
                change -> change.instance().equals("10.0.0.1@-@1")
                        && change.items().size() == 1);
    }

    @Test
    void anItemHeDisablesRestsUntilHeEnablesIt() {
        start("a@-@1", job(EVERY_SECOND, 2));
        operator.does("disable item", "orders", "1");
        events.clear();
        awaitEvents(ItemFinished.class, run -> run.item() == 0, 3);
        long ranDisabled =
                all(ItemFinished.class).stream().filter(run -> run.item() == 1).count();

        operator.does("enable item", "orders", "1");
        events.clear();
        awaitEvent(ItemFinished.class, run -> run.item() == 1);

        assertThat(ranDisabled).as("at most the firing that had begun").isLessThanOrEqualTo(1);
    }

    @Test
    void anInstanceHeShutsDownLeavesAndDoesNotComeBack() {
        ElasticJobEngine engine = start("10.0.0.1@-@1", job(EVERY_SECOND, 2));
        start("10.0.0.2@-@1", job(EVERY_SECOND, 2));
        awaitEvent(AssignmentChanged.class, change -> change.instance().equals("10.0.0.2@-@1"));

        operator.does("shut down", "orders", "10.0.0.1");
        awaitEvent(StateChanged.class, change -> change.to() == JobState.STOPPED);
        awaitEvent(
                AssignmentChanged.class,
                change -> change.instance().equals("10.0.0.2@-@1")
                        && change.items().size() == 2);
        events.clear();
        awaitEvents(ItemFinished.class, run -> run.instance().equals("10.0.0.2@-@1"), 4);

        assertThat(engine.state("orders")).isEqualTo(JobState.STOPPED);
        assertThat(children(TREE.instances())).containsExactly("10.0.0.2@-@1");
    }

    @Test
    void aLostSessionIsNoShutdown() {
        ElasticJobEngine engine = start("a@-@1", job(EVERY_SECOND, 1));
        awaitEvent(ItemFinished.class, any -> true);

        server.expire(read(TREE.instance("a@-@1")).ephemeralOwner());
        awaitEvent(StateChanged.class, change -> change.to() == JobState.REGISTERING);
        events.clear();
        awaitEvents(ItemFinished.class, any -> true, 2);

        assertThat(engine.state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(children(TREE.instances())).containsExactly("a@-@1");
    }

    @Test
    void aJobHeRemovesStopsAndIsNotBroughtBack() {
        removedByHim(ONCE_A_YEAR);
    }

    @Test
    void aJobHeRemovesWhileItFiresStopsAndIsNotBroughtBack() {
        removedByHim(EVERY_SECOND);
    }

    /** His removal breaks off without a word where a node is gone before he comes to it: then he asks again. */
    private void removedByHim(String cron) {
        ElasticJobEngine engine = start("a@-@1", job(cron, 2));

        for (int asked = 0; asked < 100 && !children(TREE.root()).isEmpty(); asked++) {
            operator.does("remove job", "orders");
        }
        awaitEvent(StateChanged.class, change -> change.to() == JobState.STOPPED);
        get(engine.stop());

        assertThat(operator.does("jobs")).isEmpty();
        assertThat(children(TREE.root())).isEmpty();
    }

    // ------------------------------------------------------------------ sentences

    private static JobDefinition job(String cron, int items) {
        return JobDefinition.builder("orders")
                .cron(cron)
                .shardingTotalCount(items)
                .build();
    }

    private ElasticJobEngine start(String instance, JobDefinition definition) {
        return start(instance, definition, UnaryOperator.identity());
    }

    private ElasticJobEngine start(
            String instance, JobDefinition definition, UnaryOperator<ElasticJobEngineBuilder> settings) {
        ElasticJobEngine engine = engine(instance, settings);
        engine.register(definition, runs::add);
        get(engine.start());
        awaitEvent(AssignmentChanged.class, change -> change.instance().equals(instance));
        return engine;
    }

    private ElasticJobEngine engine(String instance) {
        return engine(instance, UnaryOperator.identity());
    }

    private ElasticJobEngine engine(String instance, UnaryOperator<ElasticJobEngineBuilder> settings) {
        ElasticJobEngine engine = settings.apply(ElasticJobEngine.builder(registry())
                        .instanceId(instance)
                        .ip(
                                instance.startsWith("1")
                                        ? instance.split("@")[0]
                                        : "10.1.0." + (instance.charAt(0) - 'a' + 1))
                        .shutdownTimeout(Duration.ofSeconds(2))
                        .listener(events::add))
                .build();
        opened.add(engine);
        return engine;
    }

    private Registry registry() {
        Registry client = CuratorRegistry.connect(
                RegistrySettings.of(server.connectString(), NAMESPACE).withSessionTimeout(Duration.ofSeconds(6)));
        opened.add(client);
        return client;
    }

    private <E extends JobEvent> void awaitEvent(Class<E> kind, Predicate<E> wanted) {
        awaitEvents(kind, wanted, 1);
    }

    private <E extends JobEvent> void awaitEvents(Class<E> kind, Predicate<E> wanted, int count) {
        events.await(
                count + " × " + kind.getSimpleName(),
                told -> told.stream()
                                .filter(kind::isInstance)
                                .map(kind::cast)
                                .filter(wanted)
                                .count()
                        >= count);
    }

    private <E extends JobEvent> List<E> all(Class<E> kind) {
        return events.all().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private RegistryNode read(String path) {
        return get(registry.read(List.of(RegistryRead.data(path)))).node(path).orElseThrow();
    }

    private List<String> children(String path) {
        return get(registry.read(List.of(RegistryRead.children(path)))).children(path);
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static final class Nothing implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {}
    }
}
