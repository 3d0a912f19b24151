package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job without records and locks: nobody finds out what a kill has interrupted. */
class UnmonitoredJobTest {
    private final AtomicReference<SimpleJob> work = new AtomicReference<>(context -> {});

    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b")
            .job(
                    JobDefinition.builder("statistics")
                            .cron("0 * * * * ?")
                            .timeZone(ZoneOffset.UTC)
                            .shardingTotalCount(2)
                            .monitorExecution(false)
                            .build(),
                    context -> work.get().execute(context))
            .build();

    @Test
    void itFiresByHandAndBySchedule() {
        assertThat(cluster.jobs().fire("statistics")).succeeded();
        assertThat(cluster.jobs().fireOnSchedule("statistics")).succeeded();
        assertThat(cluster).everyItemOf("statistics").ranTimes(2);
    }

    @Test
    void whatAKillInterruptsIsNotWaitedFor() {
        work.set(context -> {
            if (context.getShardingItem() == 0) {
                cluster.kill("b");
            }
        });

        Firing firing = cluster.jobs().fire("statistics");

        assertThat(firing).item(0).wasInterruptedOn("b");
        assertThat(firing).item(0).neverRan();
        assertThat(firing).item(1).ranOnce();
    }
}
