package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Firing;
import dev.elasticjob.spring.test.Jobs;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@ElasticJobTest
class OrdersJobTest {
    @Test
    void aFiringRunsEveryItem(Jobs jobs) {
        assertThat(jobs.fire("orders")).succeeded();
    }

    @Test
    void aMinuteHasTwelveFirings(Jobs jobs, ElasticJobCluster cluster) {
        jobs.advance(Duration.ofMinutes(1));

        assertThat(cluster).everyItemOf("orders").ranTimes(12);
    }

    @Test
    void itemsOfAKilledInstanceGoToTheOthers(Jobs jobs, ElasticJobCluster cluster) {
        cluster.start("b");
        cluster.start("c");
        Firing before = jobs.fireOnSchedule("orders");

        cluster.kill("c");
        Firing after = jobs.fireOnSchedule("orders");

        assertThat(before).item(0).ranOn("c");
        assertThat(after).item(0).ranOn("b");
        assertThat(cluster).everyItemOf("orders").ranTimes(2);
    }
}
