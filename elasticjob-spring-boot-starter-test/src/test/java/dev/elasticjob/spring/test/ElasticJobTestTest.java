package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A Spring application with one job, under the kit. */
@ElasticJobTest(
        classes = ElasticJobTestTest.Application.class,
        properties = {"elasticjob.enabled=false", "elasticjob.registry.connect-string=not.there:2181"})
class ElasticJobTestTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class Application {}

    @ElasticJob(
            name = "orders",
            cron = "0 0 3 * * ?",
            timeZone = "Z",
            shardingTotalCount = 3,
            shardingItemParameters = "0=Beijing,1=Shanghai,2=Guangzhou")
    static class OrdersJob implements SimpleJob {
        private final List<String> cities = new CopyOnWriteArrayList<>();

        @Override
        public void execute(ShardingContext context) {
            cities.add(context.getShardingParameter());
        }
    }

    @Autowired
    private Jobs jobs;

    @Autowired
    private OrdersJob bean;

    @Test
    void aFiringRunsTheApplicationsOwnBean() {
        bean.cities.clear();

        Firing firing = jobs.fire("orders");

        assertThat(firing).succeeded();
        assertThat(firing).everyItem().ranOn(ElasticJobCluster.APPLICATION);
        assertThat(bean.cities).containsExactlyInAnyOrder("Beijing", "Shanghai", "Guangzhou");
    }

    @Test
    void theScheduleIsTheAnnotations(Jobs parameter, ElasticJobCluster cluster) {
        parameter.advance(Duration.ofHours(24));

        assertThat(cluster).everyItemOf("orders").ranOnce();
    }

    @Test
    void whatRanInTheTestBeforeIsForgotten(ElasticJobCluster cluster) {
        assertThat(cluster.executions()).isEmpty();
        jobs.fire("orders");
        assertThat(cluster).everyItemOf("orders").ranOnce();
    }

    @Test
    void aFurtherInstanceRunsTheSameBeansAndItsItemsComeBackWhenItIsKilled(@Autowired ElasticJobCluster cluster) {
        bean.cities.clear();
        cluster.start("b");
        Firing shared = jobs.fire("orders");

        cluster.kill("b");
        Firing alone = jobs.fire("orders");

        assertThat(shared.executions()).extracting(Execution::instance).contains("application", "b");
        assertThat(alone).everyItem().ranOn("application");
        assertThat(bean.cities).hasSize(6);
    }

    @RepeatedTest(2)
    void aFurtherInstanceEndsWithItsTest(ElasticJobCluster cluster) {
        assertThat(cluster.instances()).containsExactly("application");
        cluster.start("b");
    }

    @Test
    void theApplicationItselfCanNotBeKilled(ElasticJobCluster cluster) {
        assertThatThrownBy(() -> cluster.kill("application"))
                .hasMessageContaining("is the application itself, which can't be killed without its context");
    }

    @Nested
    class InAClassWithin {
        @Test
        void theKitIsTheSame(Jobs parameter) {
            assertThat(parameter).isSameAs(jobs);
        }
    }

    /** The attributes of the one beside it go before. */
    @Nested
    @ElasticJobTest(startTime = "2030-05-05T00:00:00Z")
    @SpringBootTest(classes = Application.class, properties = "elasticjob.jobs.orders.sharding-total-count=5")
    class BesideSpringBootTest {
        @Test
        void bothAreHeeded(Jobs parameter) {
            Firing firing = parameter.fire("orders");

            assertThat(firing.items()).containsExactly(0, 1, 2, 3, 4);
            assertThat(firing).succeeded();
            assertThat(parameter.clock().instant()).isAfterOrEqualTo("2030-05-05T00:00:00Z");
        }
    }
}
