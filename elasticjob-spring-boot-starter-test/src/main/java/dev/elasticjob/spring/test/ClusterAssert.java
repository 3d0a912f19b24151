package dev.elasticjob.spring.test;

import org.assertj.core.api.AbstractAssert;

/** Assertions on the executions of all instances of a cluster since the test started. */
public final class ClusterAssert extends AbstractAssert<ClusterAssert, ElasticJobCluster> {
    ClusterAssert(ElasticJobCluster cluster) {
        super(cluster, ClusterAssert.class);
    }

    public ItemsAssert everyItemOf(String jobName) {
        return new ItemsAssert(
                jobName,
                actual.itemsOf(jobName),
                actual.executions().stream()
                        .filter(run -> run.jobName().equals(jobName))
                        .toList());
    }

    public ItemsAssert itemOf(String jobName, int number) {
        return everyItemOf(jobName).item(number);
    }
}
