package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.ForeignInstanceException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.event.JobEvent.DefinitionUnreadable;
import dev.elasticjob.job.event.JobEvent.ForeignInstances;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances of Elastic-Job 2.x and 3.x in a job of ours, which fires every minute. */
class ForeignInstanceTest {
    private static final String OF_2 = "";
    private static final String OF_3 = "jobInstanceId: 10.0.0.9@-@1\nserverIp: 10.0.0.9\n";
    private static final String FOREIGN = "10.0.0.9@-@1";
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JobDefinition EVERY_MINUTE = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();

    // ------------------------------------------------------------------ before ours start

    @ParameterizedTest
    @ValueSource(strings = {OF_2, OF_3, "whatever"})
    void aJobIsNotStartedBesideOne(String data) {
        OneEngine one = besideForeigner(data);

        CompletionStage<Void> started = one.engine.start();
        one.settle();

        assertThatThrownBy(() -> started.toCompletableFuture().join())
                .hasCauseInstanceOf(ForeignInstanceException.class)
                .hasMessageContaining("\"" + FOREIGN + "\"")
                .hasMessageContaining("elasticjob.on-foreign-instance");
        assertThat(one.read(TREE.config())).isEmpty();
        assertThat(one.engine.state("orders")).isEqualTo(JobState.STOPPED);
    }

