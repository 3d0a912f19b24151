package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.app.ElasticAppCheck;
import dev.elasticjob.kubernetes.cluster.Fabric8Cluster;
import dev.elasticjob.kubernetes.cluster.RegistryAccess;
import dev.elasticjob.kubernetes.cluster.WorkerObjects;
import dev.elasticjob.kubernetes.registry.RegistryConnections;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.SystemTaskTimer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * All parts of one controller, for one namespace of a cluster. Two of them may run at any time. The client stays open when it
 * ends.
 */
public final class Controller implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int SECONDS_TO_END = 5;

    private final SystemTaskTimer timer = new SystemTaskTimer("elasticjob-kubernetes-timer");
    private final ExecutorService executor;
    private final Fabric8Cluster cluster;
    private final RegistryConnections registries;
    private final Election election;

    /**
     * Where a controller works.
     *
     * @param namespace of the cluster
     * @param lease by which one of several controllers leads
     * @param workers how workers reach the registry
     */
    public record Place(String namespace, String lease, RegistryAccess workers) {}

    /**
     * @param client isn't shared with another controller
     * @param connecting connects to a namespace of the registry to look; may wait
     * @param meters where it shows what it has decided
     */
    public Controller(
            KubernetesClient client,
            Place place,
            Function<String, ? extends Registry> connecting,
            MeterRegistry meters,
            Clock clock) {
        var number = new AtomicInteger();
        this.executor = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "elasticjob-kubernetes-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        this.cluster = new Fabric8Cluster(client, place.namespace(), clock);
        this.registries = new RegistryConnections(place.namespace(), connecting, clock, timer, executor);
        var appMeters = new AppMeters(meters, place.namespace(), clock);
        KubernetesSerialization serialization = client.getKubernetesSerialization();
        var look = new AppLook(
                cluster,
                registries,
                new ElasticAppCheck(serialization),
                new WorkerObjects(serialization, place.workers()),
                appMeters,
                clock);
        String identity = UUID.randomUUID().toString();
        this.election = new Election(
                client,
                new LeaseLock(place.namespace(), place.lease(), identity),
                identity,
                new AppLoop(cluster, look, appMeters, clock, timer, executor));
    }

    /** Begins to watch, and to take part in the election. Doesn't wait. */
    public void start() {
        cluster.start();
        election.start();
    }

    /** Whether the API server has shown all that a decision needs. */
    public boolean isListed() {
        return cluster.isListed();
    }

    /** Gives up the lead. Workers go on. */
    @Override
    public void close() {
        election.close();
        cluster.close();
        registries.close();
        timer.close();
        executor.shutdown();
        try {
            if (!executor.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
