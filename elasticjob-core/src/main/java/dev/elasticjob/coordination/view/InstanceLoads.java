package dev.elasticjob.coordination.view;

import dev.elasticjob.definition.JobDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the instances of a namespace have to carry: of each job, the weight of the items that each instance owns. Immutable.
 * With another job's owners, it shares what it knows of all others, so that a thousand jobs can be planned one after the other.
 */
public final class InstanceLoads {
    /** Nobody owns anything. */
    public static final InstanceLoads NONE = new InstanceLoads(Map.of());

    private final Map<String, Map<String, Long>> read;
    /** The newest one first. */
    private final @Nullable Change changes;
    /** Of all jobs. */
    private final Map<String, Long> totals;

    private record Change(
            String job, Map<String, Long> owned, @Nullable Change before) {}

    /** @param byJob by the job's name, then by the instance's id; jobs whose items have no owner may be missing */
    public InstanceLoads(Map<String, Map<String, Long>> byJob) {
        this(Map.copyOf(byJob), null, new HashMap<>());
        byJob.values().forEach(owned -> add(owned, 1));
    }

    private InstanceLoads(Map<String, Map<String, Long>> read, @Nullable Change changes, Map<String, Long> totals) {
        this.read = read;
        this.changes = changes;
        this.totals = totals;
    }

    private void add(Map<String, Long> owned, int sign) {
        owned.forEach((instance, weight) -> totals.merge(instance, sign * weight, Long::sum));
    }

    private Map<String, Long> ownedOf(String jobName) {
        for (Change change = changes; change != null; change = change.before()) {
            if (change.job().equals(jobName)) {
                return change.owned();
            }
        }
        return read.getOrDefault(jobName, Map.of());
    }

    /** The load of each instance without that job's items; instances without any may be missing. */
    public Map<String, Long> besides(String jobName) {
        InstanceLoads others = new InstanceLoads(read, changes, new HashMap<>(totals));
        others.add(ownedOf(jobName), -1);
        return others.totals;
    }

    /** Returns a copy in which a job's items have these owners. */
    public InstanceLoads with(JobDefinition job, Map<Integer, String> owners) {
        Map<String, Long> owned = owned(owners, job::weightOf);
        InstanceLoads next = new InstanceLoads(read, new Change(job.jobName(), owned, changes), besides(job.jobName()));
        next.add(owned, 1);
        return next;
    }

    /** The weight of the items of each instance. */
    static Map<String, Long> owned(Map<Integer, String> owners, IntUnaryOperator weightOf) {
        Map<String, Long> owned = new HashMap<>();
        owners.forEach((item, owner) -> owned.merge(owner, (long) weightOf.applyAsInt(item), Long::sum));
        return owned;
    }
}