    @Test
    void itIsStartedWhereThatWasChosen() {
        OneEngine one = new OneEngine(
                NOON, EVERY_MINUTE, context -> {}, engine -> engine.onForeignInstance(OnForeignInstance.WARN));
        make(one, OF_2);

        try (LoggedLines log = new LoggedLines()) {
            one.started();

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("WARN") && line.contains(FOREIGN))
                    .hasSize(1);
        }
        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(one.read(TREE.owner(0)).orElseThrow().text()).isEqualTo("a@-@1");
    }

    @Test
    void aNodeThatNoProcessOwnsIsNobody() {
        OneEngine one = new OneEngine(NOON, EVERY_MINUTE, context -> {});
        one.operate(parents(RegistryCommit.builder()).create(TREE.instance(FOREIGN), "TRIGGER"));

        one.started();

        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
    }

    // ------------------------------------------------------------------ while ours run

    @ParameterizedTest
    @ValueSource(strings = {OF_2, OF_3})
    void nothingIsClaimedUntilItIsGoneAndWhatWasDueMeanwhileIsNotRepeated(String data) {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);

        join(cluster, data);
        cluster.pass(Duration.ofSeconds(90));
        assertThat(cluster.executions()).isEmpty();
        assertThat(states(cluster)).containsOnly(JobState.SUSPENDED);
        assertThat(cluster.read(TREE.owner(0))).isEmpty();

        leave(cluster);
        cluster.pass(SECOND);
        assertThat(cluster.executions()).isEmpty();
        cluster.pass(MINUTE);

        assertThat(cluster.executions())
                .extracting(Execution::scheduledAt)
                .containsExactly(Instant.parse("2026-03-01T00:02:00Z"), Instant.parse("2026-03-01T00:02:00Z"));
        assertThat(states(cluster)).containsOnly(JobState.ACTIVE);
    }

    @Test
    void everyInstanceSaysItOnceAndTheReportSaysIt() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);

        try (LoggedLines log = new LoggedLines()) {
            join(cluster, OF_2);
            cluster.pass(MINUTE);

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("ERROR") && line.contains(FOREIGN))
                    .hasSize(2);
        }
        assertThat(EventLog.only(ForeignInstances.class, cluster.events())).hasSize(2);
        assertThat(cluster.get(cluster.engine("b@-@1").inspector().job("orders"))
                        .orElseThrow()
                        .problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains(FOREIGN));
    }

    @Test
    void anOperatorsCommandDoesNotHideOneNorTurnOneOfOursIntoOne() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        cluster.commit(RegistryCommit.builder().set(TREE.instance("b@-@1"), "TRIGGER", RegistryCommit.ANY_VERSION));
        cluster.pass(SECOND);
        assertThat(cluster.executions()).isNotEmpty();
        int before = cluster.executions().size();

        join(cluster, OF_2);
        cluster.pass(SECOND);
        cluster.commit(RegistryCommit.builder().set(TREE.instance(FOREIGN), "TRIGGER", RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTE);

        assertThat(cluster.executions()).hasSize(before);
    }

    @Test
    void whoeverAsksForARunMeanwhileIsToldWhatHoldsTheJob() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        join(cluster, OF_2);
        cluster.pass(SECOND);

        assertThatThrownBy(() -> cluster.get(cluster.engine("a@-@1").admin().trigger("orders")))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "\"orders\"", "\"" + FOREIGN + "\"", "other software", "trigger the run again");
    }

    @Test
    void aToolThatAsksForARunMeanwhileIsAnsweredSoInTheLog() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        join(cluster, OF_2);
        cluster.pass(SECOND);

        try (LoggedLines log = new LoggedLines()) {
            cluster.commit(RegistryCommit.builder().set(TREE.instance("b@-@1"), "TRIGGER", RegistryCommit.ANY_VERSION));
            cluster.pass(SECOND);

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("WARN") && line.contains("triggered run"))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("\"" + FOREIGN + "\"", "other software"));
        }
    }

    /** As 3.0.4 does, before it shows itself. */
    @Test
    void oneThatOverwritesTheDefinitionIsToldBesideTheDefinitionsError() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        overwrite(cluster);

        join(cluster, OF_3);
        cluster.pass(SECOND);

        assertThat(EventLog.only(DefinitionUnreadable.class, cluster.events())).hasSize(1);
        assertThat(EventLog.only(ForeignInstances.class, cluster.events()))
                .extracting(ForeignInstances::instances)
                .containsExactly(List.of(FOREIGN));
    }

    @Test
    void whoeverComesToLeadAfterTheDefinitionWasOverwrittenTellsItToo() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        overwrite(cluster);
        cluster.stop(cluster.read(TREE.leader()).orElseThrow().text());
        cluster.pass(SECOND);

        join(cluster, OF_3);
        cluster.pass(SECOND);

        assertThat(EventLog.only(ForeignInstances.class, cluster.events())).hasSize(1);
    }

    @Test
    void oneThatOverwritesTheDefinitionAndLeadsIsToldToo() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        overwrite(cluster);

        leads(cluster);
        cluster.pass(SECOND);

        assertThat(EventLog.only(ForeignInstances.class, cluster.events())).isNotEmpty();
    }

    /** Ours have all found each other, so nobody else looks at all instances. */
    @Test
    void oneThatLeadsOverOurPlanEndsIt() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        leads(cluster);

        cluster.pass(Duration.ofSeconds(90));
        assertThat(cluster.executions()).isEmpty();
        leave(cluster);
        cluster.pass(MINUTE);

        assertThat(cluster.executions()).hasSize(2);
        assertThat(cluster.read(TREE.owner(0)).orElseThrow().text())
                .isEqualTo(cluster.executions().stream()
                        .filter(run -> run.item() == 0)
                        .findFirst()
                        .orElseThrow()
                        .instance());
    }

    /** 2.1.5 stands for election before it shows itself. */
    @Test
    void oneThatLeadsBeforeItShowsItselfIsFoundWhenItDoes() {
        SimulatedCluster cluster = SimulatedCluster.ofTwo(EVERY_MINUTE);
        cluster.commit(deposed(cluster).createEphemeral(TREE.leader(), FOREIGN));
        cluster.pass(SECOND);

        join(cluster, OF_2);
        cluster.pass(Duration.ofSeconds(90));

        assertThat(cluster.executions()).isEmpty();
        assertThat(states(cluster)).containsOnly(JobState.SUSPENDED);
    }

    // ------------------------------------------------------------------ sentences

    private static void overwrite(SimulatedCluster cluster) {
        cluster.commit(RegistryCommit.builder()
                .set(TREE.config(), "jobName: orders\ncron: 0 * * * * ?\n", RegistryCommit.ANY_VERSION));
        cluster.pass(SECOND);
    }

    private static void join(SimulatedCluster cluster, String data) {
        cluster.commit(RegistryCommit.builder().createEphemeral(TREE.instance(FOREIGN), data));
    }

    private static void leads(SimulatedCluster cluster) {
        cluster.commit(
                deposed(cluster).createEphemeral(TREE.leader(), FOREIGN).createEphemeral(TREE.instance(FOREIGN), OF_2));
    }

    /** The leader of ours loses its node, and its instance with it. */
    private static RegistryCommit.Builder deposed(SimulatedCluster cluster) {
        cluster.start("c@-@1", EVERY_MINUTE);
        cluster.pass(SECOND);
        String leader = cluster.read(TREE.leader()).orElseThrow().text();
        return RegistryCommit.builder()
                .delete(TREE.leader(), RegistryCommit.ANY_VERSION)
                .delete(TREE.instance(leader), RegistryCommit.ANY_VERSION);
    }

    private static void leave(SimulatedCluster cluster) {
        RegistryCommit.Builder commit =
                RegistryCommit.builder().delete(TREE.instance(FOREIGN), RegistryCommit.ANY_VERSION);
        if (cluster.read(TREE.leader()).orElseThrow().text().equals(FOREIGN)) {
            commit.delete(TREE.leader(), RegistryCommit.ANY_VERSION);
        }
        cluster.commit(commit);
    }

    private static List<JobState> states(SimulatedCluster cluster) {
        return Stream.of("b@-@1", "c@-@1", "a@-@1")
                .filter(id -> cluster.read(TREE.instance(id)).isPresent())
                .map(id -> cluster.engine(id).state("orders"))
                .toList();
    }

    private static OneEngine besideForeigner(String data) {
        OneEngine one = new OneEngine(NOON, EVERY_MINUTE, context -> {});
        make(one, data);
        return one;
    }

    private static void make(OneEngine one, String data) {
        one.operate(parents(RegistryCommit.builder()).createEphemeral(TREE.instance(FOREIGN), data));
    }

    private static RegistryCommit.Builder parents(RegistryCommit.Builder commit) {
        return commit.create(TREE.root()).create(TREE.instances());
    }
}
