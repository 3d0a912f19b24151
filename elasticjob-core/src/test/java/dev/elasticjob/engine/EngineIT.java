package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whole engines on a real ZooKeeper. */
class EngineIT {
    private static final JobTree TREE = new JobTree("orders");

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());
    private final EventLog events = new EventLog();

    @Test
    void threeInstancesShareTheItemsAndShareThemAnewWhenOneLeavesOrJoins() {
        start("a@-@1", every(1, 6));
        start("b@-@1", every(1, 6));
        ElasticJobEngine third = start("c@-@1", every(1, 6));
        awaitSpread(3, 2);

        third.close();
        awaitSpread(2, 3);
        start("d@-@1", every(1, 6));
        awaitSpread(3, 2);

        assertThat(runsPerFiring().values())
                .allSatisfy(items ->
                        assertThat(items).as("no item twice for one firing").doesNotHaveDuplicates());
    }

    @Test
    void theRecordOfAnItemSaysWhatItLastDid() {
        ElasticJobEngine engine = start("a@-@1", every(1, 1));
        ItemFinished run = events.await(ItemFinished.class, any -> true);
        events.await(ItemFinished.class, later -> later.scheduledAt().isAfter(run.scheduledAt()));

        var report = get(engine.inspector().job("orders")).orElseThrow();
        var last = report.items().get(0).itemRecord();

        assertThat(report.state()).contains(JobState.ACTIVE);
        assertThat(report.leader()).contains("a@-@1");
        assertThat(report.nextDueTime()).isPresent();
        assertThat(last.state()).isIn(ItemState.COMPLETED, ItemState.RUNNING);
        assertThat(last.instance()).contains("a@-@1");
        assertThat(last.attempt()).isEqualTo(1);
        assertThat(last.scheduledAt()).hasValueSatisfying(at -> assertThat(at).isAfterOrEqualTo(run.scheduledAt()));
    }

    @Test
    void aFailureIsRecordedAndTheNextRunIsAsUsual() {
        ElasticJobEngine engine = start("a@-@1", definition("0 0 0 1 1 *", 1), context -> {
            throw new IllegalStateException("provoked by this test");
        });

        get(engine.admin().trigger("orders"));
        events.awaitAll(ItemFinished.class, run -> run.failure().isPresent(), 1);
        get(registry("reader").awaitAbsence(TREE.running(0)));

        assertThat(get(engine.inspector().job("orders"))
                        .orElseThrow()
                        .items()
                        .get(0)
                        .itemRecord()
                        .failure())
                .hasValueSatisfying(text -> assertThat(text).contains("provoked by this test"));
        get(engine.admin().trigger("orders"));
        events.awaitAll(ItemFinished.class, any -> true, 2);
    }

    // ------------------------------------------------------------------ operators

    @Test
    void moreItemsAndFewerItemsAreFollowed() {
        start("a@-@1", every(1, 2));
        start("b@-@1", every(1, 2));
        awaitSpread(2, 1);

        change(definition -> definition.shardingTotalCount(6));
        awaitSpread(2, 3);
        events.awaitAll(ItemFinished.class, run -> run.item() == 5, 1);

        change(definition -> definition.shardingTotalCount(1));
        events.await(AssignmentChanged.class, now -> now.items().isEmpty());
        events.awaitAll(ItemFinished.class, run -> run.item() == 0, 3);
        get(registry("x").awaitAbsence(TREE.item(5)));
        assertThat(read(TREE.item(5))).isEmpty();
    }

    @Test
    void aNewCronExpressionIsFollowedAndRepeatsNothing() {
        start("a@-@1", definition("0 0 0 1 1 *", 1));
        events.await(AssignmentChanged.class, any -> true);

        change(definition -> definition.cron("* * * * * *"));
        List<ItemFinished> runs = events.awaitAll(ItemFinished.class, any -> true, 3);

        Instant changed = read(TREE.config()).orElseThrow().modified();
        assertThat(runs).allSatisfy(run -> assertThat(run.scheduledAt()).isAfter(changed));
    }

    @Test
    void otherSettingsAreFollowedWithoutAReshard() {
        List<String> parameters = new ArrayList<>();
        start("a@-@1", every(1, 1), context -> {
            synchronized (parameters) {
                parameters.add(context.getJobParameter());
            }
        });
        events.awaitAll(ItemFinished.class, any -> true, 1);
        int epoch = epoch();

        change(definition -> definition.jobParameter("new"));
        events.clear();
        events.awaitAll(ItemFinished.class, any -> true, 2);

        synchronized (parameters) {
            assertThat(parameters.get(parameters.size() - 1)).isEqualTo("new");
        }
        assertThat(epoch()).isEqualTo(epoch);
    }

    @Test
    void aDisabledServerOwnsNothingUntilItIsEnabled() {
        ElasticJobEngine engine = start("a@-@1", every(1, 4));
        start("b@-@1", every(1, 4));
        awaitSpread(2, 2);

        commit(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "DISABLED", RegistryCommit.ANY_VERSION));
        events.await(
                AssignmentChanged.class,
                now -> now.instance().equals("b@-@1") && now.items().size() == 4);
        events.await(JobEvent.StateChanged.class, change -> change.to() == JobState.DISABLED);
        assertThat(engine.state("orders")).isEqualTo(JobState.DISABLED);
        events.clear();

        commit(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "", RegistryCommit.ANY_VERSION));
        awaitSpread(2, 2);
    }

    @Test
    void whenTheOnlyServerIsDisabledNothingIsMissed() {
        start("a@-@1", every(1, 1));
        events.awaitAll(ItemFinished.class, any -> true, 1);

        commit(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "DISABLED", RegistryCommit.ANY_VERSION));
        events.await(AssignmentChanged.class, now -> now.items().isEmpty());
        Instant enabled = commit(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "", RegistryCommit.ANY_VERSION));
        events.clear();
        ItemFinished next = events.await(ItemFinished.class, any -> true);

        assertThat(next.scheduledAt()).isAfter(enabled);
        assertThat(events.all(JobEvent.FiringsFolded.class)).isEmpty();
        assertThat(events.all(JobEvent.FiringsLost.class)).isEmpty();
    }

    @Test
    void aDisabledItemIsSkippedAndNotMissed() {
        start("a@-@1", every(1, 2));
        events.awaitAll(ItemFinished.class, run -> run.item() == 1, 1);

        commit(RegistryCommit.builder().create(TREE.disabled(1)));
        events.clear();
        events.awaitAll(ItemFinished.class, run -> run.item() == 0, 3);
        Instant enabled =
                commit(RegistryCommit.builder().delete(TREE.disabled(1), 0).create("/unrelated"));
        events.clear();
        ItemFinished next = events.await(ItemFinished.class, run -> run.item() == 1);

        assertThat(next.scheduledAt()).isAfter(enabled.minusSeconds(1));
        assertThat(events.all(JobEvent.FiringsFolded.class)).isEmpty();
    }

    @Test
    void unmonitoredExecutionsLeaveNoRecordAndCostNoWrite() {
        start("a@-@1", every(1, 3).toBuilder().monitorExecution(false).build());

        List<ItemFinished> runs = events.awaitAll(ItemFinished.class, any -> true, 9);

        assertThat(runs.stream().map(ItemFinished::item).collect(Collectors.toSet()))
                .containsExactly(0, 1, 2);
        assertThat(read(TREE.item(0)).orElseThrow().version()).isZero();
        change(definition -> definition.monitorExecution(true));
        events.clear();
        events.awaitAll(ItemFinished.class, any -> true, 3);
        assertThat(read(TREE.item(0)).orElseThrow().version()).isPositive();
    }

    // ------------------------------------------------------------------ instances that vanish

    @Test
    void theItemsOfAnInstanceThatVanishesRunAgainFromTheNextFiringOn() {
        start("a@-@1", every(1, 4));
        Registry doomed = registry("b@-@1");
        startOn(doomed, "b@-@1", every(1, 4), context -> new CompletableFuture<Void>().get(60, TimeUnit.SECONDS));
        awaitSpread(2, 2);
        events.await(JobEvent.ItemStarted.class, run -> run.instance().equals("b@-@1"));

        doomed.close();

        events.await(AssignmentChanged.class, now -> now.items().size() == 4);
        Set<Integer> interrupted = events.awaitAll(JobEvent.ItemInterrupted.class, any -> true, 2).stream()
                .map(JobEvent.ItemInterrupted::item)
                .collect(Collectors.toCollection(TreeSet::new));
        interrupted.forEach(item -> events.await(
                ItemFinished.class, run -> run.item() == item && run.instance().equals("a@-@1")));
        assertThat(events.awaitAll(JobEvent.FiringsLost.class, any -> true, 2)).hasSize(2);
    }

    @Test
    void withFailoverTheInterruptedExecutionsRunAgainAtOnceWithTheirFiring() {
        JobDefinition failover =
                definition("0 0 0 1 1 *", 4).toBuilder().failover(true).build();
        ElasticJobEngine survivor = start("a@-@1", failover);
        Registry doomed = registry("b@-@1");
        startOn(doomed, "b@-@1", failover, context -> new CompletableFuture<Void>().get(60, TimeUnit.SECONDS));
        awaitSpread(2, 2);
        get(survivor.admin().trigger("orders"));
        List<JobEvent.ItemStarted> interrupted = events.awaitAll(
                JobEvent.ItemStarted.class, run -> run.instance().equals("b@-@1"), 2);

        doomed.close();

        interrupted.forEach(run -> {
            JobEvent.ItemStarted again =
                    events.await(JobEvent.ItemStarted.class, next -> next.item() == run.item() && next.attempt() == 2);
            assertThat(again.instance()).isEqualTo("a@-@1");
        });
        assertThat(events.all(JobEvent.FiringsLost.class)).isEmpty();
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition every(int seconds, int items) {
        return definition("0/" + seconds + " * * * * ?", items);
    }

    private static JobDefinition definition(String cron, int items) {
        return JobDefinition.builder("orders")
                .cron(cron)
                .shardingTotalCount(items)
                .build();
    }

    private ElasticJobEngine start(String instance, JobDefinition definition) {
        return start(instance, definition, context -> {});
    }

    private ElasticJobEngine start(String instance, JobDefinition definition, SimpleJob job) {
        return startOn(registry(instance), instance, definition, job);
    }

    private ElasticJobEngine startOn(Registry registry, String instance, JobDefinition definition, SimpleJob job) {
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .ip("10.0.0." + (instance.charAt(0) - 'a' + 1))
                .shutdownTimeout(Duration.ofSeconds(2))
                .listener(events)
                .build();
        opened.add(engine);
        engine.register(definition, job);
        get(engine.start());
        return engine;
    }

    private Registry registry(String name) {
        Registry registry = CuratorRegistry.connect(
                RegistrySettings.of(server.connectString(), "shop").withSessionTimeout(Duration.ofSeconds(6)));
        opened.add(registry);
        return registry;
    }

    /** Waits until the last assignments of so many instances give each so many items. */
    private void awaitSpread(int instances, int itemsEach) {
        events.awaitThat(instances + " instances with " + itemsEach + " items each", told -> {
            List<AssignmentChanged> changes = EventLog.only(AssignmentChanged.class, told);
            int newest =
                    changes.stream().mapToInt(AssignmentChanged::epoch).max().orElse(0);
            Map<String, Integer> now = changes.stream()
                    .filter(change ->
                            change.epoch() == newest && !change.items().isEmpty())
                    .collect(Collectors.toMap(
                            AssignmentChanged::instance,
                            change -> change.items().size(),
                            (one, two) -> two));
            return now.size() == instances && now.values().stream().allMatch(size -> size == itemsEach);
        });
    }

    private Map<Instant, List<Integer>> runsPerFiring() {
        return events.all(JobEvent.ItemStarted.class).stream()
                .collect(Collectors.groupingBy(
                        JobEvent.ItemStarted::scheduledAt,
                        Collectors.mapping(JobEvent.ItemStarted::item, Collectors.toList())));
    }

    private void change(UnaryOperator<JobDefinition.Builder> change) {
        JobDefinitionCodec codec = new JobDefinitionCodec();
        RegistryNode config = read(TREE.config()).orElseThrow();
        Optional<byte[]> extension = read(TREE.extension()).map(RegistryNode::data);
        JobDefinition before = codec.decode("orders", config.data(), extension).definition();
        JobDefinition after = change.apply(before.toBuilder()).build();
        commit(RegistryCommit.builder()
                .set(TREE.config(), codec.config(after, Optional.of(config.data())), config.version()));
    }

    private Instant commit(RegistryCommit.Builder commit) {
        Registry registry = registry("operator");
        CommitOutcome outcome = get(registry.commit(registry.session().orElseThrow(), commit.build()));
        assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
        return ((CommitOutcome.Committed) outcome).time().orElse(Instant.EPOCH);
    }

    private int epoch() {
        return read(TREE.sharding()).orElseThrow().version();
    }

    private Optional<RegistryNode> read(String path) {
        return get(registry("reader").read(List.of(RegistryRead.data(path)))).node(path);
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
