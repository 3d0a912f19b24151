package dev.elasticjob.samples.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Execution;
import dev.elasticjob.spring.test.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@ElasticJobTest(startTime = "2026-02-02T08:30:00Z", properties = "app.time-to-import=0s")
class PurchasingTest {
    @Test
    void aPollFollowsTheEndOfTheLastOne(Jobs jobs, ElasticJobCluster cluster) {
        jobs.advance(Duration.ofMinutes(5));

        List<Instant> polls = times(cluster, "pollOrders");
        assertThat(polls).hasSizeBetween(4, 6);
        assertThat(IntStream.range(1, polls.size())
                        .mapToObj(next -> Duration.between(polls.get(next - 1), polls.get(next))))
                .allSatisfy(pause -> assertThat(pause).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(61)));
    }

    /** While something runs, the time of a test stands still: start the application to see imports that meet each other. */
    @Test
    void importsAreDeclaredToSkipWhatOverlaps(Jobs jobs) {
        JobDefinition imports =
                jobs.admin().definition("importPrices").toCompletableFuture().join();

        assertThat(imports.overlap()).isEqualTo(Overlap.SKIP);
    }

    @Test
    void eachHourWithoutAnInstanceHasItsReportLater(
            Jobs jobs, ElasticJobCluster cluster, @Autowired JobInspector inspector) {
        String instance = inspector
                .instances("reportHour")
                .toCompletableFuture()
                .join()
                .orElseThrow()
                .get(0)
                .id();
        Instant before = jobs.clock().instant();
        jobs.admin().drain("reportHour", instance).toCompletableFuture().join();
        jobs.advance(Duration.ofHours(3));
        List<Instant> meanwhile = times(cluster, "reportHour");

        jobs.admin().undrain("reportHour", instance).toCompletableFuture().join();
        jobs.advance(Duration.ofMinutes(1));

        assertThat(meanwhile).isEmpty();
        Instant hour = before.truncatedTo(ChronoUnit.HOURS);
        assertThat(times(cluster, "reportHour"))
                .containsExactly(hour.plusSeconds(3600), hour.plusSeconds(7200), hour.plusSeconds(10800));
    }

    private static List<Instant> times(ElasticJobCluster cluster, String job) {
        return cluster.executions().stream()
                .filter(execution -> execution.jobName().equals(job))
                .map(Execution::scheduledAt)
                .toList();
    }
}
