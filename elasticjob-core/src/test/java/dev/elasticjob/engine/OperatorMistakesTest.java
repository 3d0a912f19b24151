package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.event.JobEvent.ScheduleKept;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators and their tools delete or write that was not meant so. The job fires every minute. */
class OperatorMistakesTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String YAML_OF_3 = "cron: 0/5 * * * * ?\njobName: orders\nshardingTotalCount: 7\n";
    private static final String DAYS_OF_QUARTZ =
            "{\"jobName\":\"orders\",\"jobType\":\"SIMPLE\",\"jobClass\":\"\",\"cron\":\"0 0 12 ? * 6L 2030\",\"shardingTotalCount\":2}";
    private static final JobDefinition EVERY_MINUTE = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(2)
            .build();

    private final SimulatedCluster cluster = new SimulatedCluster(5);

    // ------------------------------------------------------------------ servers

    @Test
    void aDisabledServerThatIsDeletedStaysDisabledWhileAnInstanceLivesOnIt() {
        startTwo();
        cluster.get(new RegistryJobAdmin(cluster.operator()).disableServer("orders", "10.0.0.2"));

        cluster.commit(RegistryCommit.builder().delete(TREE.server("10.0.0.2"), RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTE);

        assertThat(text(TREE.server("10.0.0.2"))).isEqualTo("DISABLED");
        assertThat(cluster.executions())
                .hasSize(2)
                .extracting(Execution::instance)
                .containsOnly("a@-@1");
    }

    @Test
    void anEnabledServerThatIsDeletedCanStillBeDisabled() {
        startTwo();

        cluster.commit(RegistryCommit.builder().delete(TREE.server("10.0.0.1"), RegistryCommit.ANY_VERSION));
        cluster.settle();

        assertThat(text(TREE.server("10.0.0.1"))).isEmpty();
        cluster.get(new RegistryJobAdmin(cluster.operator()).disableServer("orders", "10.0.0.1"));
    }

    // ------------------------------------------------------------------ removal

    @Test
    void aRemovalThatBreaksOffBeforeTheConfigurationStopsNobody() {
        startTwo();

        cluster.commit(RegistryCommit.builder().delete(TREE.extension(), RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(3));

        assertThat(cluster.engine("a@-@1").state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(cluster.read(TREE.extension())).isPresent();
        cluster.pass(MINUTE);
        assertThat(cluster.executions()).hasSize(2);
    }

    @Test
    void aJobThatIsRemovedWhileAnInstanceRegistersGoesOnForAll() {
        startTwo();

        try (LoggedLines log = new LoggedLines()) {
            cluster.commit(RegistryCommit.builder()
                    .delete(TREE.config(), RegistryCommit.ANY_VERSION)
                    .delete(TREE.extension(), RegistryCommit.ANY_VERSION));
            cluster.start("c@-@1", EVERY_MINUTE);
            cluster.pass(MINUTE);

            assertThat(log.all()).noneMatch(line -> line.contains("configuration was removed"));
        }
        assertThat(cluster.engine("a@-@1").state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(cluster.engine("b@-@1").state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(cluster.engine("c@-@1").state("orders")).isEqualTo(JobState.ACTIVE);
    }

    // ------------------------------------------------------------------ what can't be read

    @ParameterizedTest
    @ValueSource(strings = {YAML_OF_3, DAYS_OF_QUARTZ})
    void whatCannotBeReadIsReplacedWhereThatIsWantedAndShownBefore(String config) {
        OneEngine one = on(config, EVERY_MINUTE.toBuilder().overwrite(true).build());

        try (LoggedLines log = new LoggedLines()) {
            one.started();

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("WARN") && line.contains(config))
                    .hasSize(1);
        }
        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(one.read(TREE.config()).orElseThrow().text()).contains("\"cron\":\"0 * * * * ?\"");
    }

    @Test
    void aTreeOf3IsNamedAsSuch() {
        OneEngine one = on(YAML_OF_3, EVERY_MINUTE);
        CompletableFuture<Void> registered = new CompletableFuture<>();
        one.engine.unregister("orders");
        one.engine.start();
        one.settle();

        one.engine.register(EVERY_MINUTE, context -> {}).whenComplete((done, error) -> {
            if (error != null) {
                registered.completeExceptionally(error);
            }
        });
        one.settle();

        assertThatThrownBy(registered::join)
                .hasCauseInstanceOf(UnreadableDefinitionException.class)
                .hasMessageContaining("the YAML of ElasticJob 3.x")
                .hasMessageContaining("overwrite=true for one start, which also replaces what operators have changed");
    }

    // ------------------------------------------------------------------ a cron expression

    @Test
    void aScheduleThatWasTypedWrongLeavesTheOneInForce() {
        startTwo();

        try (LoggedLines log = new LoggedLines()) {
            type("0 0 25 * * ?");
            cluster.pass(MINUTE.plus(MINUTE));

            assertThat(log.all())
                    .filteredOn(line -> line.startsWith("ERROR") && line.contains("0 0 25 * * ?"))
                    .as("each instance says it once")
                    .hasSize(2);
        }
        assertThat(cluster.executions()).hasSize(4);
        assertThat(EventLog.only(ScheduleKept.class, cluster.events())).isNotEmpty();
        assertThat(cluster.get(cluster.engine("a@-@1").inspector().job("orders"))
                        .orElseThrow()
                        .problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("0 0 25 * * ?"));
    }

    @Test
    void itsOtherSettingsAreFollowedAndItIsOnceItIsCorrected() {
        startTwo();
        type("0 0 25 * * ?");
        cluster.pass(SECOND);

        type("30 * * * * ?");
        cluster.pass(MINUTE);

        assertThat(cluster.executions()).extracting(Execution::scheduledAt).containsOnly(at("00:00:30"));
    }

    @Test
    void whoLosesItsSessionOrStartsMeanwhileTakesPart() {
        startTwo();
        type("0 0 25 * * ?");
        cluster.pass(SECOND);

        cluster.expire("b@-@1");
        cluster.start("c@-@1", EVERY_MINUTE);
        cluster.pass(MINUTE.plus(MINUTE));

        assertThat(cluster.engine("b@-@1").state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(cluster.engine("c@-@1").state("orders")).isEqualTo(JobState.ACTIVE);
        assertThat(cluster.executions()).hasSize(4);
    }

    // ------------------------------------------------------------------ sentences

    private void startTwo() {
        cluster.start("a@-@1", EVERY_MINUTE);
        cluster.start("b@-@1", EVERY_MINUTE);
        cluster.pass(SECOND);
    }

    private void type(String cron) {
        String config = text(TREE.config()).replaceFirst("\"cron\":\"[^\"]*\"", "\"cron\":\"%s\"".formatted(cron));
        cluster.commit(RegistryCommit.builder().set(TREE.config(), config, RegistryCommit.ANY_VERSION));
    }

    private String text(String path) {
        return cluster.read(path).map(RegistryNode::text).orElse("absent");
    }

    private static Instant at(String time) {
        return Instant.parse("2026-03-01T" + time + "Z");
    }

    private static OneEngine on(String config, JobDefinition definition) {
        OneEngine one = new OneEngine(NOON, definition, context -> {});
        one.operate(RegistryCommit.builder().create(TREE.root()).create(TREE.config(), config));
        return one;
    }
}
