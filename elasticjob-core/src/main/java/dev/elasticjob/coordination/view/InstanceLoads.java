package dev.elasticjob.coordination.view;

import dev.elasticjob.definition.JobDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * What the instances of a namespace have to carry: of each job, the weight of the items that each instance owns. Immutable.
 *
 * @param byJob by the job's name, then by the instance's id; jobs whose items have no owner may be missing
 */
public record InstanceLoads(Map<String, Map<String, Long>> byJob) {
    /** Nobody owns anything. */
    public static final InstanceLoads NONE = new InstanceLoads(Map.of());

    public InstanceLoads {
        byJob = Map.copyOf(byJob);
    }

    /** The load of each instance without that job's items; instances without any may be missing. */
    public Map<String, Long> besides(String jobName) {
        Map<String, Long> loads = new HashMap<>();
        byJob.forEach((job, owned) -> {
            if (!job.equals(jobName)) {
                owned.forEach((instance, weight) -> loads.merge(instance, weight, Long::sum));
            }
        });
        return loads;
    }

    /** Returns a copy in which a job's items have these owners. */
    public InstanceLoads with(JobDefinition job, Map<Integer, String> owners) {
        Map<String, Map<String, Long>> next = new HashMap<>(byJob);
        next.put(job.jobName(), owned(owners, job::weightOf));
        return new InstanceLoads(next);
    }

    /** The weight of the items of each instance. */
    static Map<String, Long> owned(Map<Integer, String> owners, IntUnaryOperator weightOf) {
        Map<String, Long> owned = new HashMap<>();
        owners.forEach((item, owner) -> owned.merge(owner, (long) weightOf.applyAsInt(item), Long::sum));
        return owned;
    }
}
