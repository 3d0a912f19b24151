package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.app.Injected;
import dev.elasticjob.kubernetes.cluster.Cluster;
import dev.elasticjob.kubernetes.cluster.ClusterUnavailableException;
import dev.elasticjob.kubernetes.cluster.SeenApp;
import dev.elasticjob.kubernetes.cluster.SeenApp.Identity;
import dev.elasticjob.kubernetes.plan.Base;
import dev.elasticjob.kubernetes.plan.Worker;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.manual.ManualTime;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster in memory, whose objects do only what a test says. */
final class PlayedCluster implements Cluster {
    final Map<String, Worker> workers = new TreeMap<>();
    final List<String> created = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    final List<Deployment> bases = new ArrayList<>();
    final Set<String> stopped = new TreeSet<>();
    /** Throws what a test wants. */
    Consumer<String> beforeCreate = worker -> {};
    /** The same, before a pool is stopped. */
    Consumer<String> beforeStop = pool -> {};
    /** Called once an application has been read, before the reader gets it. */
    Runnable afterRead = () -> {};

    boolean away;
    boolean refusesStatus;
    int writes;

    private final ManualTime time;
    private final Map<String, Map<String, Object>> specs = new TreeMap<>();
    private final Map<String, Map<String, Object>> statuses = new TreeMap<>();
    private final Map<String, Long> generations = new TreeMap<>();
    private final List<Consumer<String>> listeners = new ArrayList<>();

    PlayedCluster(ManualTime time) {
        this.time = time;
    }

    void put(String app, Map<String, Object> spec) {
        generations.merge(app, 1L, Long::sum);
        specs.put(app, spec);
        tell(app);
    }

    void remove(String app) {
        specs.remove(app);
        tell(app);
    }

    /** The pod of a worker, which is its name, changes its phase. */
    void move(String worker, Phase phase) {
        Worker known = Objects.requireNonNull(workers.get(worker));
        Optional<Instant> started = phase == Phase.PENDING ? Optional.empty() : Optional.of(time.instant());
        workers.put(
                worker,
                new Worker(
                        worker,
                        known.ordinal(),
                        known.number(),
                        known.template(),
                        phase,
                        known.created(),
                        Optional.of(known.created()),
                        started,
                        Optional.empty(),
                        Set.of(worker),
                        Optional.empty()));
        tell(worker.substring(0, worker.indexOf('-')));
    }

    void tell(String app) {
        List.copyOf(listeners).forEach(listener -> listener.accept(app));
    }

    Map<String, Object> status(String app) {
        return statuses.getOrDefault(app, Map.of());
    }

    String reason(String app, String condition) {
        return conditions(app).stream()
                .filter(one -> condition.equals(one.get("type")))
                .map(one -> String.valueOf(one.get("reason")))
                .findFirst()
                .orElse("");
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> conditions(String app) {
        return (List<Map<String, Object>>) status(app).getOrDefault("conditions", List.of());
    }

    private void answer() {
        if (away) {
            throw new ClusterUnavailableException("The API server is away");
        }
    }

    @Override
    public Set<String> apps() {
        answer();
        return Set.copyOf(specs.keySet());
    }

    @Override
    public Optional<SeenApp> app(String name) {
        answer();
        Optional<SeenApp> app = Optional.ofNullable(specs.get(name))
                .map(spec -> new SeenApp(
                        new Identity("jobs", name, "uid-" + name, generations.getOrDefault(name, 0L)),
                        Map.of("queue", "batch"),
                        spec,
                        status(name),
                        workers.values().stream()
                                .filter(worker -> worker.name().startsWith(name + "-"))
                                .collect(Collectors.groupingBy(
                                        worker -> worker.name().split("-")[1])),
                        base(name)));
        afterRead.run();
        return app;
    }

    private Map<String, Base> base(String app) {
        return bases.stream()
                .filter(base -> base.getMetadata().getName().startsWith(app + "-"))
                .reduce((one, other) -> other)
                .map(base -> Map.of(
                        base.getMetadata().getLabels().get(Injected.POOL),
                        new Base(
                                base.getSpec().getReplicas(),
                                base.getMetadata().getLabels().get(Injected.TEMPLATE),
                                Map.of(),
                                Optional.empty())))
                .orElse(Map.of());
    }

    @Override
    public Subscription watch(Consumer<String> changed) {
        listeners.add(changed);
        return () -> listeners.remove(changed);
    }

    @Override
    public boolean create(Job worker) {
        answer();
        String name = worker.getMetadata().getName();
        beforeCreate.accept(name);
        if (workers.containsKey(name)) {
            return false;
        }
        Map<String, String> labels = worker.getMetadata().getLabels();
        workers.put(
                name,
                new Worker(
                        name,
                        Integer.parseInt(labels.get(Injected.ORDINAL)),
                        Integer.parseInt(labels.get(Injected.NUMBER)),
                        labels.get(Injected.TEMPLATE),
                        Phase.PENDING,
                        time.instant(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        Optional.empty()));
        created.add(name);
        tell(labels.get(Injected.APP));
        return true;
    }

    @Override
    public void delete(String worker) {
        answer();
        workers.remove(worker);
    }

    @Override
    public void apply(Deployment base) {
        answer();
        bases.add(base);
    }

    @Override
    public void stopBase(SeenApp app, String pool) {
        answer();
        beforeStop.accept(pool);
        stopped.add(app.name() + "-" + pool);
    }

    @Override
    public void writeStatus(String app, Map<String, Object> status) {
        answer();
        if (refusesStatus) {
            throw new ClusterUnavailableException("429");
        }
        writes++;
        statuses.put(app, status);
        tell(app);
    }

    @Override
    public void emit(SeenApp app, Notice notice) {
        answer();
        events.add(app.name() + ": " + notice.reason());
    }
}
