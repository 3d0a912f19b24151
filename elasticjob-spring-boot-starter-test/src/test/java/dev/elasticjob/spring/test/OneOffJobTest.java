package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OneOffJobTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b")
            .job(
                    JobDefinition.builder("report")
                            .shardingTotalCount(4)
                            .failover(true)
                            .build(),
                    (SimpleJob) this::report)
            .build();

    private void report(ShardingContext context) {
        if (context.getRunParameter().equals("kill") && context.getShardingItem() == 0 && context.getAttempt() == 1) {
            cluster.kill("a");
            cluster.kill("b");
        }
        if (context.getRunParameter().equals("fail")) {
            throw new IllegalStateException("provoked by this test");
        }
        seen.add(context.getShardingItem() + " " + context.getRunParameter());
    }

    @Test
    void aRunTellsItsOutcomeAndEachItemItsParameter() {
        RunOutcome outcome = cluster.jobs().run("report", "2026-10");

        assertThat(outcome.isSuccessful()).isTrue();
        assertThat(seen).containsExactlyInAnyOrder("0 2026-10", "1 2026-10", "2 2026-10", "3 2026-10");
        assertThat(cluster).everyItemOf("report").ranOnce();
    }

    @Test
    void aRunThatFailsSaysSo() {
        RunOutcome outcome = cluster.jobs().run("report", "fail");

        assertThat(outcome.items().values()).allSatisfy(item -> {
            assertThat(item.end()).isEqualTo(RunEnd.FAILED);
            assertThat(item.failure())
                    .hasValueSatisfying(text -> assertThat(text).contains("provoked by this test"));
        });
    }

    @Test
    void theOutcomeOfWhatAKilledInstanceDidIsThatOfTheNextAttempt() {
        cluster.start("c");
        cluster.jobs().run("report");

        RunOutcome outcome = cluster.jobs().run("report", "kill");

        assertThat(outcome.isSuccessful()).isTrue();
        assertThat(seen).contains("0 kill");
        assertThat(cluster.instances()).containsExactly("c");
    }

    @Test
    void aFiringMayHaveAParameterToo() {
        Firing firing = cluster.jobs().fire("report", "2026-10");

        assertThat(firing).succeeded();
        assertThat(seen).hasSize(4).allMatch(line -> line.endsWith("2026-10"));
    }

    @Test
    void itIsNeverDue() {
        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.jobs().fireOnSchedule("report"))
                .withMessageContaining("To run a job without a cron, use run or fire");
    }
}
