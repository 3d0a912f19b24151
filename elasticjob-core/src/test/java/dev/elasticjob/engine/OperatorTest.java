package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What operators do to jobs: remove them, stop them on an instance, disable servers and items, change settings. */
class OperatorTest {
    private static final JobTree TREE = new JobTree("orders");

    private final SimulatedCluster cluster = new SimulatedCluster(5);
    private final JobAdmin admin = new RegistryJobAdmin(cluster.operator());

    // ------------------------------------------------------------------ removal

    @Test
    void aRemovedJobStopsEverywhereAndNothingIsLeft() {
        start("a@-@1", "b@-@1", "c@-@1");

        cluster.get(admin.remove("orders"));
        cluster.pass(Duration.ofSeconds(12));

        assertThat(cluster.tree()).doesNotContain("/orders");
        assertThat(cluster.executions()).isEmpty();
        assertThat(states("a@-@1", "b@-@1", "c@-@1")).containsOnly(JobState.STOPPED);
    }

    @Test
    void aRunningItemIsRemovedWhenItHasEnded() {
        List<CompletableFuture<Void>> removals = new ArrayList<>();
        List<Boolean> seen = new ArrayList<>();
        startRunning("a@-@1", () -> {
            removals.add(admin.remove("orders").toCompletableFuture());
            cluster.settle();
            seen.add(removals.get(0).isDone());
            seen.add(cluster.read(TREE.running(0)).isPresent());
        });

        cluster.pass(Duration.ofSeconds(10));
        cluster.get(removals.get(0));

        assertThat(seen).as("removed early; locked").containsExactly(false, true);
        assertThat(cluster.tree()).doesNotContain("/orders");
    }

    @Test
    void whoRegistersAnewKeepsWhatHeFinds() {
        List<CompletableFuture<Void>> removals = new ArrayList<>();
        List<Boolean> locked = new ArrayList<>();
        startRunning("a@-@1", () -> {
            removals.add(admin.remove("orders").toCompletableFuture());
            cluster.settle();
            cluster.start("b@-@1", definition());
            cluster.settle();
            locked.add(cluster.read(TREE.running(0)).isPresent());
        });

        cluster.pass(Duration.ofSeconds(10));
        cluster.get(removals.get(0));
        cluster.pass(Duration.ofSeconds(60));

        assertThat(locked).containsExactly(true);
        assertThat(cluster.executions()).extracting(Execution::instance).contains("b@-@1");
        assertThat(cluster.read(TREE.config())).isPresent();
    }

    /** More than one transaction may hold. */
    @Test
    void aJobOfManyItemsAndALongNameIsRemoved() {
        int items = 500;
        JobTree tree = new JobTree("j".repeat(255));
        cluster.start(
                "a@-@1",
                JobDefinition.builder(tree.jobName())
                        .cron("0 0 0 1 1 ?")
                        .shardingTotalCount(items)
                        .build());
        cluster.pass(Duration.ofSeconds(1));
        for (int item = 0; item < items; item++) {
            cluster.commit(RegistryCommit.builder()
                    .create(tree.checkpoint(item))
                    .create(tree.disabled(item))
                    .create(tree.misfire(item))
                    .create(tree.failover(item)));
        }

        cluster.get(admin.remove(tree.jobName()));
        cluster.pass(Duration.ofSeconds(1));

        assertThat(cluster.tree()).doesNotContain(tree.jobName());
    }

