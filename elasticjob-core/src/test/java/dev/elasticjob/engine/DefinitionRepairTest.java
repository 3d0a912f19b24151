package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.ChangedRegistry;
import java.time.Duration;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** An operator mends what somebody else has stored wrong, while the job runs on one instance. */
class DefinitionRepairTest {
    private static final JobDefinition HOURLY = job("0 0 * * * ?");
    private static final JobDefinition EVERY_MINUTE = job("0 * * * * ?");

    private final SimulatedCluster cluster = new SimulatedCluster(5);
    private final RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());

    // ------------------------------------------------------------------ a cron expression that was typed wrong

    @Test
    void aMistypedCronIsReplaced() {
        start();
        mistypeCron();

        JobDefinition answer = cluster.get(admin.redefine(
                "orders", job -> job.toBuilder().cron(EVERY_MINUTE.cron()).build()));

        cluster.pass(Duration.ofMinutes(1));
        assertThat(answer).isEqualTo(EVERY_MINUTE);
        assertThat(cluster.executions()).hasSize(1);
    }

    @Test
    void aChangeMeetsTheScheduleInForceInItsPlaceAndWritesIt() {
        start();
        mistypeCron();

        cluster.get(
                admin.redefine("orders", job -> job.toBuilder().failover(true).build()));

        assertThat(cluster.get(admin.definition("orders")))
                .isEqualTo(HOURLY.toBuilder().failover(true).build());
    }

    @Test
    void aChangeThatChangesNothingElseWritesItToo() {
        start();
        mistypeCron();

        cluster.get(admin.redefine("orders", job -> job));

        assertThat(cluster.get(admin.definition("orders"))).isEqualTo(HOURLY);
    }

    // ------------------------------------------------------------------ what can't be read at all

    @Test
    void whatCannotBeReadIsNotRedefinedAndTheErrorNamesTheCommandThatReplacesIt() {
        start();
        store("not json");

        assertThatThrownBy(() -> cluster.get(admin.redefine("orders", job -> job)))
                .hasCauseInstanceOf(UnreadableDefinitionException.class)
                .hasMessageContaining("JobAdmin.repair");
    }

    @Test
    void itIsReplacedAndTheJobGoesOn() {
        start();
        store("not json");

        cluster.get(admin.repair(EVERY_MINUTE));

        cluster.pass(Duration.ofMinutes(1));
        assertThat(cluster.get(admin.definition("orders"))).isEqualTo(EVERY_MINUTE);
        assertThat(cluster.executions()).hasSize(1);
    }

    @Test
    void anExtensionThatCannotBeReadIsReplacedToo() {
        start();
        cluster.commit(RegistryCommit.builder().set(TREE.extension(), "not json", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(1));

        cluster.get(admin.repair(EVERY_MINUTE));

        assertThat(cluster.get(admin.definition("orders"))).isEqualTo(EVERY_MINUTE);
    }

    @Test
    void aTreeThatNoInstanceOfOursHasJoinedGetsTheWholeDefinition() {
        JobDefinition oneOff =
                JobDefinition.builder("orders").shardingTotalCount(1).build();
        cluster.commit(RegistryCommit.builder().create("/orders").create(TREE.config(), "not json"));

        cluster.get(admin.repair(oneOff));

        assertThat(cluster.get(admin.definition("orders"))).isEqualTo(oneOff);
    }

    @Test
    void theSameRepairAgainIsHarmless() {
        start();
        store("not json");
        cluster.get(admin.repair(EVERY_MINUTE));

        assertThat(cluster.get(admin.repair(EVERY_MINUTE))).isEqualTo(EVERY_MINUTE);
    }

    /** Others may have mended it meanwhile, in another way. */
    @Test
    void whatCanBeReadIsNotReplaced() {
        start();

        assertThatThrownBy(() -> cluster.get(admin.repair(EVERY_MINUTE)))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("\"orders\"", "JobAdmin.redefine");
        assertThat(cluster.get(admin.definition("orders"))).isEqualTo(HOURLY);
    }

    @Test
    void whatOthersMendBetweenReadAndWriteIsKept() {
        start();
        store("not json");
        boolean[] mended = {false};
        var late = new RegistryJobAdmin(new ChangedRegistry(cluster.operator()) {
            @Override
            protected RegistryCommit sent(RegistryCommit commit) {
                if (!mended[0]) {
                    mended[0] = true;
                    cluster.get(cluster.engine("a@-@1").admin().repair(HOURLY));
                }
                return commit;
            }
        });

        assertThatThrownBy(() -> cluster.get(late.repair(EVERY_MINUTE))).hasMessageContaining("JobAdmin.redefine");

        assertThat(cluster.get(admin.definition("orders"))).isEqualTo(HOURLY);
    }

    private void start() {
        cluster.start("a@-@1", HOURLY);
        cluster.pass(Duration.ofSeconds(1));
    }

    private void mistypeCron() {
        String stored = cluster.read(TREE.config()).orElseThrow().text();
        store(stored.replace(HOURLY.cron(), "0 0 25 * * ?"));
    }

    private void store(String config) {
        cluster.commit(RegistryCommit.builder().set(TREE.config(), config, RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(1));
    }

    private static JobDefinition job(String cron) {
        return JobDefinition.builder("orders")
                .cron(cron)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(1)
                .build();
    }
}
