package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.Explanation.Verdict;
import dev.elasticjob.admin.explain.ReshardPreview;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Items of an instance that leaves in good order wait for its successor. The job is due at 10 s past each minute. */
class RebalanceDelayTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DELAY = Duration.ofSeconds(150);
    private static final JobDefinition JOB = job("orders");

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final AtomicReference<Runnable> during = new AtomicReference<>(() -> {});

    @ParameterizedTest
    @ValueSource(strings = {"", "SPREAD", "WEIGHTED", "ZONE", "STICKY", "ODEVITY", "ROUND_ROBIN"})
    void aRestartMovesNothing(String strategy) {
        threeOf(JOB.toBuilder().jobShardingStrategyClass(strategy).build());
        NavigableMap<Integer, String> before = owners();

        cluster.stop("b@-@1");
        cluster.pass(MINUTE);
        NavigableMap<Integer, String> meanwhile = owners();
        Set<String> ran = instances();
        cluster.forget();
        start(
                "b@-@1",
                "10.0.0.2",
                JOB.toBuilder().jobShardingStrategyClass(strategy).build());
        cluster.pass(MINUTE);

        assertThat(meanwhile).isEqualTo(before).containsValue("b@-@1");
        assertThat(ran).containsExactlyInAnyOrder("a@-@1", "c@-@1");
        assertThat(owners()).isEqualTo(before);
        assertThat(moved()).isZero();
        assertThat(instances()).containsExactlyInAnyOrder("a@-@1", "b@-@1", "c@-@1");
        assertThat(cluster.tree()).doesNotContain("awaitedMillis");
    }

    /** As processes have it whose id ends with their pid. */
    @ParameterizedTest
    @CsvSource({"AVG_ALLOCATION,b@-@77", "STICKY,z@-@77"})
    void theSuccessorOfAnotherIdOnItsServerGetsTheSameItems(String strategy, String successor) {
        JobDefinition job = JOB.toBuilder().jobShardingStrategyClass(strategy).build();
        threeOf(job);
        NavigableMap<Integer, String> before = owners();

        cluster.stop("b@-@1");
        cluster.pass(MINUTE);
        start(successor, "10.0.0.2", job);
        cluster.pass(MINUTE);

        before.replaceAll((item, owner) -> owner.equals("b@-@1") ? successor : owner);
        assertThat(owners()).isEqualTo(before);
    }

    @Test
    void aRollingRestartOfAllMovesNothing() {
        threeOf(JOB);
        NavigableMap<Integer, String> before = owners();
        cluster.forget();

        for (String[] each : new String[][] {{"a@-@1", "10.0.0.1"}, {"b@-@1", "10.0.0.2"}, {"c@-@1", "10.0.0.3"}}) {
            cluster.stop(each[0]);
            cluster.pass(Duration.ofSeconds(15));
            start(each[0], each[1], JOB);
            cluster.pass(Duration.ofSeconds(5));
        }
        cluster.pass(MINUTE);

        assertThat(owners()).isEqualTo(before);
        assertThat(moved()).isZero();
        assertThat(cluster.executions())
                .as("each item once per firing")
                .doesNotHaveDuplicates()
                .hasSize(18);
    }

    @Test
    void theLeadersLogSaysWhoIsAwaitedAndWhatHasComeOfIt() {
        threeOf(JOB);
        List<String> lines;
        try (LoggedLines log = new LoggedLines()) {
            cluster.stop("b@-@1");
            cluster.pass(Duration.ofSeconds(15));
            start("z@-@77", "10.0.0.2", JOB);
            cluster.pass(Duration.ofSeconds(5));
            cluster.stop("z@-@77");
            cluster.pass(Duration.ofSeconds(15));
            start("z@-@77", "10.0.0.2", JOB);
            cluster.pass(Duration.ofSeconds(5));
            cluster.stop("c@-@1");
            cluster.pass(DELAY.plusSeconds(10));
            lines = log.all().stream()
                    .filter(line ->
                            line.contains("successor \"") || line.contains("its successor") || line.contains("is back"))
                    .map(line -> line.replaceAll("until .*", "until"))
                    .toList();
        }

        String awaited = "INFO Job \"orders\": the items of \"%s\" wait for its successor until";
        assertThat(lines)
                .containsExactly(
                        awaited.formatted("b@-@1"),
                        "INFO Job \"orders\": the items of \"b@-@1\" go to its successor \"z@-@77\"",
                        awaited.formatted("z@-@77"),
                        "INFO Job \"orders\": \"z@-@77\" is back, and has its items again",
                        awaited.formatted("c@-@1"),
                        "INFO Job \"orders\": the items of \"c@-@1\" wait for its successor no longer");
    }

    @Test
    void theItemsMoveWhenNobodyHasCome() {
        threeOf(JOB);

        cluster.stop("b@-@1");
        cluster.pass(DELAY.minusSeconds(5));
        boolean waiting = owners().containsValue("b@-@1");
        cluster.pass(Duration.ofSeconds(10));

        assertThat(waiting).isTrue();
        assertThat(owners()).doesNotContainValue("b@-@1");
        assertThat(cluster.tree()).doesNotContain("awaitedMillis");
    }

    @Test
    void whatCameDueMeanwhileRunsWhenTheTimeIsOver() {
        threeOf(JOB);
        cluster.forget();

        cluster.stop("b@-@1");
        cluster.pass(DELAY.plusSeconds(60));

        Map<Instant, Long> byFiring = cluster.executions().stream()
                .collect(Collectors.groupingBy(SimulatedCluster.Execution::scheduledAt, Collectors.counting()));
        assertThat(cluster.executions().stream()
                        .map(SimulatedCluster.Execution::item)
                        .distinct())
                .hasSize(9);
        assertThat(byFiring.values()).contains(9L);
    }

    /** The server of the other instance was disabled before, or the other one doesn't match. */
    @ParameterizedTest
    @ValueSource(strings = {"", "zone=north"})
    void whatComesDueWhenNobodyIsLeftToWaitForIsOwed(String runOn) {
        JobDefinition job = JOB.toBuilder().runOn(runOn).build();
        startIn("south", "a@-@1", "10.0.0.1", job);
        startIn("north", "b@-@1", "10.0.0.2", job);
        cluster.pass(Duration.ofSeconds(20));
        if (runOn.isEmpty()) {
            cluster.get(admin().disableServer("orders", "10.0.0.1"));
        }
        cluster.pass(MINUTE);
        NavigableMap<Integer, String> before = owners();
        cluster.stop("b@-@1");
        cluster.pass(MINUTE);
        List<Finding> awaited = cluster.get(cluster.inspector().attention());
        Explanation why = cluster.get(cluster.inspector().explain("orders", 0)).orElseThrow();
        cluster.pass(DELAY);
        NavigableMap<Integer, String> meanwhile = owners();
        List<Finding> over = cluster.get(cluster.inspector().attention());
        JobStatus status =
                cluster.get(cluster.inspector().job("orders")).orElseThrow().status();
        Instant back = cluster.now();
        cluster.forget();

        // On another server: one that was enabled all along would say that nobody has paused anything.
        startIn("north", "b@-@1", "10.0.0.3", job);
        cluster.pass(Duration.ofSeconds(2));

        assertThat(before.values()).containsOnly("b@-@1");
        assertThat(awaited).isEmpty();
        assertThat(why.conditions().get(0).reason()).isEqualTo(Reason.SUCCESSOR_AWAITED);
        assertThat(why.conditions())
                .as("what only one that is gone would know")
                .noneMatch(condition -> condition.reason() == Reason.INSIDE_THE_INSTANCE);
        assertThat(meanwhile).isEmpty();
        assertThat(over)
                .extracting(Finding::kind)
                .containsExactly(runOn.isEmpty() ? Kind.ALL_SERVERS_DISABLED : Kind.NO_INSTANCE_MATCHES);
        assertThat(status).isEqualTo(runOn.isEmpty() ? JobStatus.UNPLANNED : JobStatus.UNMATCHED);
        assertThat(cluster.executions())
                .as("what came due last while nobody was there")
                .hasSize(9)
                .allSatisfy(execution -> assertThat(execution.scheduledAt()).isBefore(back));
    }

    @Test
    void aPauseOfTheJobTakesNothingWithItThatCameDueBefore() {
        startIn("north", "a@-@1", "10.0.0.1", JOB);
        startIn("north", "b@-@1", "10.0.0.2", JOB);
        cluster.pass(Duration.ofSeconds(20));
        cluster.get(admin().disableServer("orders", "10.0.0.1"));
        cluster.pass(MINUTE);
        cluster.stop("b@-@1");
        cluster.pass(MINUTE);
        Instant paused = cluster.now();
        cluster.get(admin().pause("orders"));
        cluster.pass(MINUTE);
        cluster.get(admin().resume("orders"));
        cluster.forget();

        startIn("north", "b@-@1", "10.0.0.3", JOB);
        cluster.pass(Duration.ofSeconds(2));

        assertThat(cluster.executions())
                .hasSize(9)
                .allSatisfy(execution -> assertThat(execution.scheduledAt()).isBefore(paused));
    }

    /** One after the other, as for a night of maintenance, while one of them is away. */
    @ParameterizedTest
    @CsvSource({"10.0.0.1,10.0.0.2", "10.0.0.2,10.0.0.1"})
    void disablingTheServersOfAllIsAPauseAlsoWhileOneIsAwaited(String first, String second) {
        JobDefinition job = JOB.toBuilder().runOn("zone=north").build();
        startIn("north", "a@-@1", "10.0.0.1", job);
        startIn("north", "b@-@1", "10.0.0.2", job);
        startIn("south", "c@-@1", "10.0.0.3", job);
        cluster.pass(MINUTE);
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(10));

        cluster.get(admin().disableServer("orders", first));
        cluster.pass(Duration.ofSeconds(10));
        // In virtual time, a plan is made in the millisecond of the disabling, and doesn't show what was first.
        cluster.get(admin().redefine(
                        "orders",
                        before -> before.toBuilder().shardingTotalCount(8).build()));
        cluster.pass(Duration.ofSeconds(10));
        Instant paused = cluster.now();
        cluster.get(admin().disableServer("orders", second));
        cluster.pass(DELAY.plus(MINUTE));
        startIn("north", "b@-@1", "10.0.0.2", job);
        cluster.pass(MINUTE);
        cluster.forget();
        Instant enabled = cluster.now();
        cluster.get(admin().enableServer("orders", first));
        cluster.get(admin().enableServer("orders", second));
        cluster.pass(MINUTE);

        assertThat(cluster.executions())
                .extracting(SimulatedCluster.Execution::scheduledAt)
                .as("nothing of what came due in the pause")
                .noneMatch(firing -> firing.isAfter(paused) && firing.isBefore(enabled))
                .anyMatch(firing -> firing.isAfter(enabled));
    }

    /** If a server that is only missing its instance were removed, and the others disabled, that would look like a pause. */
    @Test
    void reconcileRemovesNoServerWhileTheOwnersAreAwaited() {
        JobDefinition job = JOB.toBuilder().runOn("zone=north").build();
        cluster.start("a@-@1", job, engine -> engine.ip("10.0.0.1").labels(Map.of("zone", "south")));
        cluster.start("b@-@1", job, engine -> north(engine).rebalanceDelay(Duration.ofHours(1)));
        cluster.pass(MINUTE);
        cluster.stop("b@-@1");
        cluster.commit(RegistryCommit.builder().create(TREE.server("10.0.0.9"), ""));

        cluster.pass(Duration.ofMinutes(35));
        boolean kept = cluster.read(TREE.server("10.0.0.9")).isPresent();
        cluster.start("b@-@1", job, RebalanceDelayTest::north);
        cluster.pass(Duration.ofMinutes(35));

        assertThat(kept).isTrue();
        assertThat(cluster.read(TREE.server("10.0.0.9"))).isEmpty();
    }

    private static ElasticJobEngineBuilder north(ElasticJobEngineBuilder engine) {
        return engine.ip("10.0.0.2").labels(Map.of("zone", "north"));
    }

    private RegistryJobAdmin admin() {
        return new RegistryJobAdmin(cluster.operator(), new CommandLog(event -> {}, Actor.UNKNOWN), cluster.timer());
    }

    private void startIn(String zone, String instance, String ip, JobDefinition job) {
        cluster.start(
                instance,
                job,
                context -> execute(instance, context),
                engine -> engine.ip(ip).rebalanceDelay(DELAY).labels(Map.of("zone", zone)));
    }

    @Test
    void whoWaitsForWhomIsExplainedAndNoFinding() {
        threeOf(JOB);
        Instant left = cluster.now();
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(20));
        int waiting = owners().entrySet().stream()
                .filter(entry -> entry.getValue().equals("b@-@1"))
                .findFirst()
                .orElseThrow()
                .getKey();

        Explanation why =
                cluster.get(cluster.inspector().explain("orders", waiting)).orElseThrow();
        JobReport report = cluster.get(cluster.inspector().job("orders")).orElseThrow();
        List<Finding> findings = cluster.get(cluster.inspector().attention());
        ReshardPreview preview = cluster.get(cluster.inspector().preview("orders", WhatIf.nothing()))
                .orElseThrow();

        Condition first = why.conditions().get(0);
        assertThat(first.reason()).isEqualTo(Reason.SUCCESSOR_AWAITED);
        assertThat(first.fact().text())
                .isEqualTo(
                        "The item's owner \"b@-@1\" has stopped in good order, and its items wait for its successor");
        assertThat(first.until().orElseThrow()).isBetween(left.plus(DELAY), left.plus(DELAY.plusSeconds(1)));
        assertThat(why.verdict()).isEqualTo(Verdict.WAITS);
        assertThat(report.items().get(waiting).successorAwaitedUntil()).isEqualTo(first.until());
        assertThat(report.items())
                .filteredOn(item -> item.successorAwaitedUntil().isPresent())
                .hasSize(3);
        assertThat(findings).isEmpty();
        assertThat(preview.moved()).isEmpty();
    }

    @Test
    void aCrashIsNotAwaited() {
        threeOf(JOB);

        cluster.expire("b@-@1");
        cluster.engine("b@-@1").stop();
        cluster.pass(Duration.ofSeconds(2));

        assertThat(owners()).doesNotContainValue("b@-@1");
    }

    @Test
    void anUnregisteredJobsItemsMoveAtOnce() {
        threeOf(JOB);

        cluster.engine("b@-@1").unregister("orders");
        cluster.pass(Duration.ofSeconds(2));

        assertThat(owners()).doesNotContainValue("b@-@1");
    }

    @Test
    void whatRunsWhenTheInstanceIsStoppedEndsAndTheOthersWaitWithIt() {
        threeOf(JOB);
        NavigableMap<Integer, String> before = owners();
        List<NavigableMap<Integer, String>> stopping = new ArrayList<>();

        whileAnItemRuns(() -> {
            cluster.stop("b@-@1");
            cluster.pass(Duration.ofSeconds(10));
            stopping.add(owners());
        });
        cluster.pass(Duration.ofSeconds(5));

        assertThat(stopping).containsExactly(before);
        assertThat(owners()).isEqualTo(before);
        assertThat(cluster.tree()).contains("awaitedMillis").doesNotContain("\"stopping\"");
    }

    @Test
    void newItemsGoToThoseThatAreThere() {
        threeOf(JOB);
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(5));

        start(
                "d@-@1",
                "10.0.0.4",
                JOB.toBuilder().shardingTotalCount(20).overwrite(true).build());
        cluster.pass(Duration.ofSeconds(5));

        assertThat(owners()).hasSize(20);
        assertThat(owners().values().stream().filter("b@-@1"::equals)).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void oneThatIsStoppingGetsNoItemsOfOneThatCrashes() {
        threeOf(JOB.toBuilder().jobShardingStrategyClass("STICKY").build());
        Set<Integer> had = itemsOf("b@-@1");
        List<Set<Integer>> stopping = new ArrayList<>();

        whileAnItemRuns(() -> {
            cluster.stop("b@-@1");
            cluster.pass(Duration.ofSeconds(2));
            cluster.expire("c@-@1");
            cluster.engine("c@-@1").stop();
            cluster.pass(Duration.ofSeconds(2));
            stopping.addAll(List.of(itemsOf("b@-@1"), itemsOf("a@-@1")));
        });

        assertThat(stopping.get(0)).isEqualTo(had);
        assertThat(stopping.get(1)).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"STICKY", "AVG_ALLOCATION"})
    void aFullStopWhileAnItemRunsKeepsAllPlaces(String strategy) {
        JobDefinition job = JOB.toBuilder().jobShardingStrategyClass(strategy).build();
        threeOf(job);
        NavigableMap<Integer, String> before = owners();

        whileAnItemRuns(() -> {
            List.of("a@-@1", "b@-@1", "c@-@1").forEach(cluster::stop);
            cluster.pass(Duration.ofSeconds(20));
        });
        start("c@-@1", "10.0.0.3", job);
        cluster.pass(Duration.ofSeconds(3));
        start("a@-@1", "10.0.0.1", job);
        cluster.pass(Duration.ofSeconds(3));
        start("b@-@1", "10.0.0.2", job);
        cluster.pass(Duration.ofSeconds(3));

        assertThat(owners()).isEqualTo(before);
    }

    @Test
    void anOperatorDrainsOneThatIsStopping() {
        threeOf(JOB);
        List<NavigableMap<Integer, String>> drained = new ArrayList<>();
        RegistryJobAdmin admin = admin();

        whileAnItemRuns(() -> {
            cluster.stop("b@-@1");
            cluster.pass(Duration.ofSeconds(2));
            assertThat(cluster.get(admin.drain("orders", "b@-@1")).inForce()).isTrue();
            drained.add(owners());
        });

        assertThat(drained.get(0)).hasSize(9).doesNotContainValue("b@-@1");
        assertThat(owners()).doesNotContainValue("b@-@1");
    }

    @Test
    void anOperatorWaitsNoLonger() {
        threeOf(JOB);
        NavigableMap<Integer, String> before = owners();
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(20));
        int waiting = itemsOf("b@-@1").iterator().next();
        Condition why = cluster.get(cluster.inspector().explain("orders", waiting))
                .orElseThrow()
                .conditions()
                .get(0);
        String would = new DryRuns(cluster).text(CommandTable.DRAIN, "orders", Map.of("instance", "b@-@1"));

        DrainAnswer answer = cluster.get(admin().drain("orders", "b@-@1"));
        NavigableMap<Integer, String> after = owners();
        String tree = cluster.tree();
        start("b@-@1", "10.0.0.2", JOB);
        cluster.pass(Duration.ofSeconds(5));

        assertThat(tree).doesNotContain("awaitedMillis");
        assertThat(why.remedy().text()).contains("To end the wait now, drain \"b@-@1\"");
        assertThat(would).isEqualTo("CHANGES ITEMS_MOVE 3, AWAITED_NO_MORE 0");
        assertThat(answer).isEqualTo(new DrainAnswer(true, true));
        assertThat(after).hasSize(9).doesNotContainValue("b@-@1");
        assertThat(owners()).isEqualTo(before);
        assertThatThrownBy(() -> cluster.get(admin().drain("orders", "nobody@-@1")))
                .hasMessageContaining("has no instance \"nobody@-@1\"");
    }

    /** What has the version of the mark by then is the drain of another operator, whose instance is between two sessions. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneThatComesBackInThatMomentIsNotDrainedAndAnothersDrainStays(boolean isThere) {
        threeOf(JOB);
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(20));
        RegistryNode before = cluster.read(TREE.instance("a@-@1")).orElseThrow();
        AtomicBoolean back = new AtomicBoolean();
        Registry late = new ChangedRegistry(cluster.operator()) {
            @Override
            protected RegistryCommit sent(RegistryCommit commit) {
                if (!back.getAndSet(true)) {
                    RegistryCommit.Builder comes = RegistryCommit.builder()
                            .set(TREE.instances(), "", RegistryCommit.ANY_VERSION)
                            .delete(TREE.drain("b@-@1"), RegistryCommit.ANY_VERSION);
                    Registry person = cluster.operator();
                    person.commit(
                            person.session().orElseThrow(),
                            (isThere
                                            ? comes.create(TREE.instance("b@-@1"), before.text())
                                            : comes.create(TREE.drain("b@-@1"), OperatorDrain.text("mei", "kernel")))
                                    .build());
                }
                return commit;
            }
        };
        var admin = new RegistryJobAdmin(late, new CommandLog(event -> {}, Actor.UNKNOWN), cluster.timer());

        DrainAnswer answer = cluster.get(admin.drain("orders", "b@-@1"));

        assertThat(back).isTrue();
        assertThat(answer.changed()).isFalse();
        assertThat(cluster.read(TREE.drain("b@-@1")).flatMap(OperatorDrain::of).isPresent())
                .isEqualTo(!isThere);
    }

    @Test
    void anOperatorWaitsNoLongerInAnyJob() {
        Map<String, JobDefinition> jobs = Map.of("orders", JOB, "bills", job("bills"), "月结", job("月结"));
        List.of("a@-@1", "b@-@1")
                .forEach(instance -> cluster.start(
                        instance,
                        engine -> jobs.values().forEach(job -> engine.register(job, context -> {})),
                        engine -> engine.ip("10.0.0." + (instance.charAt(0) - 'a' + 1))
                                .rebalanceDelay(DELAY)));
        cluster.pass(Duration.ofSeconds(20));
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(5));
        String would = new DryRuns(cluster).text(CommandTable.DRAIN_ALL, Map.of("instance", "b@-@1"));

        long waiting = jobs.keySet().stream()
                .flatMap(job -> owners(cluster, new JobTree(job)).values().stream())
                .filter("b@-@1"::equals)
                .count();
        Map<String, DrainAnswer> answers = cluster.get(admin().drainAll("b@-@1"));

        assertThat(would).isEqualTo("CHANGES JOBS_WAITED 3, ITEMS_WAIT %d, AWAITED_NO_MORE 0".formatted(waiting));
        assertThat(answers)
                .containsOnlyKeys(jobs.keySet())
                .allSatisfy((job, answer) -> assertThat(answer).isEqualTo(new DrainAnswer(true, true)));
        assertThat(jobs.keySet())
                .allSatisfy(job -> assertThat(owners(cluster, new JobTree(job)))
                        .isNotEmpty()
                        .doesNotContainValue("b@-@1"));
        assertThatThrownBy(() -> cluster.get(admin().drainAll("b@-@1"))).hasMessageContaining("No job");
        assertThatThrownBy(() -> new DryRuns(cluster).text(CommandTable.DRAIN_ALL, Map.of("instance", "b@-@1")))
                .hasStackTraceContaining("No job of the namespace has an instance");
    }

    private static JobDefinition job(String name) {
        return JobDefinition.builder(name)
                .cron("10 * * * * ?")
                .shardingTotalCount(9)
                .build();
    }

    @Test
    void oneThatDiesWhileItStopsIsNotAwaited() {
        threeOf(JOB);
        List<NavigableMap<Integer, String>> after = new ArrayList<>();

        whileAnItemRuns(() -> {
            cluster.engine("b@-@1").stop();
            cluster.pass(Duration.ofSeconds(2));
            cluster.expire("b@-@1");
            cluster.pass(Duration.ofSeconds(2));
            after.add(owners());
        });

        assertThat(after.get(0)).hasSize(9).doesNotContainValue("b@-@1");
        assertThat(cluster.tree()).doesNotContain("awaitedMillis");
    }

    @Test
    void whatWaitsWithOneThatIsStoppingIsExplained() {
        threeOf(JOB);
        List<Condition> why = new ArrayList<>();

        whileAnItemRuns(() -> {
            cluster.stop("b@-@1");
            cluster.pass(Duration.ofSeconds(2));
            itemsOf("b@-@1")
                    .forEach(item -> why.add(cluster.get(cluster.inspector().explain("orders", item))
                            .orElseThrow()
                            .conditions()
                            .get(0)));
        });

        assertThat(why)
                .extracting(condition -> condition.fact().text())
                .contains("The item's owner \"b@-@1\" is stopping, and its items wait for its successor");
    }

    /** Does something in the body of the next item that runs on the second instance. */
    private void whileAnItemRuns(Runnable meanwhile) {
        AtomicBoolean done = new AtomicBoolean();
        during.set(() -> {
            meanwhile.run();
            done.set(true);
        });
        cluster.pass(Duration.ofSeconds(70));
        assertThat(done).isTrue();
    }

    @Test
    void aMarkThatCannotBeDeletedKeepsNoPlanFromBeingMade() {
        threeOf(JOB);
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(5));
        cluster.commit(RegistryCommit.builder().create(TREE.drain("b@-@1") + "/x", ""));

        cluster.pass(DELAY);
        long before = cluster.requests();
        cluster.pass(MINUTE);

        assertThat(owners()).doesNotContainValue("b@-@1");
        assertThat(cluster.requests() - before)
                .as("requests of two instances with a firing")
                .isLessThan(100);
    }

    /** A new leader that reads the names of the members while one leaves must not miss its mark. */
    @Test
    void nothingMovesIfTheLeaderCrashesWhileAnotherStops() {
        for (int seed = 0; seed < 150; seed++) {
            SimulatedCluster each = new SimulatedCluster(seed);
            JobDefinition job =
                    JOB.toBuilder().jobShardingStrategyClass("STICKY").build();
            List.of("a@-@1", "b@-@1", "c@-@1")
                    .forEach(instance -> each.start(instance, job, engine -> engine.rebalanceDelay(DELAY)));
            each.pass(Duration.ofSeconds(20));
            Set<Integer> had = itemsOf(each, "b@-@1");

            each.expire("a@-@1");
            each.engine("a@-@1").stop();
            each.steps(seed * 7 % 40);
            each.stop("b@-@1");
            each.pass(Duration.ofSeconds(5));

            assertThat(itemsOf(each, "b@-@1")).as("seed " + seed).containsAll(had);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"b@-@1", "b@-@77"})
    void jobsThatAreSpreadStayWhereTheyAre(String successor) {
        List.of("a@-@1", "b@-@1", "c@-@1").forEach(instance -> startSpread(instance, "10.0.0." + instance.charAt(0)));
        cluster.pass(Duration.ofSeconds(20));
        Map<String, String> before = ownersOfSpread();

        cluster.stop("b@-@1");
        cluster.pass(MINUTE);
        Map<String, String> meanwhile = ownersOfSpread();
        startSpread(successor, "10.0.0.b");
        cluster.pass(MINUTE);

        assertThat(meanwhile).isEqualTo(before);
        before.replaceAll((job, owner) -> owner.equals("b@-@1") ? successor : owner);
        assertThat(ownersOfSpread()).isEqualTo(before);
    }

    private void startSpread(String instance, String ip) {
        Consumer<ElasticJobEngine> jobs = engine -> IntStream.range(0, 12)
                .forEach(number -> engine.register(
                        JobDefinition.builder("job" + number)
                                .cron("10 * * * * ?")
                                .shardingTotalCount(1)
                                .jobShardingStrategyClass("SPREAD")
                                .build(),
                        context -> {}));
        cluster.start(instance, jobs, engine -> engine.ip(ip).rebalanceDelay(DELAY));
    }

    private Map<String, String> ownersOfSpread() {
        Map<String, String> owners = new TreeMap<>();
        IntStream.range(0, 12)
                .mapToObj(number -> "job" + number)
                .forEach(
                        job -> owners.put(job, owners(cluster, new JobTree(job)).get(0)));
        return owners;
    }

    @Test
    void theServerOfOneThatIsAwaitedIsNotForgotten() {
        threeOf(JOB.toBuilder().reconcileIntervalMinutes(1).build());
        cluster.stop("b@-@1");

        cluster.pass(DELAY.minusSeconds(10));

        assertThat(cluster.read(TREE.server("10.0.0.2"))).isPresent();
    }

    @Test
    void aPreviewAsksWhomTheJobWouldChooseAmongThoseThatAreAwaitedToo() {
        startIn("a@-@1", "x");
        startIn("b@-@1", "y");
        startIn("c@-@1", "x");
        cluster.pass(Duration.ofSeconds(20));
        Set<Integer> had = itemsOf("b@-@1");
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(5));

        WhatIf question = WhatIf.nothing().runOn("zone=x");
        ReshardPreview preview =
                cluster.get(cluster.inspector().preview("orders", question)).orElseThrow();

        assertThat(preview.moved()).containsAll(had);
    }

    private void startIn(String instance, String zone) {
        cluster.start(instance, JOB, engine -> engine.rebalanceDelay(DELAY).labels(Map.of("zone", zone)));
    }

    private Set<Integer> itemsOf(String instance) {
        return itemsOf(cluster, instance);
    }

    private static Set<Integer> itemsOf(SimulatedCluster there, String instance) {
        Set<Integer> items = new TreeSet<>();
        owners(there, TREE).forEach((item, owner) -> {
            if (owner.equals(instance)) {
                items.add(item);
            }
        });
        return items;
    }

    @Test
    void delaysOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElasticJobEngine.builder(cluster.operator()).rebalanceDelay(Duration.ofMinutes(61)))
                .withMessage("Expected a rebalance delay between 0 and 1 h, but it is 1 h 1 min");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElasticJobEngine.builder(cluster.operator()).rebalanceDelay(Duration.ofMillis(-1)));
    }

    @Test
    void anEngineThatEndsByItselfHasNoSuccessor() {
        ElasticJobEngine engine = ElasticJobEngine.builder(cluster.operator())
                .rebalanceDelay(MINUTE)
                .build();

        assertThatIllegalStateException()
                .isThrownBy(() -> engine.finishWhenIdle(MINUTE))
                .withMessageContaining("without a rebalance delay")
                .withMessageContaining("1 min");
        assertThatIllegalStateException().isThrownBy(engine::finishAfterFirstItems);
    }

    private void threeOf(JobDefinition job) {
        start("a@-@1", "10.0.0.1", job);
        start("b@-@1", "10.0.0.2", job);
        start("c@-@1", "10.0.0.3", job);
        cluster.pass(Duration.ofSeconds(20));
        cluster.forget();
    }

    private void start(String instance, String ip, JobDefinition job) {
        UnaryOperator<ElasticJobEngineBuilder> settings =
                engine -> engine.ip(ip).rebalanceDelay(DELAY);
        cluster.start(instance, job, context -> execute(instance, context), settings);
    }

    private void execute(String instance, ShardingContext context) {
        cluster.noted(instance, context);
        if (instance.equals("b@-@1")) {
            during.getAndSet(() -> {}).run();
        }
    }

    private NavigableMap<Integer, String> owners() {
        return owners(cluster, TREE);
    }

    private static NavigableMap<Integer, String> owners(SimulatedCluster there, JobTree job) {
        RegistryNode plan = there.read(job.sharding()).orElseThrow();
        return new TreeMap<>(
                NodeCodec.readAssignment(job.sharding(), plan.data()).owners());
    }

    private Set<String> instances() {
        return cluster.executions().stream()
                .map(SimulatedCluster.Execution::instance)
                .collect(Collectors.toSet());
    }

    private int moved() {
        return cluster.events().stream()
                .filter(JobEvent.Resharded.class::isInstance)
                .mapToInt(event -> ((JobEvent.Resharded) event).moved())
                .sum();
    }
}
