package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three instances on a real ZooKeeper, in real time. */
class EmbeddedZooKeeperIT {
    private final AtomicReference<SimpleJob> work = new AtomicReference<>(context -> {});

    @RegisterExtension
    final ElasticJobCluster cluster = ElasticJobCluster.of("a", "b", "c")
            .environment(JobEnvironment.EMBEDDED_ZOOKEEPER)
            .job(
                    JobDefinition.builder("billing")
                            .cron("0 0 3 1 1 ?")
                            .shardingTotalCount(6)
                            .failover(true)
                            .build(),
                    context -> work.get().execute(context))
            .build();

    @Test
    void aFiringRunsEveryItemOnceOnThreeInstances() {
        assertThat(cluster.jobs().fire("billing")).succeeded();
        assertThat(cluster).everyItemOf("billing").ranOnce();
        assertThat(cluster.executions()).extracting(Execution::instance).contains("a", "b", "c");
    }

    @Test
    void whatAKilledInstanceWasDoingRunsAgainElsewhere() {
        work.set(context -> {
            if (context.getShardingItem() == 2 && context.getAttempt() == 1) {
                cluster.kill("b");
            }
        });

        Firing firing = cluster.jobs().fire("billing");

        assertThat(firing).succeeded();
        assertThat(firing).item(2).wasInterruptedOn("b");
        assertThat(firing).everyItem().ranOnce();
    }

    @Test
    void theOthersShareWhatAKilledAndAStoppedInstanceHad() {
        cluster.kill("a");
        cluster.stop("b");
        cluster.start("d");

        assertThat(cluster.jobs().fire("billing")).succeeded();
        assertThat(cluster.executions()).extracting(Execution::instance).containsOnly("c", "d");
    }
}
