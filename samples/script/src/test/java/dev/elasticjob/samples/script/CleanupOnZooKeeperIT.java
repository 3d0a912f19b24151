package dev.elasticjob.samples.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Execution;
import dev.elasticjob.spring.test.Firing;
import dev.elasticjob.spring.test.JobEnvironment;
import dev.elasticjob.spring.test.Jobs;
import org.junit.jupiter.api.Test;

/** The job that only {@code application.yml} declares, on two instances and a real ZooKeeper. */
@ElasticJobTest(environment = JobEnvironment.EMBEDDED_ZOOKEEPER)
class CleanupOnZooKeeperIT {
    @Test
    void twoInstancesShareTheCities(Jobs jobs, ElasticJobCluster cluster) {
        cluster.start("b");

        Firing firing = jobs.fire("cleanup");

        assertThat(firing).succeeded();
        assertThat(firing.executions()).extracting(Execution::instance).contains("application", "b");
    }
}
