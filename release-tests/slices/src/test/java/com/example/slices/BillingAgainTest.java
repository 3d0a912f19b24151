package com.example.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Jobs;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The same configuration as another class, in parallel with it. */
@ElasticJobTest
class BillingAgainTest {
    @Autowired
    private Bills bills;

    @RepeatedTest(5)
    void aFiringWritesABillForEachItemAndNobodyElseIsHere(Jobs jobs, ElasticJobCluster cluster) {
        long before = bills.countByItem(1);

        assertThat(jobs.fire("billing")).succeeded();

        assertThat(cluster).everyItemOf("billing").ranOnce();
        assertThat(bills.countByItem(1)).isEqualTo(before + 1);
    }

    @Test
    void bothClassesShareOneApplication() {
        assertThat(BillingJob.STARTED).hasValue(1);
    }
}
