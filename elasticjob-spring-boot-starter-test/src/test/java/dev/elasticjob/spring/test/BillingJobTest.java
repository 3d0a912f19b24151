package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BillingJobTest {
    private final List<Integer> billed = new CopyOnWriteArrayList<>();

    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b", "c")
            .job(
                    JobDefinition.builder("billing")
                            .cron("0 0 3 * * ?")
                            .shardingTotalCount(6)
                            .failover(true)
                            .build(),
                    (SimpleJob) this::bill)
            .build();

    private void bill(ShardingContext context) {
        if (context.getShardingItem() == 2 && context.getAttempt() == 1) {
            cluster.kill("b"); // in the middle of its work
        }
        billed.add(context.getShardingItem());
    }

    @Test
    void anotherInstanceFinishesTheWorkOfADeadOne() {
        Firing firing = cluster.jobs().fireOnSchedule("billing");

        assertThat(firing).succeeded();
        assertThat(firing).item(2).wasInterruptedOn("b");
        assertThat(cluster).everyItemOf("billing").ranOnce();
        assertThat(billed).contains(0, 1, 2, 3, 4, 5);
    }
}
