package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.Explanation.Verdict;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items with a weight, on instances with a capacity. Jobs are due at 10 s past each minute. */
class CapacityTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String A = "a@-@1";
    private static final String B = "b@-@1";

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    /** What has a thread, in the order in which it got it; it begins when a test lets it. */
    private final Queue<Runnable> threads = new ArrayDeque<>();

    private final List<String> began = new ArrayList<>();

    @Test
    void whatHasNoRoomWaitsUnclaimedAndBeginsOnceThereIsRoom() {
        start(A, 4, job("orders", 5).weight(2).build());
        cluster.pass(MINUTE);
        int claimed = locks();
        int waiting = threads.size();

        letBegin(1);
        int claimedThen = locks();
        letBegin(4);

        assertThat(List.of(claimed, waiting, claimedThen)).containsExactly(2, 2, 2);
        assertThat(began).containsExactly("orders 0", "orders 1", "orders 2", "orders 3", "orders 4");
        assertThat(locks()).isZero();
        assertThat(cluster.engine(A).figures().capacityUsed()).isZero();
    }

    @Test
    void aHeavyItemIsNotStarvedByLightOnesThatWouldFit() {
        start(
                A,
                4,
                job("light", 3).build(),
                job("heavy", 1).cron("12 * * * * ?").weight(4).build(),
                job("late", 4).cron("14 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(20));
        int before = threads.size();

        letBegin(8);

        assertThat(before).isEqualTo(3);
        assertThat(began)
                .containsExactly("light 0", "light 1", "light 2", "heavy 0", "late 0", "late 1", "late 2", "late 3");
    }

    @Test
    void whatHasAskedFirstComesFirst() {
        start(A, 1, job("many", 4).build(), job("one", 1).cron("12 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(20));
        letBegin(5);

        assertThat(began).containsExactly("many 0", "many 1", "many 2", "many 3", "one 0");
    }

    @Test
    void whatIsDisabledWhileItIsFirstDoesNotHoldBackWhatIsAskedForLater() {
        start(
                A,
                4,
                job("light", 1).build(),
                job("heavy", 1).cron("12 * * * * ?").weight(4).build(),
                job("late", 1).cron("20 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(15));
        cluster.get(admin().disableItem("heavy", 0));
        cluster.pass(Duration.ofSeconds(10));

        assertThat(threads).as("light 0 and late 0").hasSize(2);
    }

    @Test
    void whatIsDisabledWhileItIsFirstHoldsBackOthersForASecondAtMostThoughNobodyAsks() {
        start(
                A,
                4,
                job("light", 1).weight(2).build(),
                job("heavy", 1).cron("12 * * * * ?").weight(4).build(),
                job("late", 1).cron("14 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(18));
        int before = threads.size();
        cluster.get(admin().disableItem("heavy", 0));
        cluster.pass(Duration.ofSeconds(1));

        assertThat(before).isEqualTo(1);
        assertThat(threads).as("light 0 and late 0").hasSize(2);
    }

    /** What its job lacks, others must not wait for. */
    @Test
    void aJobThatCanNotBeReadHoldsBackNobody() {
        start(
                A,
                4,
                job("light", 1).weight(2).build(),
                job("damaged", 1).cron("12 * * * * ?").weight(4).build(),
                job("follower", 1).cron("").after(AfterSettings.of("damaged")).build(),
                job("late", 1).cron("20 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(15));
        String firings = new JobTree("damaged").firings();
        cluster.commit(
                cluster.read(firings).isPresent()
                        ? RegistryCommit.builder().set(firings, "{", -1)
                        : RegistryCommit.builder().create(firings, "{"));
        letBegin(1);
        cluster.pass(Duration.ofSeconds(10));

        assertThat(began).containsExactly("light 0");
        assertThat(threads).as("late 0").hasSize(1);
        assertThat(cluster.engine(A).figures().capacityUsed()).isEqualTo(1);
    }

    @Test
    void anItemIsReadOnceASecondOnlyWhileItHoldsBackOthers() {
        start(
                A,
                4,
                job("light", 1).weight(2).build(),
                job("heavy", 1).cron("12 * * * * ?").weight(4).build(),
                job("late", 1).cron("24 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(13));
        long nothingBehind = requestsOf(Duration.ofSeconds(8));
        cluster.pass(Duration.ofSeconds(4));
        long heldBack = requestsOf(Duration.ofSeconds(8));

        assertThat(nothingBehind).as("what an idle cluster needs").isLessThan(4);
        assertThat(heldBack - nothingBehind).isBetween(6L, 9L);
    }

    @Test
    void anItemThatIsGivenAwayNoLongerWaits() {
        start(A, 2, job("orders", 2).weight(2).build());
        cluster.pass(Duration.ofSeconds(15));
        start(B, 2, job("orders", 2).weight(2).build());
        cluster.pass(Duration.ofSeconds(5));
        int begun = threads.size();
        letBegin(2);
        cluster.pass(MINUTE);
        letBegin(2);

        assertThat(begun).as("one on each").isEqualTo(2);
        assertThat(cluster.executions()).hasSize(4);
    }

    @Test
    void anItemThatIsTooHeavyIsLeftAloneWithoutABusyLoop() {
        start(A, 4, job("orders", 2).itemWeights("1=5").build());
        cluster.pass(Duration.ofSeconds(15));
        letBegin(1);
        long before = cluster.requests();

        cluster.pass(Duration.ofSeconds(30));

        assertThat(began).containsExactly("orders 0");
        assertThat(cluster.requests() - before).as("what an idle cluster needs").isLessThan(40);

        cluster.get(admin().redefine(
                        "orders", job -> job.toBuilder().itemWeights("1=4").build()));
        cluster.pass(Duration.ofSeconds(2));
        letBegin(1);

        assertThat(began).containsExactly("orders 0", "orders 1");
    }

    /** Each weight once, and again when it has changed. */
    @Test
    void anItemThatIsTooHeavyIsToldWithTheSettingsThatWouldHelp() {
        try (LoggedLines log = new LoggedLines()) {
            start(A, 4, job("orders", 2).itemWeights("1=5").build());
            cluster.pass(Duration.ofSeconds(2));
            assertThat(log.all()).as("before anything is due").contains(tooHeavy(5));
            cluster.pass(MINUTE);
            cluster.get(admin().redefine(
                            "orders", job -> job.toBuilder().itemWeights("1=7").build()));
            cluster.pass(MINUTE);

            assertThat(log.all().stream().filter(line -> line.contains("never starts here")))
                    .containsExactly(tooHeavy(5), tooHeavy(7));
        }
    }

    private static String tooHeavy(int weight) {
        return ("WARN Job \"orders\": item 1 has a weight of %d, but this instance has a capacity of 4, so it never starts here."
                        + " Lower its weight (weight, itemWeights), raise elasticjob.worker.capacity, or choose other"
                        + " instances (runOn)")
                .formatted(weight);
    }

    @Test
    void whatIsInterruptedIsTakenOverWhereThereIsRoomAndOnlyOnce() {
        start(A, 2, job("orders", 2).failover(true).weight(2).build());
        start(B, 2, job("orders", 2).failover(true).weight(2).build());
        cluster.pass(MINUTE);
        int claimed = threads.size();
        cluster.expire(A);
        cluster.pass(Duration.ofSeconds(2));
        letBegin(8);
        cluster.pass(Duration.ofSeconds(5));
        letBegin(8);

        assertThat(claimed).isEqualTo(2);
        assertThat(cluster.executions().stream().map(Execution::item).distinct())
                .hasSize(2);
        assertThat(cluster.engine(A).figures().capacityUsed()).isZero();
        assertThat(cluster.engine(B).figures().capacityUsed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutMonitoringAFiringThatHasNoRoomIsKeptOrDroppedAsIfTheItemRan(boolean misfire) {
        start(A, 1, job("orders", 2).monitorExecution(false).misfire(misfire).build());
        cluster.pass(Duration.ofSeconds(15));
        int first = threads.size();
        letBegin(2);

        assertThat(first).isEqualTo(1);
        assertThat(began).hasSize(misfire ? 2 : 1);
        assertThat(cluster.engine(A).figures().capacityUsed()).isZero();
    }

    /** At the start of each job: the watch on what others offer, and a look. */
    @Test
    void capacityCostsTwoRequestsAtTheStartAndNoneAfterwards() {
        long without = requestsOfAMinute(UnaryOperator.identity());
        long with = requestsOfAMinute(engine -> engine.capacity(100));

        assertThat(with).isEqualTo(without + 2);
    }

    @Test
    void requestedRunsWaitForRoomToo() {
        start(A, 1, job("orders", 2).cron("").build());
        cluster.pass(Duration.ofSeconds(2));
        admin().trigger("orders");
        cluster.pass(Duration.ofSeconds(2));
        int first = threads.size();
        letBegin(2);

        assertThat(first).isEqualTo(1);
        assertThat(began).containsExactly("orders 0", "orders 1");
    }

    @Test
    void explainNamesWhatTakesTheRoomAndWhatIsTooHeavy() {
        start(
                A,
                4,
                job("orders", 2).weight(3).build(),
                job("report", 1).itemWeights("0=5").build());
        cluster.pass(Duration.ofSeconds(15));
        JobInspector here = cluster.engine(A).inspector();

        assertThat(why(here, "orders", 1))
                .contains(Verdict.WAITS
                        + ": The item has a weight of 3, and waits for capacity of \"a@-@1\": 3 of 4 are taken by orders; offered to the others"
                        + " since 2026-03-01T00:00:11Z");
        assertThat(why(here, "report", 0))
                .contains(
                        Verdict.BLOCKED
                                + ": The item has a weight of 5, and its owner \"a@-@1\" a capacity of 4, so it never starts there");
    }

    @Test
    void whatRunsAfterAJobWaitsForAnItemThatIsTooHeavy() {
        start(
                A,
                4,
                job("orders", 2).itemWeights("1=5").build(),
                job("report", 1)
                        .cron("")
                        .after(new AfterSettings(List.of("orders"), AfterOutcome.ANY, Duration.ofDays(1)))
                        .build());
        cluster.pass(MINUTE);
        letBegin(8);
        cluster.pass(Duration.ofSeconds(2));
        letBegin(8);
        List<String> before = List.copyOf(began);
        cluster.get(admin().redefine(
                        "orders", job -> job.toBuilder().itemWeights("1=4").build()));
        cluster.pass(Duration.ofSeconds(2));
        letBegin(8);
        cluster.pass(Duration.ofSeconds(2));
        letBegin(8);

        assertThat(before).containsOnly("orders 0");
        assertThat(began).endsWith("orders 1", "report 0");
    }

    @Test
    void anItemThatIsTooHeavyNeedsAttention() {
        start(A, 4, job("orders", 2).itemWeights("1=5").build());
        cluster.pass(Duration.ofSeconds(15));

        assertThat(cluster.get(cluster.engine(A).inspector().attention()))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.kind()).isEqualTo(Kind.ITEM_TOO_HEAVY);
                    assertThat(finding.items()).containsExactly(1);
                    assertThat(finding.fact().text())
                            .isEqualTo(
                                    "The item has a weight of 5, and its owner \"a@-@1\" a capacity of 4, so it never starts there");
                    assertThat(finding.remedy().text()).doesNotContain("WEIGHTED");
                });
    }

    @Test
    void aWeightThatRisesWhileAFiringIsKeptCountsInFull() {
        start(
                A,
                4,
                job("big", 1).weight(4).monitorExecution(false).build(),
                job("orders", 1).cron("12 * * * * ?").monitorExecution(false).build());
        cluster.pass(Duration.ofSeconds(15));
        cluster.get(admin().redefine("orders", job -> job.toBuilder().weight(4).build()));
        cluster.pass(Duration.ofSeconds(2));
        threads.remove().run();
        cluster.pass(Duration.ofSeconds(2));

        assertThat(threads).hasSize(1);
        assertThat(cluster.engine(A).figures().capacityUsed()).isEqualTo(4);
    }

    @Test
    void aJobThatIsPausedNoLongerHoldsBackOthers() {
        start(
                A,
                4,
                job("light", 1).build(),
                job("heavy", 1).cron("12 * * * * ?").weight(4).build(),
                job("late", 1).cron("14 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(16));
        int before = threads.size();
        cluster.get(admin().pause("heavy"));
        cluster.pass(Duration.ofSeconds(2));

        assertThat(before).isEqualTo(1);
        assertThat(threads).as("light 0 and late 0").hasSize(2);
    }

    @Test
    void explainNamesTheHeadThatAnItemWaitsBehind() {
        start(
                A,
                4,
                job("light", 1).build(),
                job("heavy", 1).cron("12 * * * * ?").weight(4).build(),
                job("late", 1).cron("14 * * * * ?").build());
        cluster.pass(Duration.ofSeconds(16));

        assertThat(why(cluster.engine(A).inspector(), "late", 0))
                .anyMatch(line -> line.contains("behind item 0 of \"heavy\", which needs 4; offered to the others since"
                        + " 2026-03-01T00:00:15"));
    }

    /** Its owner can't carry it, which is no news of an item that isn't due, nor of one that another instance runs. */
    @Test
    void explainSaysOfAnItemThatRunsElsewhereThatItRuns() {
        JobDefinition orders = job("orders", 2).weight(5).build();
        start(A, 4, orders);
        start(B, 8, orders);
        cluster.pass(Duration.ofSeconds(2));
        JobInspector inspector = cluster.engine(B).inspector();
        int heavy = ownerOf(inspector, 0).equals(A) ? 0 : 1;
        assertThat(reasons(inspector, heavy)).startsWith(Reason.NOT_DUE).doesNotContain(Reason.WAITS_FOR_CAPACITY);

        cluster.pass(Duration.ofSeconds(13));
        assertThat(reasons(inspector, heavy)).startsWith(Reason.WAITS_FOR_CAPACITY);
        letBegin(1);

        assertThat(reasons(inspector, heavy))
                .startsWith(Reason.RUNS)
                .doesNotContain(Reason.WAITS_FOR_CAPACITY, Reason.INSIDE_THE_INSTANCE);
    }

    /** A restart of the one that helps is no reason to change weights. */
    @Test
    void anItemThatOneCanCarryWhichIsAwaitedIsNotTooHeavy() {
        for (String instance : List.of(A, B)) {
            cluster.start(
                    instance,
                    engine -> engine.register(job("orders", 2).weight(5).build(), context -> began(instance, context)),
                    engine -> engine.capacity(instance.equals(A) ? 4 : 8)
                            .rebalanceDelay(MINUTE.multipliedBy(5))
                            .workers(threads::add));
        }
        cluster.pass(Duration.ofSeconds(2));
        JobInspector inspector = cluster.engine(A).inspector();
        int heavy = ownerOf(inspector, 0).equals(A) ? 0 : 1;

        cluster.stop(B);
        cluster.pass(Duration.ofSeconds(20));

        assertThat(reasons(inspector, 1 - heavy)).startsWith(Reason.SUCCESSOR_AWAITED);
        assertThat(reasons(inspector, heavy)).startsWith(Reason.WAITS_FOR_CAPACITY);
        assertThat(cluster.get(inspector.attention())).extracting(Finding::kind).doesNotContain(Kind.ITEM_TOO_HEAVY);
    }

    private String ownerOf(JobInspector inspector, int item) {
        return cluster.get(inspector.explain("orders", item))
                .flatMap(Explanation::owner)
                .orElseThrow();
    }

    private List<Reason> reasons(JobInspector inspector, int item) {
        return cluster.get(inspector.explain("orders", item)).orElseThrow().conditions().stream()
                .map(Condition::reason)
                .toList();
    }

    private List<String> why(JobInspector inspector, String job, int item) {
        Explanation why = cluster.get(inspector.explain(job, item)).orElseThrow();
        return why.conditions().stream()
                .map(condition -> why.verdict() + ": " + condition.fact().text())
                .toList();
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition.Builder job(String name, int items) {
        return JobDefinition.builder(name)
                .cron("10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(items);
    }

    private JobAdmin admin() {
        return new RegistryJobAdmin(
                        cluster.operator(), new CommandLog((JobEvent event) -> {}, Actor.UNKNOWN), cluster.timer())
                .by(Actor.named("mei"));
    }

    private void start(String instance, int capacity, JobDefinition... jobs) {
        cluster.start(
                instance,
                engine -> Arrays.stream(jobs).forEach(job -> engine.register(job, context -> began(instance, context))),
                engine -> engine.capacity(capacity).workers(threads::add));
        cluster.pass(Duration.ofSeconds(1));
    }

    private void began(String instance, ShardingContext context) {
        began.add(context.getJobName() + " " + context.getShardingItem());
        cluster.executions()
                .add(new Execution(
                        instance,
                        context.getShardingItem(),
                        context.getScheduledTime(),
                        context.getAttempt(),
                        context.getTaskId(),
                        context.getRunId()));
    }

    /** So many threads run, one after the other, as far as there are any. */
    private void letBegin(int count) {
        for (int thread = 0; thread < count && !threads.isEmpty(); thread++) {
            threads.remove().run();
            cluster.pass(Duration.ofMillis(500));
        }
    }

    private long requestsOf(Duration time) {
        long before = cluster.requests();
        cluster.pass(time);
        return cluster.requests() - before;
    }

    private int locks() {
        return (int) cluster.tree()
                .lines()
                .filter(line -> line.contains("/running "))
                .count();
    }

    private static long requestsOfAMinute(UnaryOperator<ElasticJobEngineBuilder> settings) {
        SimulatedCluster cluster = new SimulatedCluster(7);
        cluster.start(A, job("orders", 3).build(), settings);
        cluster.pass(MINUTE);
        return cluster.requests();
    }
}