    @Test
    void aJobThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> cluster.get(admin.remove("nothing")))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no job \"nothing\"");
    }

    // ------------------------------------------------------------------ an instance that is stopped

    @Test
    void anInstanceWhoseNodeIsDeletedLeavesAndDoesNotComeBack() {
        start("a@-@1", "b@-@1");

        cluster.commit(RegistryCommit.builder().delete(TREE.instance("a@-@1"), RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(12));

        assertThat(states("a@-@1", "b@-@1")).containsExactly(JobState.STOPPED, JobState.ACTIVE);
        assertThat(cluster.read(TREE.instance("a@-@1"))).isEmpty();
        assertThat(cluster.read(TREE.leader()).orElseThrow().text()).isEqualTo("b@-@1");
        assertThat(cluster.executions())
                .hasSize(3)
                .extracting(Execution::instance)
                .containsOnly("b@-@1");
    }

    @Test
    void whatStillRunsThereEndsAsUsual() {
        List<Boolean> locked = new ArrayList<>();
        startRunning("a@-@1", () -> {
            cluster.commit(RegistryCommit.builder().delete(TREE.instance("a@-@1"), RegistryCommit.ANY_VERSION));
            cluster.settle();
            locked.add(cluster.read(TREE.running(0)).isPresent());
        });

        cluster.pass(Duration.ofSeconds(10));

        assertThat(locked).containsExactly(true);
        assertThat(cluster.read(TREE.running(0))).isEmpty();
        assertThat(cluster.read(TREE.item(0)).orElseThrow().text()).contains("COMPLETED");
    }

    @Test
    void aLostSessionIsNoStop() {
        start("a@-@1");

        cluster.expire("a@-@1");
        cluster.pass(Duration.ofSeconds(12));

        assertThat(states("a@-@1")).containsExactly(JobState.ACTIVE);
        assertThat(cluster.executions()).hasSize(3);
    }

    @Test
    void aLostSessionIsNoStopInAnyInterleaving() {
        for (long seed = 0; seed < 100; seed++) {
            SimulatedCluster shaken = new SimulatedCluster(seed);
            shaken.start("a@-@1", definition());
            shaken.pass(Duration.ofMillis(100));
            shaken.expire("a@-@1");
            shaken.pass(Duration.ofMillis(seed));
            shaken.expire("a@-@1");
            shaken.pass(Duration.ofSeconds(3));

            assertThat(shaken.engine("a@-@1").state("orders"))
                    .as("seed %d: %s", seed, shaken.trace())
                    .isEqualTo(JobState.ACTIVE);
        }
    }

    // ------------------------------------------------------------------ servers, items, settings

    @Test
    void aDisabledServerOwnsNothingUntilItIsEnabled() {
        start("a@-@1", "b@-@1");

        cluster.get(admin.disableServer("orders", "10.0.0.1"));
        cluster.pass(Duration.ofSeconds(10));
        var whileDisabled =
                cluster.executions().stream().map(Execution::instance).toList();
        cluster.get(admin.enableServer("orders", "10.0.0.1"));
        cluster.pass(Duration.ofSeconds(60));

        assertThat(whileDisabled).hasSize(3).containsOnly("b@-@1");
        assertThat(cluster.executions().subList(3, 6))
                .extracting(Execution::instance)
                .contains("a@-@1");
    }

    @Test
    void theWordEnabledEnablesAServerToo() {
        start("a@-@1");
        cluster.get(admin.disableServer("orders", "10.0.0.1"));

        cluster.commit(RegistryCommit.builder().set(TREE.server("10.0.0.1"), "ENABLED", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(12));

        assertThat(cluster.executions()).hasSize(3);
    }

    @Test
    void aDisabledItemLetsItsFiringsPass() {
        start("a@-@1");

        cluster.get(admin.disableItem("orders", 1));
        cluster.get(admin.disableItem("orders", 1));
        cluster.pass(Duration.ofSeconds(10));
        var whileDisabled = cluster.executions().stream().map(Execution::item).toList();
        cluster.get(admin.enableItem("orders", 1));
        cluster.get(admin.enableItem("orders", 1));
        cluster.pass(Duration.ofSeconds(60));

        assertThat(whileDisabled).containsExactlyInAnyOrder(0, 2);
        assertThat(cluster.executions()).hasSize(5);
        assertThat(cluster.events()).noneMatch(JobEvent.FiringsFolded.class::isInstance);
    }

    @Test
    void aSettingIsChangedAlthoughSomebodyElseChangesAnother() {
        start("a@-@1");
        AtomicInteger calls = new AtomicInteger();

        JobDefinition changed = cluster.get(admin.redefine("orders", now -> {
            if (calls.getAndIncrement() == 0) {
                admin.redefine(
                        "orders",
                        other -> other.toBuilder().jobParameter("theirs").build());
            }
            return now.toBuilder().shardingTotalCount(7).build();
        }));

        assertThat(changed.shardingTotalCount()).isEqualTo(7);
        assertThat(cluster.get(admin.definition("orders")).jobParameter()).isEqualTo("theirs");
        assertThat(cluster.get(admin.definition("orders")).shardingTotalCount()).isEqualTo(7);
    }

    @Test
    void aBellIsAnsweredByTheLeader() {
        start("a@-@1");

        cluster.get(admin.reshard("orders"));
        cluster.settle();

        assertThat(cluster.read(TREE.necessary())).isEmpty();
    }

    @Test
    void anItemOrServerThatIsNotThereIsSaid() {
        start("a@-@1");

        assertThatThrownBy(() -> cluster.get(admin.disableItem("orders", 9))).hasMessageContaining("no item 9");
        assertThatThrownBy(() -> cluster.get(admin.disableServer("orders", "1.2.3.4")))
                .hasMessageContaining("\"1.2.3.4\"");
    }

    @Test
    void settingsThatAreTooLargeStopTheJobUntilTheyAreMended() {
        start("a@-@1");
        byte[] stored = cluster.read(TREE.config()).orElseThrow().data();
        String large = new String(stored, StandardCharsets.UTF_8)
                .replace("\"jobParameter\":\"\"", "\"jobParameter\":\"" + "x".repeat(900_000) + "\"");

        cluster.commit(RegistryCommit.builder().set(TREE.config(), large, RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(70));
        int meanwhile = cluster.executions().size();
        cluster.commit(RegistryCommit.builder().set(TREE.config(), stored, RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(60));

        assertThat(large).hasSizeGreaterThan(900_000);
        assertThat(meanwhile).isZero();
        assertThat(cluster.executions()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(cluster.events())
                .filteredOn(JobEvent.DefinitionUnreadable.class::isInstance)
                .singleElement()
                .asString()
                .contains("900000 bytes", "131072")
                .hasSizeLessThan(2_000);
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition definition() {
        return JobDefinition.builder("orders")
                .cron("10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3)
                .build();
    }

    /** An instance whose item 0 lasts for as long as something happens. */
    private void startRunning(String instance, Runnable meanwhile) {
        cluster.start(
                instance,
                definition(),
                context -> {
                    if (context.getShardingItem() == 0) {
                        meanwhile.run();
                    }
                },
                UnaryOperator.identity());
        cluster.pass(Duration.ofSeconds(1));
    }

    private void start(String... instances) {
        for (String instance : instances) {
            cluster.start(instance, definition());
        }
        cluster.pass(Duration.ofSeconds(1));
    }

    private List<JobState> states(String... instances) {
        return Arrays.stream(instances)
                .map(instance -> cluster.engine(instance).state("orders"))
                .toList();
    }
}
