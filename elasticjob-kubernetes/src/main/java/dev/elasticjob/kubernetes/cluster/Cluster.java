package dev.elasticjob.kubernetes.cluster;

import dev.elasticjob.registry.Subscription;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The cluster, as far as the controller needs it: one namespace. Thread-safe. What is seen may be old by moments: names
 * make up for it, because nothing is created twice under one.
 *
 * <p><b>Unavailable is never absent:</b> each call that can't be answered throws {@link ClusterUnavailableException}. Calls
 * block until they are answered.
 */
public interface Cluster {
    /** The names of all applications. */
    Set<String> apps();

    /** An application with its workers; empty if there is none of the name. */
    Optional<SeenApp> app(String name);

    /**
     * Calls back with the name of an application after each change of it, its workers, or their pods. Changes may be told
     * together. The callback must not block.
     */
    Subscription watch(Consumer<String> changed);

    /**
     * Creates a worker.
     *
     * @return false if it is there already
     * @throws ClusterRefusedException if the cluster doesn't allow it, or has another object of that name
     */
    boolean create(Job worker);

    /** Deletes a worker as it was seen; no effect if it is gone. */
    void delete(String worker);

    /**
     * Creates the workers that are always there, or changes their number and template.
     *
     * @throws ClusterRefusedException if the cluster doesn't allow it, or has another object of that name
     */
    void apply(Deployment base);

    /** Asks for no workers any more that are always there, for a pool that the application doesn't have any more. */
    void stopBase(SeenApp app, String pool);

    /** Replaces the status of an application; no effect if that is gone. */
    void writeStatus(String app, Map<String, Object> status);

    /** Adds an event to an application, for people. */
    void emit(SeenApp app, Notice notice);

    /**
     * An event.
     *
     * @param warning whether it needs a look
     */
    record Notice(boolean warning, String reason, String message) {}
}
