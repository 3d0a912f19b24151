package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A registry in memory, and the machine's clock. */
class RealTimeTest {
    /** Both items by hand, both by schedule, and one of them by schedule again: then the one before is written down. */
    private final CountDownLatch firings = new CountDownLatch(5);

    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b")
            .environment(JobEnvironment.REAL_TIME)
            .job(
                    JobDefinition.builder("ticks")
                            .cron("* * * * * ?")
                            .shardingTotalCount(2)
                            .build(),
                    context -> firings.countDown())
            .build();

    @Test
    void aJobFiresByItselfAndByHandBesideThat() throws InterruptedException {
        Instant before = cluster.jobs().clock().instant();
        Firing byHand = cluster.jobs().fire("ticks");
        boolean bySchedule = firings.await(30, TimeUnit.SECONDS);

        assertThat(byHand).everyItem().ranOnce();
        assertThat(byHand.executions())
                .extracting(Execution::scheduledAt)
                .allSatisfy(at -> assertThat(at).isAfterOrEqualTo(before));
        assertThat(bySchedule).isTrue();
        assertThat(cluster.executions()).anyMatch(run -> run.runId().equals("ticks@" + run.scheduledAt()));
    }
}
