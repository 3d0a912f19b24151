package dev.elasticjob.kubernetes.plan;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What the cluster and the registry don't show any more, and the next decision needs. It is kept in the application's
 * status, so that every controller knows it. If it is lost, a worker is started once more to introduce the jobs. Immutable.
 *
 * @param introduced the template of which a worker has registered; empty if there was none
 * @param introducedAt when that was seen
 * @param jobs that workers of it have registered for
 * @param before jobs of older templates that it may still register for
 * @param registered the present workers that have registered at some time
 * @param starts how their starts have ended
 */
public record PoolMemory(
        String introduced,
        Optional<Instant> introducedAt,
        Set<String> jobs,
        Set<String> before,
        Set<String> registered,
        Starts starts) {
    /** Of a pool that is new. */
    public static final PoolMemory NONE =
            new PoolMemory("", Optional.empty(), Set.of(), Set.of(), Set.of(), Starts.NONE);

    public PoolMemory {
        jobs = Set.copyOf(jobs);
        before = Set.copyOf(before);
        registered = Set.copyOf(registered);
    }

    /**
     * @param seen the jobs for which workers of the template are registered now
     * @param known the jobs of the namespace; what it doesn't have any more is forgotten
     * @param named the jobs that the pool names: one that was there and is gone is introduced again, once nobody is there
     * @param settled whether who introduced the template has had the time to register for all
     * @param lost whether those who introduced it have failed
     */
    PoolMemory withJobs(
            String template,
            Set<String> seen,
            Set<String> known,
            Collection<String> named,
            boolean settled,
            boolean lost,
            Instant now) {
        Set<String> left = new HashSet<>(jobs);
        left.removeIf(job -> !known.contains(job) && !named.contains(job));
        Set<String> older = new HashSet<>(before);
        older.retainAll(known);
        boolean again = seen.isEmpty() && (!known.containsAll(left) || (lost && !settled));
        if (introduced.equals(template) && !left.isEmpty() && !again) {
            left.addAll(seen);
            older.removeAll(left);
            return withJobs(introduced, introducedAt, left, settled ? Set.of() : older);
        }
        left.addAll(older);
        left.retainAll(known);
        if (seen.isEmpty()) {
            return withJobs("", Optional.empty(), left, Set.of());
        }
        left.removeAll(seen);
        return withJobs(template, Optional.of(now), seen, left);
    }

    private PoolMemory withJobs(String template, Optional<Instant> at, Set<String> has, Set<String> older) {
        return new PoolMemory(template, at, has, older, registered, starts);
    }

    PoolMemory withRegistered(Set<String> workers) {
        return new PoolMemory(introduced, introducedAt, jobs, before, workers, starts);
    }

    PoolMemory withStarts(Starts next) {
        return new PoolMemory(introduced, introducedAt, jobs, before, registered, next);
    }
}
