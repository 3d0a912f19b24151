package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FixedDelayJobTest {
    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b")
            .job(
                    JobDefinition.builder("sync")
                            .shardingTotalCount(2)
                            .fixedDelay(Duration.ofMinutes(1))
                            .build(),
                    (SimpleJob) context -> {})
            .build();

    @Test
    void itRunsAtOnceAndThenAsTimeAdvances() {
        cluster.jobs().advance(Duration.ofSeconds(50));
        assertThat(cluster).everyItemOf("sync").ranOnce();
        cluster.jobs().advance(Duration.ofSeconds(120));

        assertThat(cluster).everyItemOf("sync").ranTimes(3);
        List<Instant> times = cluster.executions().stream()
                .map(Execution::scheduledAt)
                .distinct()
                .sorted()
                .toList();
        assertThat(times).hasSize(3);
        assertThat(Duration.between(times.get(0), times.get(2)))
                .isBetween(Duration.ofMinutes(2), Duration.ofMinutes(2).plusSeconds(1));
    }

    @Test
    void itsNextFiringIsNoMomentOfASchedule() {
        assertThatIllegalStateException()
                .isThrownBy(() -> cluster.jobs().fireOnSchedule("sync"))
                .withMessageContaining("one with a fixed delay runs as time advances");
    }
}
