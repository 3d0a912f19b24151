package dev.elasticjob.kubernetes;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.Suspension;
import dev.elasticjob.kubernetes.plan.Registered;
import dev.elasticjob.kubernetes.registry.Registries;
import dev.elasticjob.kubernetes.registry.Work;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Registries in which there is what a test says, in each namespace one job that is called as the namespace. */
final class PlayedRegistries implements Registries {
    boolean away;
    int reads;
    final Map<String, Runnable> users = new HashMap<>();
    private final Set<String> read = new HashSet<>();
    Runnable beforeRead = () -> {};
    final Map<String, PublishedApp> shown = new HashMap<>();
    final Map<String, Suspension> suspensions = new HashMap<>();
    private final Map<String, JobDemand> demands = new HashMap<>();
    private final Map<String, JobDemand> ahead = new HashMap<>();
    private final Map<String, List<Registered>> instances = new HashMap<>();

    void demand(String namespace, int open, int running) {
        demand(namespace, open, running, Optional.empty());
    }

    void demand(String namespace, int open, int running, Optional<Instant> due) {
        demand(namespace, open, running, Optional.empty(), due);
    }

    void demandSince(String namespace, int open, Optional<Instant> since) {
        demand(namespace, open, 0, since, Optional.empty());
    }

    private void demand(String namespace, int open, int running, Optional<Instant> since, Optional<Instant> due) {
        JobDemand demand = new JobDemand(
                namespace, open, running, open, running, since, due, Optional.empty(), 1, Optional.empty());
        demands.put(namespace, demand);
        ahead.put(namespace, demand);
        ring(namespace);
    }

    /** What will be open when the firing is near. */
    void demandAhead(String namespace, int open) {
        ahead.put(
                namespace,
                new JobDemand(
                        namespace,
                        open,
                        0,
                        open,
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        1,
                        Optional.empty()));
    }

    void register(String namespace, String pod) {
        instances
                .computeIfAbsent(namespace, name -> new ArrayList<>())
                .add(new Registered("10.0.0.1@-@" + pod, Set.of(namespace), Set.of(namespace), Map.of(), Set.of()));
        ring(namespace);
    }

    void unregisterAll(String namespace) {
        instances.remove(namespace);
        ring(namespace);
    }

    void comeBack() {
        away = false;
        List.copyOf(users.values()).forEach(Runnable::run);
    }

    private void ring(String namespace) {
        if (users.containsKey(namespace)) {
            users.get(namespace).run();
        }
    }

    @Override
    public CompletionStage<Work> read(String app, String namespace, Set<Duration> aheads, Runnable changed) {
        users.put(namespace, changed);
        reads++;
        read.add(app);
        beforeRead.run();
        if (away) {
            return CompletableFuture.failedFuture(new RegistryUnavailableException("ZooKeeper is away"));
        }
        Map<Duration, List<JobDemand>> all = new HashMap<>();
        aheads.forEach(time ->
                all.put(time, Optional.ofNullable(ahead.get(namespace)).stream().toList()));
        all.put(
                Duration.ZERO,
                Optional.ofNullable(demands.get(namespace)).stream().toList());
        return CompletableFuture.completedFuture(new Work(
                all, instances.getOrDefault(namespace, List.of()), Optional.ofNullable(suspensions.get(namespace))));
    }

    @Override
    public void publish(String uid, PublishedApp app) {
        if (read.contains(app.name())) {
            shown.put(app.name(), app);
        }
    }

    @Override
    public void rest() {
        users.clear();
        shown.clear();
        read.clear();
    }

    @Override
    public void begin() {}

    @Override
    public void release(String app) {
        users.remove(app);
    }
}
