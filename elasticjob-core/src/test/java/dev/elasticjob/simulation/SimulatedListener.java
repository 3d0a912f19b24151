package dev.elasticjob.simulation;

import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.event.HookKind;
import java.util.Optional;

/** The cluster listener of one process, where its first job has one. */
record SimulatedListener(World world, SimulatedProcess process) implements ClusterJobListener {
    @Override
    public boolean appliesTo(String jobName) {
        return world.scenario().hasListener() && jobName.equals(Scenario.JOB);
    }

    @Override
    public void beforeFirstItem(ClusterFiring firing) throws InterruptedException {
        world.call(process, HookKind.BEFORE, firing, Optional.empty());
    }

    @Override
    public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) throws InterruptedException {
        world.call(process, HookKind.AFTER, firing, Optional.of(outcomes));
    }
}
