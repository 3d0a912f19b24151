package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An application that is strict about settings of unknown jobs, in a test that has only some of its jobs. */
@ElasticJobTest(
        classes = ElasticJobTestTest.Application.class,
        properties = {"elasticjob.fail-on-unknown-jobs=true", "elasticjob.jobs.nightly.sharding-total-count=4"})
class AbsentJobTest {
    @Test
    void theJobsThatAreThereRun(Jobs jobs) {
        assertThat(jobs.fire("orders")).succeeded();
    }
}
