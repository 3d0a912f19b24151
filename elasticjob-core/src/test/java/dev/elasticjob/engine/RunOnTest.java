package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.groups.Tuple.tuple;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.ReshardPreview;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.Effect;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that chooses its instances by labels ({@code runOn}). It is due at 10 s past each minute. */
class RunOnTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final RegistryJobAdmin admin =
            new RegistryJobAdmin(cluster.operator(), new CommandLog(event -> {}, Actor.UNKNOWN), cluster.timer());

    @Test
    void itemsRunOnlyWhereTheLabelsMatch() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        start("c@-@1", "");

        cluster.pass(MINUTE.multipliedBy(2));

        assertThat(instances()).containsExactly("a@-@1");
        assertThat(cluster.executions()).hasSize(6);
        assertThat(List.of(state("a@-@1"), state("b@-@1"), state("c@-@1")))
                .containsExactly(JobState.ACTIVE, JobState.UNMATCHED, JobState.UNMATCHED);
        assertThat(cluster.get(cluster.inspector().instances("orders")).orElseThrow())
                .extracting(InstanceReport::labels, InstanceReport::matches)
                .containsExactly(
                        tuple(Map.of("zone", "a"), true), tuple(Map.of("zone", "b"), false), tuple(Map.of(), false));
    }

    @Test
    void aChangedChoiceMovesTheItems() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE);
        cluster.forget();

        runOn("zone=b");
        cluster.pass(MINUTE);
        Set<String> moved = instances();
        cluster.forget();
        runOn("");
        cluster.pass(MINUTE);

        assertThat(moved).containsExactly("b@-@1");
        assertThat(instances()).containsExactly("a@-@1", "b@-@1");
    }

    @Test
    void aChoiceThatComesBackBeforeTheLeaderHasNoticedDoesNotStrandTheOwner() {
        start("b@-@1", "zone=b");
        start("a@-@1", "zone=a");
        cluster.pass(MINUTE);
        for (int change = 0; change < 10; change++) {
            runOn(change % 2 == 0 ? "zone=b" : "zone=a");
            cluster.steps(change * 3);
        }
        cluster.pass(Duration.ofSeconds(50));
        cluster.forget();

        cluster.pass(MINUTE);

        assertThat(cluster.executions()).hasSize(3);
        assertThat(instances()).containsExactly("a@-@1");
    }

    @Test
    void whatIsDueWithoutAMatchWaitsForOneAndIsExplained() {
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE.multipliedBy(3));
        int meanwhile = cluster.executions().size();
        Explanation why = cluster.get(cluster.inspector().explain("orders", 0)).orElseThrow();
        List<Finding> findings = cluster.get(cluster.inspector().attention());
        JobStatus status =
                cluster.get(cluster.inspector().job("orders")).orElseThrow().status();

        List<JobReport> listed = cluster.get(cluster.engine("b@-@1").inspector().jobs());
        start("a@-@1", "zone=a");
        cluster.pass(Duration.ofSeconds(5));

        assertThat(meanwhile).isZero();
        assertThat(why.conditions()).first().satisfies(condition -> {
            assertThat(condition.reason()).isEqualTo(Reason.NO_INSTANCE_MATCHES);
            assertThat(condition.fact().text()).contains("\"b@-@1\" doesn't fulfil zone=a");
        });
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Finding.Kind.NO_INSTANCE_MATCHES);
            assertThat(finding.fact().text()).contains("\"b@-@1\" doesn't fulfil zone=a");
        });
        assertThat(status).isEqualTo(JobStatus.UNMATCHED);
        assertThat(listed).extracting(JobReport::status).containsExactly(JobStatus.UNMATCHED);
        assertThat(cluster.executions())
                .as("the missed firings are folded into the latest")
                .hasSize(3)
                .allSatisfy(run -> assertThat(run.instance()).isEqualTo("a@-@1"));
    }

    @Test
    void theFindingIsAsOldAsTheFirstFiringThatNobodyHasBegunWhoeverComesAndGoes() {
        start("a@-@1", "zone=a");
        cluster.pass(MINUTE);
        runOn("zone=c");
        cluster.pass(MINUTE.multipliedBy(2));
        List<Finding> before = cluster.get(cluster.inspector().attention());
        start("c@-@1", "");
        cluster.pass(MINUTE);

        List<Finding> after = cluster.get(cluster.inspector().attention());

        assertThat(before)
                .singleElement()
                .satisfies(finding -> assertThat(finding.since())
                        .hasValueSatisfying(since ->
                                assertThat(since).isBefore(cluster.now().minus(MINUTE))));
        assertThat(after)
                .extracting(Finding::since)
                .isEqualTo(List.of(before.get(0).since()));
    }

    @Test
    void ifAllThatMatchAreDrainedExplainSaysWhichAreMeant() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        cluster.get(admin.by(Actor.named("mei")).drain("orders", "a@-@1"));
        cluster.pass(MINUTE);

        Explanation why = cluster.get(cluster.inspector().explain("orders", 0)).orElseThrow();

        assertThat(why.conditions())
                .first()
                .satisfies(condition -> assertThat(condition.fact().text())
                        .startsWith("All instances of the job with zone=a are drained, the last one is \"a@-@1\""));
    }

    @Test
    void aRunIsRefusedWithWhatIsMissing() {
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE);

        assertThatException()
                .isThrownBy(() -> cluster.get(admin.trigger("orders")))
                .withMessageContaining("no instance that may run it now: start one")
                .withMessageContaining("whose labels its runOn asks for");
    }

    @Test
    void aPreviewAsksForOtherLabelsAndInstancesThatJoinHaveThoseOfThePresentOnes() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE);

        ReshardPreview moved = preview(WhatIf.nothing().runOn("zone=b"));
        ReshardPreview nobody = preview(WhatIf.nothing().runOn("zone=c"));
        ReshardPreview joined = preview(WhatIf.nothing().more(1));

        assertThat(moved.moved()).containsExactly(0, 1, 2);
        assertThat(moved.instances())
                .extracting(ReshardPreview.Share::instance, ReshardPreview.Share::eligible)
                .containsExactly(tuple("a@-@1", false), tuple("b@-@1", true));
        assertThat(nobody.unowned()).containsExactly(0, 1, 2);
        assertThat(joined.instances()).extracting(share -> share.after().size()).containsExactly(1, 2, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WhatIf.nothing().runOn("zone in a"))
                .withMessageContaining("at position 9");
    }

    private ReshardPreview preview(WhatIf question) {
        return cluster.get(cluster.inspector().preview("orders", question)).orElseThrow();
    }

    @Test
    void aDryRunSaysThatNobodyMatches() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE);

        assertThat(effectsOf("zone=c")).contains(Effect.Code.NOBODY_MATCHES).doesNotContain(Effect.Code.REBALANCED);
        assertThat(effectsOf("zone=b")).contains(Effect.Code.REBALANCED).doesNotContain(Effect.Code.NOBODY_MATCHES);
    }

    private List<Effect.Code> effectsOf(String selector) {
        String version = cluster.get(admin.versionedDefinition("orders")).version();
        Map<String, Object> change = Map.of("version", version, "settings", Map.of("runOn", selector));
        return new DryRuns(cluster)
                .of(CommandTable.REDEFINE, "orders", change).effects().stream()
                        .map(Effect::code)
                        .toList();
    }

    @Test
    void aServersReportSaysWhereTheInstanceDoesNotMatch() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE);

        assertThat(cluster.get(cluster.inspector().servers()))
                .flatExtracting(ServerReport::instances)
                .flatExtracting(ServerReport.InstanceOnServer::parts)
                .extracting(ServerReport.Part::matches, ServerReport.Part::alone)
                .containsExactlyInAnyOrder(tuple(true, true), tuple(false, false));
    }

    @Test
    void anInterruptedExecutionIsTakenOverByOneThatMatches() {
        start("a@-@1", "zone=a");
        for (String other : List.of("b@-@1", "b@-@2", "b@-@3", "b@-@4")) {
            start(other, "zone=b");
        }
        start("a@-@2", "zone=a");
        cluster.holdItems();
        cluster.pass(MINUTE);
        cluster.expire("a@-@1");
        cluster.pass(Duration.ofSeconds(30));
        cluster.letItemsBegin();
        cluster.pass(MINUTE);

        assertThat(instances()).isSubsetOf("a@-@1", "a@-@2");
        assertThat(cluster.executions().stream().filter(run -> run.attempt() > 0))
                .isNotEmpty()
                .allSatisfy(run -> assertThat(run.instance()).startsWith("a@-@"));
    }

    @Test
    void disabledServersOfAllThatMatchAreAPauseThoughOthersComeAndGo() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE);
        start("b@-@2", "zone=b");
        cluster.pass(Duration.ofSeconds(1));
        cluster.get(admin.by(Actor.named("mei")).disableServer("orders", "10.0.0.1"));
        cluster.pass(MINUTE.multipliedBy(3));
        cluster.forget();

        cluster.get(admin.by(Actor.named("mei")).enableServer("orders", "10.0.0.1"));
        Instant enabled = cluster.now();
        cluster.pass(MINUTE);

        assertThat(cluster.executions())
                .as("nothing of the pause is owed")
                .hasSize(3)
                .allSatisfy(run -> assertThat(run.scheduledAt()).isAfter(enabled));
        assertThat(cluster.events())
                .noneMatch(event -> event instanceof JobEvent.FiringsFolded || event instanceof JobEvent.FiringsLost);
    }

    @Test
    void aToolsCommandThatHidesTheLabelsMovesNothing() {
        start("a@-@1", "zone=a");
        start("b@-@1", "zone=b");
        cluster.pass(MINUTE);
        cluster.forget();
        for (String instance : List.of("a@-@1", "b@-@1")) {
            cluster.commit(
                    RegistryCommit.builder().set(TREE.instance(instance), "TRIGGER", RegistryCommit.ANY_VERSION));
        }
        cluster.pass(Duration.ofSeconds(5));

        assertThat(cluster.executions()).hasSize(3);
        assertThat(instances()).containsExactly("a@-@1");
        assertThat(cluster.events()).noneMatch(event -> event instanceof JobEvent.Resharded);
    }

    @Test
    void anUnmonitoredJobRunsOnlyWhereTheLabelsMatch() {
        JobDefinition unmonitored =
                orders().toBuilder().monitorExecution(false).failover(false).build();
        cluster.start("b@-@1", unmonitored, context -> noted("b@-@1", context), labels("zone=b"));
        cluster.start("a@-@1", unmonitored, context -> noted("a@-@1", context), labels("zone=a"));
        cluster.pass(MINUTE.multipliedBy(2));
        ranOn.clear();
        runOn("zone=b");
        cluster.pass(MINUTE.multipliedBy(2));

        assertThat(ranOn).containsOnly("b@-@1").hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFirstInstanceThatMatchesRunsAOneOffJobAtStart(boolean othersFirst) {
        JobDefinition once = JobDefinition.builder("orders")
                .shardingTotalCount(3)
                .runAtStart(true)
                .runOn("zone=a")
                .build();
        if (othersFirst) {
            cluster.start("b@-@1", once, context -> noted("b@-@1", context), labels("zone=b"));
            cluster.pass(Duration.ofSeconds(5));
        }
        cluster.start("a@-@1", once, context -> noted("a@-@1", context), labels("zone=a"));
        cluster.pass(Duration.ofSeconds(5));
        cluster.start("a@-@2", once, context -> noted("a@-@2", context), labels("zone=a"));
        cluster.pass(Duration.ofSeconds(5));

        assertThat(ranOn).hasSize(3).allSatisfy(instance -> assertThat(instance).startsWith("a@-@"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInstanceThatDoesNotMatchBringsNoListenersOfTheCluster(boolean isTheFirst) {
        if (!isTheFirst) {
            start("a@-@1", "zone=a");
        }
        cluster.pass(Duration.ofSeconds(2));
        List<String> called = new ArrayList<>();
        cluster.start(
                "b@-@1",
                orders(),
                context -> noted("b@-@1", context),
                engine -> labels("zone=b").apply(engine).clusterListeners(List.of(new Listening(called))));
        cluster.pass(Duration.ofSeconds(2));
        if (isTheFirst) {
            start("a@-@1", "zone=a");
        }
        cluster.pass(MINUTE.multipliedBy(2));

        assertThat(called).isEmpty();
        assertThat(cluster.executions())
                .as("no firing waits for listeners that nobody may call")
                .hasSize(6);
    }

    /** A person has written it into the registry. */
    @Test
    void aStoredChoiceThatCanNotBeParsedStopsOnlyThatJobWhichSaysWhere() {
        startWithBilling("a@-@1");
        cluster.pass(MINUTE);
        cluster.forget();

        choose("zone in a");
        cluster.pass(MINUTE.multipliedBy(2));

        assertThat(cluster.engine("a@-@1").state("orders")).isEqualTo(JobState.SUSPENDED);
        assertThat(cluster.events())
                .filteredOn(event -> event instanceof JobEvent.DefinitionUnreadable)
                .singleElement()
                .satisfies(told -> assertSaid(((JobEvent.DefinitionUnreadable) told).reason()));
        assertThat(cluster.get(cluster.inspector().job("orders")).orElseThrow().problem())
                .hasValueSatisfying(RunOnTest::assertSaid);
        assertThat(cluster.executions()).isEmpty();
        assertThat(ranOn).as("in three minutes").containsExactly("billing", "billing", "billing");

        choose("zone in (a)");
        cluster.pass(MINUTE);

        assertThat(cluster.engine("a@-@1").state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(instances()).containsExactly("a@-@1");
    }

    @Test
    void anInstanceThatStartsWithSuchAChoiceInTheRegistryRunsItsOtherJobs() {
        start("a@-@1", "zone=a");
        cluster.pass(MINUTE);
        cluster.stop("a@-@1");
        choose("zone in a");
        cluster.forget();

        startWithBilling("a@-@2");
        cluster.pass(MINUTE);

        assertThat(cluster.engine("a@-@2").state("orders")).isEqualTo(JobState.STOPPED);
        assertThat(cluster.events())
                .filteredOn(event -> event instanceof JobEvent.JobRefused)
                .singleElement()
                .satisfies(told -> assertSaid(((JobEvent.JobRefused) told).reason()));
        assertThat(cluster.executions()).isEmpty();
        assertThat(ranOn).containsExactly("billing");
    }

    private void startWithBilling(String instance) {
        JobDefinition billing = JobDefinition.builder("billing")
                .cron("10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .runOn("zone in (a)")
                .build();
        cluster.start(
                instance,
                engine -> {
                    engine.register(orders(), context -> cluster.noted(instance, context));
                    engine.register(billing, context -> ranOn.add("billing"));
                },
                labels("zone=a"));
        cluster.pass(Duration.ofSeconds(1));
    }

    /** As it stands in the extension, whatever it said before. */
    private void choose(String selector) {
        String extension = cluster.read(TREE.extension()).orElseThrow().text();
        cluster.commit(RegistryCommit.builder()
                .set(
                        TREE.extension(),
                        extension.replaceFirst("\"runOn\":\"[^\"]*\"", "\"runOn\":\"" + selector + "\""),
                        RegistryCommit.ANY_VERSION));
    }

    private static void assertSaid(String told) {
        assertThat(told)
                .contains(
                        "The extension of job \"orders\" in the registry can't be used: runOn is \"zone in a\": expected ("
                                + " and values, such as (a,b); found \"a\" at position 9 of \"zone in a\". Correct it there");
    }

    // ------------------------------------------------------------------ helpers

    private final List<String> ranOn = new ArrayList<>();

    private void noted(String instance, ShardingContext context) {
        ranOn.add(instance);
    }

    private record Listening(List<String> called) implements ClusterJobListener {
        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            called.add("before " + firing.runId());
        }
    }

    private static JobDefinition orders() {
        return JobDefinition.builder("orders")
                .cron("10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3)
                .failover(true)
                .runOn("zone=a")
                .build();
    }

    private static UnaryOperator<ElasticJobEngineBuilder> labels(String text) {
        return engine -> engine.labels(InstanceLabels.parse(text).values());
    }

    private void start(String instance, String labels) {
        cluster.start(instance, orders(), labels(labels));
        cluster.pass(Duration.ofSeconds(1));
    }

    private void runOn(String selector) {
        cluster.get(admin.by(Actor.named("mei"))
                .redefine("orders", job -> job.toBuilder().runOn(selector).build()));
    }

    private JobState state(String instance) {
        return cluster.engine(instance).state("orders");
    }

    private Set<String> instances() {
        return cluster.executions().stream().map(Execution::instance).collect(Collectors.toCollection(TreeSet::new));
    }
}
