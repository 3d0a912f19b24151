package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.Attention;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.JobReport.FiringReport;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ItemCancelledException;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.cluster.ListenerTimeoutException;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners that are called once for a whole firing, whichever instances run its items. */
class ClusterListenerTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(6)
            .jobExceptionHandler("noted")
            .beforeFirstTimeout(Duration.ofSeconds(20))
            .build();
    private static final JobDefinition UNSET =
            ORDERS.toBuilder().beforeFirstTimeout(Duration.ofMinutes(5)).build();
    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");

    private SimulatedCluster cluster = new SimulatedCluster(7);
    private final List<String> calls = new ArrayList<>();
    private final List<ClusterFiring> firings = new ArrayList<>();
    private final List<FiringOutcomes> outcomes = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<Boolean> interrupted = new ArrayList<>();
    private Call before = firing -> {};
    private Call after = firing -> {};

    @FunctionalInterface
    private interface Call {
        void with(ClusterFiring firing) throws Exception;
    }

    private record Noting(ClusterListenerTest test, String name) implements ClusterJobListener {
        @Override
        public void beforeFirstItem(ClusterFiring firing) throws Exception {
            test.calls.add("before " + name);
            test.firings.add(firing);
            test.before.with(firing);
        }

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes ends) throws Exception {
            test.calls.add("after " + name);
            test.firings.add(firing);
            test.outcomes.add(ends);
            test.after.with(firing);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theyAreCalledOnceBeforeTheFirstItemAndOnceAfterTheLastOfAllInstances(long seed) {
        cluster = new SimulatedCluster(seed);
        startThree("one");

        cluster.pass(untilThree());

        assertThat(calls).hasSize(8).startsWith("before one").endsWith("after one");
        assertThat(calls).filteredOn(call -> call.startsWith("item")).doesNotHaveDuplicates();
        ClusterFiring last = firings.get(1);
        assertThat(last.items()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(last.runId()).isEqualTo("orders@2026-03-01T03:00:00Z");
        assertThat(last.scheduledTime()).hasValue(FIRING);
        assertThat(last.attempt()).isEqualTo(1);
        assertThat(last.fencingToken()).isGreaterThan(firings.get(0).fencingToken());
        assertThat(outcomes.get(0).isSuccess()).isTrue();
        assertThat(outcomes.get(0).items().values())
                .extracting(FiringOutcomes.Outcome::instance)
                .containsOnly("a@-@1", "b@-@1", "c@-@1");
    }

    @Test
    void theOpenFiringShowsWhatItWaitsFor() {
        List<FiringReport> shown = new ArrayList<>();
        before = firing -> {
            shown.addAll(openFirings("orders"));
            cluster.holdItems();
        };
        after = firing -> shown.addAll(openFirings("orders"));
        startThree("one");

        cluster.pass(untilThree());
        shown.addAll(openFirings("orders"));
        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(5));

        assertThat(shown)
                .extracting(FiringReport::phase)
                .containsExactly(OpenFiring.Phase.BEFORE, OpenFiring.Phase.ITEMS, OpenFiring.Phase.AFTER);
        assertThat(shown).extracting(FiringReport::items).containsOnly("0-5");
        assertThat(shown).extracting(FiringReport::unfinished).containsExactly("0-5", "0-5", "");
        assertThat(shown.get(0).instance()).hasValue(firings.get(0).instance());
        assertThat(shown.get(1).instance()).isEmpty();
        assertThat(shown.get(0).runId()).isEqualTo("orders@2026-03-01T03:00:00Z");
        assertThat(openFirings("orders")).isEmpty();
    }

    private List<FiringReport> openFirings(String job) {
        return cluster.get(cluster.inspector().job(job)).orElseThrow().firings();
    }

    @Test
    void severalNest() {
        start("a@-@1", "one", "two");

        cluster.pass(untilThree());

        assertThat(calls).startsWith("before one", "before two").endsWith("after two", "after one");
    }

    @Test
    void itsCallsAreEvents() {
        start("a@-@1", "one");

        cluster.pass(untilThree());

        assertThat(cluster.events())
                .filteredOn(JobEvent.HookFinished.class::isInstance)
                .extracting(event -> ((JobEvent.HookFinished) event).kind())
                .containsExactly(HookKind.BEFORE, HookKind.AFTER);
    }

    // ------------------------------------------------------------------ failures

    @Test
    void ifOneFailsBeforeTheItemsNoneOfThemBeginsAndTheNextFiringDoes() {
        before = firing -> {
            throw new IllegalStateException("no stock");
        };
        startThree("one", "two");

        cluster.pass(untilThree());

        assertThat(calls).containsExactly("before one");
        assertThat(failures).extracting(Throwable::getMessage).containsExactly("no stock");
        assertThat(cluster.read(TREE.item(3)).orElseThrow().text()).contains("2026-03-01T03:00:00Z FAILED 0");
        assertThat(openFirings()).isZero();

        before = firing -> {};
        cluster.pass(Duration.ofDays(1));

        assertThat(calls).hasSize(11).endsWith("after two", "after one");
    }

    @Test
    void oneThatFailsAfterTheItemsIsToldAndTheFiringEnds() {
        after = firing -> {
            throw new IllegalStateException("no mail");
        };
        startThree("one", "two");

        cluster.pass(untilThree());

        assertThat(calls).hasSize(10).endsWith("after two", "after one");
        assertThat(failures).extracting(Throwable::getMessage).containsExactly("no mail");
        assertThat(openFirings()).isZero();
    }

    @Test
    void oneThatTakesTooLongBeforeTheItemsFailsAtOnceAlthoughItIgnoresItsInterruption() {
        List<Integer> openMeanwhile = new ArrayList<>();
        before = firing -> {
            cluster.pass(Duration.ofSeconds(30));
            openMeanwhile.add(openFirings());
        };
        startThree("one");

        cluster.pass(untilThree());

        assertThat(openMeanwhile).containsExactly(0);
        assertThat(calls).containsExactly("before one");
        assertThat(failures).hasSize(1).allMatch(ListenerTimeoutException.class::isInstance);
    }

    @Test
    void theCallOfAnInstanceWhoseSessionEndsIsRepeatedElsewhere() {
        before = firing -> {
            if (firing.attempt() == 1) {
                cluster.expire(firing.instance());
                cluster.pass(Duration.ofSeconds(5));
                throw new InterruptedException("the session is over");
            }
        };
        startThree("one");

        cluster.pass(untilThree().plusSeconds(20));

        assertThat(firings).extracting(ClusterFiring::attempt).containsExactly(1, 2, 1);
        assertThat(firings.get(1).instance()).isNotEqualTo(firings.get(0).instance());
        assertThat(firings.get(1).fencingToken()).isGreaterThan(firings.get(0).fencingToken());
        assertThat(failures).isEmpty();
        assertThat(calls).filteredOn(call -> call.startsWith("item")).hasSize(6);
    }

    @Test
    void aCallThatKeepsEndingWithItsSessionIsGivenUp() {
        before = firing -> {
            cluster.expire(firing.instance());
            cluster.pass(Duration.ofSeconds(5));
            throw new InterruptedException("the session is over");
        };
        startThree("one");
        start("d@-@1", "one");

        cluster.pass(untilThree().plusSeconds(60));

        assertThat(calls).containsExactly("before one", "before one", "before one");
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0)).hasMessageContaining("not called again after 3 crashes");
        assertThat(openFirings()).isZero();
    }

    /** Nobody else goes on with it: the instance itself says, in its next session, that the call was cut off. */
    @Test
    void aCallThatKeepsEndingWithTheSessionOfTheOnlyInstanceIsGivenUpToo() {
        before = firing -> {
            cluster.expire(firing.instance());
            cluster.pass(Duration.ofSeconds(5));
            throw new InterruptedException("the session is over");
        };
        start("a@-@1", "one");

        cluster.pass(untilThree().plusSeconds(60));

        assertThat(calls).containsExactly("before one", "before one", "before one");
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0)).hasMessageContaining("not called again after 3 crashes");
        assertThat(openFirings()).isZero();
    }

    @Test
    void oneThatHangsBeforeTheItemsIsReportedLongBeforeItsTimeout() {
        List<Finding> findings = new ArrayList<>();
        before = firing -> {
            cluster.pass(Duration.ofSeconds(61));
            findings.addAll(
                    Attention.of(cluster.get(cluster.inspector().job("orders")).orElseThrow()));
        };
        try (LoggedLines lines = new LoggedLines()) {
            start(UNSET, "a@-@1", "one");

            cluster.pass(untilThree().plusSeconds(70));

            assertThat(lines.all())
                    .filteredOn(line -> line.contains("cluster listeners have been called"))
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains(
                                    "\"orders\"",
                                    "\"orders@2026-03-01T03:00:00Z\"",
                                    "for 1 min",
                                    "5 min (beforeFirstTimeout)",
                                    Noting.class.getName(),
                                    "\n\tat "));
        }
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Kind.LISTENERS_SLOW);
            assertThat(finding.fact().text()).contains("a@-@1", "before the first item", "orders@2026-03-01T03:00:00Z");
        });
        assertThat(failures).isEmpty();
        assertThat(calls).endsWith("after one");
    }

    // ------------------------------------------------------------------ cancelled

    @Test
    void aCancelledFiringEndsTheCallOnWhateverInstanceItIs() {
        before = firing -> cancelled("orders@2026-03-01T03:00:00Z");
        startThree("one");

        cluster.pass(untilThree());

        assertThat(interrupted).containsExactly(true);
        assertThat(calls).containsExactly("before one");
        assertThat(failures).hasSize(1).allMatch(ItemCancelledException.class::isInstance);
        assertThat(openFirings()).isZero();
    }

    @Test
    void aCancelledManualRunEndsTheCallToo() {
        before = firing -> cancelled("stocktaking");
        startThree("one");
        cluster.pass(Duration.ofSeconds(10));

        cluster.get(new RegistryJobAdmin(cluster.operator()).trigger("orders", new RunRequest("stocktaking", "")));
        cluster.pass(Duration.ofSeconds(10));

        assertThat(interrupted).containsExactly(true);
        assertThat(calls).containsExactly("before one");
        assertThat(openFirings()).isZero();
    }

    @Test
    void aCallGoesOnWhileAnItemIsLeft() {
        before = firing -> {
            cluster.get(new RegistryJobAdmin(cluster.operator())
                    .cancel(
                            "orders",
                            CancelRequest.run("orders@2026-03-01T03:00:00Z").onItem(3)));
            cluster.pass(Duration.ofSeconds(2));
            interrupted.add(Thread.interrupted());
        };
        startThree("one");

        cluster.pass(untilThree());

        assertThat(interrupted).containsExactly(false);
        assertThat(calls).hasSize(7).endsWith("after one");
    }

    private void cancelled(String runId) throws InterruptedException {
        cluster.get(new RegistryJobAdmin(cluster.operator()).cancel("orders", CancelRequest.run(runId)));
        cluster.pass(Duration.ofSeconds(2));
        interrupted.add(Thread.interrupted());
        throw new InterruptedException("the firing was cancelled");
    }

    // ------------------------------------------------------------------ manual runs, and what has them

    @Test
    void aManualRunHasThemToo() {
        startThree("one");
        cluster.pass(Duration.ofSeconds(10));

        cluster.get(new RegistryJobAdmin(cluster.operator()).trigger("orders", new RunRequest("stocktaking", "")));
        cluster.pass(Duration.ofSeconds(5));

        assertThat(calls).hasSize(8).startsWith("before one").endsWith("after one");
        assertThat(firings).extracting(ClusterFiring::runId).containsOnly("stocktaking");
        assertThat(firings.get(0).isManual()).isTrue();
        assertThat(outcomes.get(0).isSuccess()).isTrue();
    }

    @Test
    void aFiringWaitsWhileNoInstanceHasListenersAndAMinuteLaterItIsReported() {
        start("a@-@1", "one");
        cluster.pass(Duration.ofSeconds(10));
        start("b@-@1");
        cluster.stop("a@-@1");

        cluster.pass(untilThree());
        assertThat(missing()).isZero();
        cluster.pass(Duration.ofMinutes(3));

        assertThat(calls).isEmpty();
        assertThat(missing()).isOne();

        start("c@-@1", "one");
        cluster.pass(Duration.ofSeconds(20));

        assertThat(calls).hasSize(8).startsWith("before one").endsWith("after one");
    }

    @Test
    void anInstanceWithoutListenersLeavesThemToAnotherThatOwnsNothing() {
        JobDefinition single = ORDERS.toBuilder().shardingTotalCount(1).build();
        start(single, "c@-@1");
        cluster.pass(Duration.ofSeconds(10));
        start(single, "b@-@1", "one");

        cluster.pass(untilThree());

        assertThat(calls).containsExactly("before one", "item 0 on c@-@1", "after one");
        assertThat(firings).extracting(ClusterFiring::instance).containsOnly("b@-@1");
    }

    @Test
    void theFirstListenerBringsItsTimeoutsAndTheRegistrysAreInForceEverywhere() {
        start(UNSET, "a@-@1");
        start(UNSET.toBuilder().beforeFirstTimeout(Duration.ofSeconds(40)).build(), "b@-@1", "one");
        start(UNSET.toBuilder().beforeFirstTimeout(Duration.ofSeconds(10)).build(), "c@-@1", "one");
        cluster.stop("b@-@1");
        before = firing -> cluster.pass(Duration.ofSeconds(30));

        cluster.pass(untilThree());

        assertThat(failures).isEmpty();
        assertThat(calls).hasSize(8).startsWith("before one").endsWith("after one");
        assertThat(cluster.read(TREE.extension()).orElseThrow().text()).contains("\"beforeFirstTimeout\":\"PT40S\"");
    }

    @Test
    void theFirstListenerLeavesTheTimeoutsThatOperatorsHaveSet() {
        start(UNSET, "a@-@1");
        cluster.get(new RegistryJobAdmin(cluster.operator())
                .redefine(
                        "orders",
                        stored -> stored.toBuilder()
                                .afterLastTimeout(Duration.ofSeconds(7))
                                .build()));
        cluster.pass(Duration.ofSeconds(3));

        start(UNSET.toBuilder().afterLastTimeout(Duration.ofSeconds(8)).build(), "b@-@1", "one");

        assertThat(cluster.read(TREE.extension()).orElseThrow().text())
                .contains("\"clusterListener\":true", "\"afterLastTimeout\":\"PT7S\"");
    }

    @Test
    void aJobWhoseListenersAreGoneForGoodGoesOnWithoutThem() {
        start("a@-@1", "one");
        cluster.pass(Duration.ofSeconds(10));
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofSeconds(10));
        start(ORDERS.toBuilder().overwrite(true).build(), "b@-@1");

        cluster.pass(untilThree());

        assertThat(calls).hasSize(6).allMatch(call -> call.startsWith("item"));
        assertThat(cluster.read(TREE.firings())).isEmpty();
    }

    @Test
    void aFiringThatWaitsForListenersThatAreGoneForGoodGoesOnWithoutThem() {
        start("a@-@1", "one");
        cluster.pass(Duration.ofSeconds(10));
        start("b@-@1");
        cluster.stop("a@-@1");
        cluster.pass(untilThree());
        assertThat(openFirings()).isOne();
        cluster.stop("b@-@1");
        cluster.pass(Duration.ofSeconds(5));

        start(ORDERS.toBuilder().overwrite(true).build(), "c@-@1");
        cluster.pass(Duration.ofSeconds(20));

        assertThat(calls).hasSize(6).allMatch(call -> call.startsWith("item"));
    }

    // ------------------------------------------------------------------ what is done

    private void startThree(String... listeners) {
        for (String instance : List.of("a@-@1", "b@-@1", "c@-@1")) {
            start(instance, listeners);
        }
    }

    private void start(String instance, String... listeners) {
        start(ORDERS, instance, listeners);
    }

    private void start(JobDefinition definition, String instance, String... listeners) {
        List<ClusterJobListener> own = List.of(listeners).stream()
                .<ClusterJobListener>map(name -> new Noting(this, name))
                .toList();
        cluster.start(
                instance,
                definition,
                context -> calls.add("item " + context.getShardingItem() + " on " + instance),
                engine -> engine.clusterListeners(own)
                        .errorHandlers(Map.of("noted", (job, cause) -> failures.add(cause))));
        cluster.pass(Duration.ofSeconds(3));
    }

    private Duration untilThree() {
        return Duration.between(cluster.now(), FIRING).plusSeconds(5);
    }

    private long missing() {
        return cluster.events().stream()
                .filter(JobEvent.ListenersMissing.class::isInstance)
                .count();
    }

    private int openFirings() {
        return cluster.read(TREE.firings())
                .map(node -> NodeCodec.readFirings(node, TREE.firings()).open().size())
                .orElse(0);
    }
}
