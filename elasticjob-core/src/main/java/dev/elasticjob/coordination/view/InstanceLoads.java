package dev.elasticjob.coordination.view;

import dev.elasticjob.definition.JobDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * What the instances of a namespace have to carry: the weight of the items that each one owns, over all jobs. Immutable. What
 * was read of the single jobs is shared by all copies, so that thousands of jobs can be planned one after the other.
 */
public final class InstanceLoads {
    /** Nobody owns anything. */
    public static final InstanceLoads NONE = new InstanceLoads(Map.of());

    private final Map<String, Map<String, Long>> read;
    private final Map<String, Long> totals;

    /** @param byJob by the job's name, then by the instance's id; jobs whose items have no owner may be missing */
    public InstanceLoads(Map<String, Map<String, Long>> byJob) {
        this(Map.copyOf(byJob), new HashMap<>());
        byJob.values().forEach(owned -> add(owned, 1));
    }

    private InstanceLoads(Map<String, Map<String, Long>> read, Map<String, Long> totals) {
        this.read = read;
        this.totals = totals;
    }

    private void add(Map<String, Long> owned, int sign) {
        owned.forEach((instance, weight) -> totals.merge(instance, sign * weight, Long::sum));
    }

    /** The load of each instance without that job's items, as they were read; instances without any may be missing. */
    public Map<String, Long> besides(String jobName) {
        InstanceLoads others = new InstanceLoads(read, new HashMap<>(totals));
        others.add(read.getOrDefault(jobName, Map.of()), -1);
        return others.totals;
    }

    /**
     * Returns a copy in which a job's items have these owners.
     *
     * @param job of which this hasn't been asked before
     */
    public InstanceLoads with(JobDefinition job, Map<Integer, String> owners) {
        InstanceLoads next = new InstanceLoads(read, besides(job.jobName()));
        next.add(owned(owners, job::weightOf), 1);
        return next;
    }

    /** The weight of the items of each instance. */
    static Map<String, Long> owned(Map<Integer, String> owners, IntUnaryOperator weightOf) {
        Map<String, Long> owned = new HashMap<>();
        owners.forEach((item, owner) -> owned.merge(owner, (long) weightOf.applyAsInt(item), Long::sum));
        return owned;
    }
}
