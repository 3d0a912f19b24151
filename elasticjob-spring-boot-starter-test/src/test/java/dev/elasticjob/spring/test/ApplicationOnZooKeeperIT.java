package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The application of {@link ElasticJobTestTest} on a real ZooKeeper, beside an instance that is killed. */
@ElasticJobTest(
        classes = ElasticJobTestTest.Application.class,
        environment = JobEnvironment.EMBEDDED_ZOOKEEPER,
        properties = "elasticjob.registry.connect-string=not.there:2181")
class ApplicationOnZooKeeperIT {
    @Test
    void itsItemsAreSharedWithAFurtherInstanceUntilThatIsKilled(
            Jobs jobs, ElasticJobCluster cluster, @Autowired Registry registry) {
        cluster.start("b");
        Firing shared = jobs.fire("orders");

        cluster.kill("b");
        Firing alone = jobs.fire("orders");

        assertThat(registry).isInstanceOf(CuratorRegistry.class);
        assertThat(shared).succeeded();
        assertThat(shared.executions()).extracting(Execution::instance).contains("application", "b");
        assertThat(alone).everyItem().ranOn("application");
    }
}
