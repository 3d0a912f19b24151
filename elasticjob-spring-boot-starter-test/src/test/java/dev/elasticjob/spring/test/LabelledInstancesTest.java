package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances with labels, and jobs that choose them. */
class LabelledInstancesTest {
    private static final JobDefinition REPORT = JobDefinition.builder("report")
            .cron("0 * * * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(4)
            .jobShardingStrategyClass("ZONE")
            .runOn("zone in (north,south)")
            .build();

    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("n1", "n2", "s1", "other")
            .labels("n1", Map.of("zone", "north"))
            .labels("n2", Map.of("zone", "north"))
            .labels("s1", Map.of("zone", "south"))
            .job(REPORT, context -> {})
            .build();

    @Test
    void itemsRunOnTheInstancesThatTheJobChoosesEvenlyOverZones() {
        cluster.jobs().advance(Duration.ofMinutes(1));

        assertThat(cluster.executions())
                .extracting(Execution::instance)
                .containsExactlyInAnyOrder("n1", "n2", "s1", "s1");
    }

    @Test
    void aZoneThatFailsLeavesItsItemsToTheOther() {
        cluster.kill("s1");

        cluster.jobs().advance(Duration.ofMinutes(1));

        assertThat(cluster.executions())
                .extracting(Execution::instance)
                .containsExactlyInAnyOrder("n1", "n1", "n2", "n2");
    }

    @Test
    void instancesStartAndEndThoughNoneIsChosen() {
        cluster.kill("n1");
        cluster.stop("n2");
        cluster.kill("s1");
        cluster.jobs().advance(Duration.ofMinutes(1));
        int meanwhile = cluster.executions().size();

        cluster.start("another");
        cluster.start("s2", Map.of("zone", "south"));
        cluster.jobs().advance(Duration.ofMinutes(1));

        assertThat(meanwhile).isZero();
        assertThat(cluster.executions())
                .extracting(Execution::instance)
                .contains("s2")
                .containsOnly("s2");
    }

    @Test
    void anInstanceThatStartsWithLabelsTakesItsShare() {
        cluster.start("s2", Map.of("zone", "south"));

        cluster.jobs().advance(Duration.ofMinutes(1));

        assertThat(cluster.executions())
                .extracting(Execution::instance)
                .containsExactlyInAnyOrder("n1", "n2", "s1", "s2");
    }
}
