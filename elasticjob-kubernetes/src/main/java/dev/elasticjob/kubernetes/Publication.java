package dev.elasticjob.kubernetes;

import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.PublishedApp.Condition;
import dev.elasticjob.admin.app.PublishedApp.Pool;
import dev.elasticjob.kubernetes.cluster.SeenApp;
import dev.elasticjob.kubernetes.plan.AppPlan;
import dev.elasticjob.kubernetes.plan.Base;
import dev.elasticjob.kubernetes.plan.Condition.Kind;
import dev.elasticjob.kubernetes.plan.PoolPlan;
import dev.elasticjob.kubernetes.plan.Reason;
import dev.elasticjob.kubernetes.plan.Registered;
import dev.elasticjob.kubernetes.plan.Worker;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a look at an application shows of it in the registry, for the console. Pure. */
final class Publication {
    /** The ids of the instances that run in pods, by the pod's name. */
    private final Map<String, String> instances = new HashMap<>();

    private final SeenApp app;

    private Publication(SeenApp app, Collection<Registered> registered) {
        this.app = app;
        registered.forEach(instance -> instances.put(instance.pod(), instance.id()));
    }

    /**
     * After a decision.
     *
     * @param suspend whether the resource says so
     * @param status the one that says the same
     */
    static PublishedApp decided(
            SeenApp app, boolean suspend, AppPlan plan, Map<String, Object> status, Collection<Registered> registered) {
        Publication publication = new Publication(app, registered);
        return publication.of(
                suspend, plan.pools().stream().map(publication::pool).toList(), AppStatus.conditions(status));
    }

    /**
     * When nothing could be decided: with the figures of the last decision, but not with what blocked workers then, as nobody
     * knows whether it still does.
     *
     * @param suspend whether the resource says so
     */
    static PublishedApp undecided(SeenApp app, boolean suspend, Map<String, Object> status) {
        Publication publication = new Publication(app, List.of());
        return publication.of(
                suspend,
                AppStatus.pools(status).map(publication::known).toList(),
                AppStatus.conditions(status).filter(known -> known.condition().kind() != Kind.WorkersBlocked));
    }

    private PublishedApp of(boolean suspend, List<Pool> pools, Stream<AppStatus.Known> conditions) {
        return new PublishedApp(
                app.name(),
                app.identity().namespace(),
                suspend,
                pools,
                conditions
                        .map(known -> new Condition(
                                known.condition().kind().name(),
                                known.condition().holds(),
                                known.condition().reason(),
                                known.condition().message(),
                                known.since().orElse(null)))
                        .toList());
    }

    private Pool pool(PoolPlan plan) {
        dev.elasticjob.kubernetes.app.Pool pool = plan.view().pool();
        PoolPlan.Figures figures = plan.figures();
        return new Pool(
                pool.name(),
                pool.capacity(),
                pool.baseWorkers(),
                pool.maxWorkers(),
                figures.open(),
                figures.running(),
                figures.need(),
                figures.registered(),
                figures.nextDue().orElse(null),
                plan.jobs(),
                workers(pool.name()),
                0);
    }

    private Pool known(AppStatus.KnownPool known) {
        return new Pool(
                known.name(),
                0,
                0,
                0,
                known.open(),
                known.running(),
                known.need(),
                0,
                null,
                known.jobs(),
                workers(known.name()),
                0);
    }

    // ------------------------------------------------------------------ workers

    private List<PublishedApp.Worker> workers(String pool) {
        return Stream.concat(
                        app.workers(pool).stream()
                                .filter(worker -> worker.phase() != Worker.Phase.SUCCEEDED)
                                .map(this::worker),
                        base(app.base(pool)))
                .sorted(Comparator.comparing(Publication::severity).thenComparing(PublishedApp.Worker::name))
                .toList();
    }

    private static int severity(PublishedApp.Worker worker) {
        return List.of("FAILED", "PENDING", "RUNNING").indexOf(worker.phase());
    }

    private PublishedApp.Worker worker(Worker worker) {
        String pod = worker.pods().stream().sorted().findFirst().orElse("");
        Optional<Instant> since = worker.ended().or(worker::started);
        return new PublishedApp.Worker(
                worker.name(),
                worker.phase().name(),
                pod,
                app.nodes().getOrDefault(pod, ""),
                instances.getOrDefault(pod, ""),
                since.orElse(worker.created()),
                worker.reason().map(Reason::code).orElse(""),
                worker.reason().map(Reason::text).orElse(""));
    }

    /** Of those that are always there, one that isn't registered may be anywhere on its way. */
    private Stream<PublishedApp.Worker> base(Base base) {
        return base.pods().keySet().stream().map(pod -> {
            Optional<Reason> reason = base.reason().filter(known -> known.text().startsWith(Base.ofPod(pod)));
            Worker.Phase phase = reason.isPresent() ? Worker.Phase.PENDING : Worker.Phase.RUNNING;
            return new PublishedApp.Worker(
                    pod,
                    phase.name(),
                    pod,
                    app.nodes().getOrDefault(pod, ""),
                    instances.getOrDefault(pod, ""),
                    null,
                    reason.map(Reason::code).orElse(""),
                    reason.map(Reason::text).orElse(""));
        });
    }
}
