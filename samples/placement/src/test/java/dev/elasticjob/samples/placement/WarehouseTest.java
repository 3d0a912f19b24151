package dev.elasticjob.samples.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Execution;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The application is in zone north, with version 1; the test adds instances in both zones. */
@ElasticJobTest
class WarehouseTest {
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final String NORTH = ElasticJobCluster.APPLICATION;

    @Test
    void bothZonesHaveTheSameShareAndOneCanFail(ElasticJobCluster cluster) {
        cluster.start("south-1", Map.of("zone", "south", "version", "1"));
        cluster.start("south-2", Map.of("zone", "south", "version", "1"));
        cluster.jobs().advance(PERIOD);

        assertThat(ranOn(cluster, "count")).containsExactlyInAnyOrder(NORTH, NORTH, "south-1", "south-2");

        cluster.kill("south-1");
        cluster.kill("south-2");
        cluster.jobs().advance(PERIOD);

        assertThat(ranOn(cluster, "count")).hasSize(8).endsWith(NORTH, NORTH, NORTH, NORTH);
    }

    @Test
    void theCanaryIsTheOnlyOneToForecast(ElasticJobCluster cluster) {
        cluster.jobs().advance(PERIOD);
        int before = ranOn(cluster, "forecast").size();
        cluster.start("canary", Map.of("zone", "south", "version", "2"));
        cluster.jobs().advance(PERIOD);
        cluster.jobs().advance(PERIOD);

        assertThat(before).isZero();
        assertThat(ranOn(cluster, "forecast")).isNotEmpty().containsOnly("canary");
    }

    private static List<String> ranOn(ElasticJobCluster cluster, String job) {
        return cluster.executions().stream()
                .filter(run -> run.jobName().equals(job))
                .map(Execution::instance)
                .toList();
    }
}
