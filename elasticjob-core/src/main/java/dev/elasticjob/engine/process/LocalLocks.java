package dev.elasticjob.engine.process;

import dev.elasticjob.coordination.group.LocalIndexes;
import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The items of each job, and the indexes of each group, that this process holds, for as long as a runtime works with them: one whose thread ignores its
 * interruption still does after it has left the job, alongside the next runtime. During that time, no other engine on
 * the same registry may run the job: it would share the session, and so the locks, without seeing which ones are held.
 *
 * <p>Thread-safe; the returned objects are not.
 */
public final class LocalLocks implements AutoCloseable {
    private final Registry registry;
    private final InstanceCapacity capacity;
    private final Map<String, Shared> byJob = new HashMap<>();

    private static final class Shared {
        private final LocalItemLocks locks;
        private final LocalIndexes indexes = new LocalIndexes();
        private final Subscription reservation;
        private int users;

        Shared(LocalItemLocks locks, Subscription reservation) {
            this.locks = locks;
            this.reservation = reservation;
        }
    }

    /** @param capacity of which the items of all jobs take their weight */
    public LocalLocks(Registry registry, InstanceCapacity capacity) {
        this.registry = registry;
        this.capacity = capacity;
    }

    /**
     * The items of the job, for one more runtime, until it {@linkplain #giveBack gives them back}.
     *
     * @throws IllegalStateException if another engine on this registry runs the job
     */
    public synchronized LocalItemLocks lend(String job) {
        return shared(job).locks;
    }

    /**
     * The same for the indexes of a group, by the root of its nodes.
     *
     * @throws IllegalStateException if another engine on this registry takes part in the group
     */
    public synchronized LocalIndexes lendIndexes(String root) {
        return shared(root).indexes;
    }

    private Shared shared(String name) {
        Shared shared = byJob.computeIfAbsent(name, any -> new Shared(new LocalItemLocks(capacity), reserve(any)));
        shared.users++;
        return shared;
    }

    private Subscription reserve(String job) {
        return registry.reserve(job)
                .orElseThrow(() -> new IllegalStateException(
                        ("Expected to be the only engine that runs %s \"%s\" on this registry, but another engine runs it,"
                                        + " or has a thread for it that has not returned yet. Close that engine first, or give each engine a"
                                        + " registry of its own")
                                .formatted(job.startsWith("/") ? "group" : "job", job)));
    }

    public synchronized void giveBack(String job) {
        Shared shared = Objects.requireNonNull(byJob.get(job), job);
        shared.users--;
        if (shared.users == 0) {
            byJob.remove(job);
            shared.reservation.close();
        }
    }

    /** Called at the end of the engine, when no execution is left, but the registry may not have answered. */
    @Override
    public synchronized void close() {
        byJob.values().forEach(shared -> shared.reservation.close());
    }
}
