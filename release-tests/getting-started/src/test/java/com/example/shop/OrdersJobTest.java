package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Jobs;
import org.junit.jupiter.api.Test;

@ElasticJobTest
class OrdersJobTest {
    @Test
    void aFiringRunsEveryItem(Jobs jobs) {
        assertThat(jobs.fire("orders")).succeeded();
    }
}
