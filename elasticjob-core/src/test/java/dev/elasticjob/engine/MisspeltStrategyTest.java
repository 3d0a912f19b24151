package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.Effect;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of strategies as operators type them: nobody knows which beans the application has. */
class MisspeltStrategyTest {
    private static final String SETTING = "jobShardingStrategyClass";
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(3)
            .build();

    private final SimulatedCluster cluster = new SimulatedCluster(5);
    private final RegistryJobAdmin admin = new RegistryJobAdmin(cluster.operator());

    @ParameterizedTest
    @ValueSource(strings = {"WEIGTHED", "WEIGHTD", "STICKYY", "AVG-ALLOCATION", "ROUNDROBIN"})
    void oneOfOursThatIsMisspeltIsRefusedWithWhatIsMeant(String name) {
        cluster.start("a@-@1", ORDERS);
        cluster.pass(Duration.ofSeconds(1));

        assertThatThrownBy(() -> redefine(Map.of(SETTING, name)))
                .hasCauseInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContainingAll(
                        "\"" + name + "\"", "did you mean \"", "AVG_ALLOCATION", "ShardingStrategy bean");
        assertThatThrownBy(() -> cluster.get(
                        admin.create("letters", Map.of("cron", "0 * * * * ?", "jobClass", "letters", SETTING, name))))
                .hasCauseInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("did you mean");
        assertThatThrownBy(() -> effectsOf(name)).hasCauseInstanceOf(InvalidJobDefinitionException.class);
        assertThat(cluster.get(admin.definition("orders"))).isEqualTo(ORDERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "weightedByRegion",
                "sticky",
                "com.shop.ByRegion",
                "BY_REGION",
                "MY_ZONE",
                "ZONE_2",
                "ONE",
                "OWN_STICKY",
                "STICKY_EU",
                "WEIGHTED_V2",
                "OWN_ROUND_ROBIN"
            })
    void anyOtherNameMayBeABeanAndTheDryRunSaysSo(String name) {
        cluster.start("a@-@1", ORDERS);
        cluster.pass(Duration.ofSeconds(1));

        assertThat(effectsOf(name)).contains(Effect.Code.OWN_STRATEGY);
        assertThat(effectsOf("STICKY")).doesNotContain(Effect.Code.OWN_STRATEGY);
        redefine(Map.of(SETTING, name));

        assertThat(cluster.get(admin.definition("orders")).jobShardingStrategyClass())
                .isEqualTo(name);
    }

    /** It may be the name of a bean after all. */
    @Test
    void aJobThatHasSuchANameAlreadyIsChangedAsAnyOther() {
        ShardingStrategy own = request -> Map.of(request.instances().get(0), List.of(0, 1, 2));
        cluster.start(
                "a@-@1",
                ORDERS.toBuilder().jobShardingStrategyClass("STICKYY").build(),
                engine -> engine.strategies(Map.of("STICKYY", own)));
        cluster.pass(Duration.ofSeconds(1));

        redefine(Map.of("description", "nightly"));

        assertThat(cluster.get(admin.definition("orders")).description()).isEqualTo("nightly");
    }

    @Test
    void alsoWhenItsSettingsAreRepaired() {
        JobTree tree = new JobTree("letters");
        cluster.commit(RegistryCommit.builder()
                .create(tree.root())
                .create(
                        tree.extension(),
                        "{\"whole\":true,\"jobType\":\"SIMPLE\",\"jobClass\":\"letters\",\"shardingTotalCount\":-1,"
                                + "\"jobShardingStrategyClass\":\"STICKYY\"}")
                .create(tree.origin()));

        VersionedDefinition repaired = cluster.get(admin.repair(
                "letters",
                cluster.get(admin.unreadableSettings("letters")).version(),
                Map.of("shardingTotalCount", 3)));

        assertThat(repaired.definition().jobShardingStrategyClass()).isEqualTo("STICKYY");
    }

    private void redefine(Map<String, ?> settings) {
        cluster.get(admin.redefine("orders", version(), settings));
    }

    private List<Effect.Code> effectsOf(String strategy) {
        Map<String, Object> change = Map.of("version", version(), "settings", Map.of(SETTING, strategy));
        return new DryRuns(cluster)
                .of(CommandTable.REDEFINE, "orders", change).effects().stream()
                        .map(Effect::code)
                        .toList();
    }

    private String version() {
        return cluster.get(admin.versionedDefinition("orders")).version();
    }
}
