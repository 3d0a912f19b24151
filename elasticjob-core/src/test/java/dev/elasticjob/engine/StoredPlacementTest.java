package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights and strategies that people have written into the registry, and that can't be used: one instance, two jobs. */
class StoredPlacementTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String A = "a@-@1";
    private static final JobTree TREE = new JobTree("orders");

    private final SimulatedCluster cluster = new SimulatedCluster(3);

    @BeforeEach
    void start() {
        cluster.start(
                A,
                engine -> {
                    engine.register(
                            job("orders").weight(2).itemWeights("1=3").build(), context -> cluster.noted(A, context));
                    engine.register(job("billing").build(), context -> cluster.noted(A, context));
                },
                UnaryOperator.identity());
        cluster.pass(MINUTE);
        cluster.forget();
    }

    private static JobDefinition.Builder job(String name) {
        return JobDefinition.builder(name)
                .cron("10 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(4);
    }

    @Test
    void aStrategyThatNobodyHasIsToldByTheLeaderAndTheDefaultDivides() {
        try (LoggedLines log = new LoggedLines()) {
            cluster.get(new RegistryJobAdmin(cluster.operator())
                    .redefine(
                            "orders",
                            job -> job.toBuilder()
                                    .jobShardingStrategyClass("byRegion")
                                    .build()));
            cluster.pass(MINUTE);

            assertThat(log.all())
                    .filteredOn(line -> line.contains("\"byRegion\"") && !line.contains("carried out"))
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith(
                            "WARN Job \"orders\": the sharding strategy \"byRegion\" failed, so the default"
                                    + " strategy assigns the items"));
        }
        assertThat(runs("orders")).isEqualTo(4);
        assertThat(runs("billing")).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"weight\":2        | \"weight\":0        | weight",
                "\"itemWeights\":\"1=3\" | \"itemWeights\":\"1=x\" | itemWeights",
                "\"itemWeights\":\"1=3\" | \"itemWeights\":\"1=0\" | itemWeights"
            })
    void aWeightThatCanNotBeUsedStopsOnlyThatJobWhichSaysWhich(String before, String after, String setting) {
        String extension = cluster.read(TREE.extension()).orElseThrow().text();
        assertThat(extension).contains(before);
        cluster.commit(RegistryCommit.builder()
                .set(TREE.extension(), extension.replace(before, after), RegistryCommit.ANY_VERSION));
        cluster.pass(MINUTE);

        assertThat(cluster.engine(A).state("orders")).isEqualTo(JobState.SUSPENDED);
        assertThat(cluster.events())
                .filteredOn(JobEvent.DefinitionUnreadable.class::isInstance)
                .singleElement()
                .satisfies(told -> assertThat(((JobEvent.DefinitionUnreadable) told).reason())
                        .contains("job \"orders\"", setting));
        assertThat(runs("orders")).isZero();
        assertThat(runs("billing")).isEqualTo(4);
    }

    private long runs(String job) {
        return cluster.executions().stream()
                .filter(run -> run.runId().startsWith(job + "@"))
                .count();
    }
}
