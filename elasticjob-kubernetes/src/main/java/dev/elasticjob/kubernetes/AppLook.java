package dev.elasticjob.kubernetes;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.kubernetes.app.AppSpec;
import dev.elasticjob.kubernetes.app.ElasticAppCheck;
import dev.elasticjob.kubernetes.app.ElasticAppCheck.Checked;
import dev.elasticjob.kubernetes.app.Pool;
import dev.elasticjob.kubernetes.cluster.Cluster;
import dev.elasticjob.kubernetes.cluster.ClusterRefusedException;
import dev.elasticjob.kubernetes.cluster.ClusterUnavailableException;
import dev.elasticjob.kubernetes.cluster.SeenApp;
import dev.elasticjob.kubernetes.cluster.WorkerObjects;
import dev.elasticjob.kubernetes.plan.AppPlan;
import dev.elasticjob.kubernetes.plan.AppView;
import dev.elasticjob.kubernetes.plan.Condition;
import dev.elasticjob.kubernetes.plan.Condition.Kind;
import dev.elasticjob.kubernetes.plan.PoolPlan;
import dev.elasticjob.kubernetes.plan.PoolView;
import dev.elasticjob.kubernetes.plan.Reason;
import dev.elasticjob.kubernetes.plan.Worker;
import dev.elasticjob.kubernetes.plan.WorkerPlanner;
import dev.elasticjob.kubernetes.registry.Registries;
import dev.elasticjob.kubernetes.registry.Work;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One look at one application: reads it, its workers and its registry, decides, starts what is missing, and writes the
 * status if it says something new. Keeps nothing between two looks but whether this controller leads. Thread-safe.
 */
final class AppLook {
    private static final Logger log = LoggerFactory.getLogger(AppLook.class);
    private static final Duration UNTIL_NEXT_TRY = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final Registries registries;
    private final ElasticAppCheck check;
    private final WorkerObjects objects;
    private final AppMeters meters;
    private final Clock clock;
    private volatile boolean leads;

    AppLook(
            Cluster cluster,
            Registries registries,
            ElasticAppCheck check,
            WorkerObjects objects,
            AppMeters meters,
            Clock clock) {
        this.cluster = cluster;
        this.registries = registries;
        this.check = check;
        this.objects = objects;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * How a look ended.
     *
     * @param isGone whether there is no such application any more
     * @param lookAgain when something may change without an event
     * @param tried what was tried; empty if nothing could be decided
     */
    record Outcome(boolean isGone, Optional<Instant> lookAgain, Optional<Tried> tried) {
        static final Outcome GONE = new Outcome(true, Optional.empty(), Optional.empty());

        static Outcome at(Optional<Instant> time) {
            return new Outcome(false, time, Optional.empty());
        }
    }

    /**
     * What was tried in a look.
     *
     * @param refused what the cluster has refused, by pool
     * @param resting the pools for which nothing was tried, as they were refused a moment ago
     */
    record Tried(Map<String, Refused> refused, Set<String> resting) {}

    /** @param generation the application's, when it was refused: another one may be allowed */
    record Refused(Reason reason, long generation) {}

    /**
     * Looks once.
     *
     * @param executor on which it goes on when the registry has answered
     * @param refused what the cluster has refused a moment ago, by pool: nothing is created for these until that is over
     * @param changed calls for another look
     * @return a stage that fails with {@link ClusterUnavailableException}; an unavailable registry is an outcome
     */
    CompletionStage<Outcome> look(String name, Executor executor, Map<String, Refused> refused, Runnable changed) {
        if (!leads) {
            return CompletableFuture.completedFuture(Outcome.at(Optional.empty()));
        }
        Optional<SeenApp> seen = cluster.app(name);
        if (seen.isEmpty()) {
            registries.release(name);
            meters.gone(name);
            return CompletableFuture.completedFuture(Outcome.GONE);
        }
        SeenApp app = seen.get();
        Checked checked = check.check(name, app.spec());
        if (checked.spec().isEmpty()) {
            return invalid(app, checked.faults(), executor, changed);
        }
        AppSpec spec = checked.spec().get();
        Set<Duration> ahead = spec.pools().stream().map(Pool::startAhead).collect(Collectors.toSet());
        return registries
                .read(name, spec.registryNamespace(), ahead, changed)
                .handleAsync(
                        (work, failure) ->
                                work == null ? unavailable(app, spec, failure) : decided(app, spec, work, refused),
                        executor);
    }

    /** People are shown it where its jobs are, if it says where. */
    private CompletionStage<Outcome> invalid(SeenApp app, List<String> faults, Executor executor, Runnable changed) {
        Map<String, Object> status =
                undecided(app, new Condition(Kind.Ready, false, "Invalid", String.join("\n", faults)));
        Object namespace = app.spec().getOrDefault("registryNamespace", app.name());
        if (!(namespace instanceof String named)) {
            return CompletableFuture.completedFuture(Outcome.at(Optional.empty()));
        }
        return registries
                .read(app.name(), named, Set.of(), changed)
                .handleAsync(
                        (work, failure) -> {
                            if (work != null) {
                                boolean suspend = Boolean.TRUE.equals(app.spec().get("suspend"));
                                registries.publish(app.identity().uid(), Publication.undecided(app, suspend, status));
                            }
                            return Outcome.at(Optional.empty());
                        },
                        executor);
    }

    /** This controller leads. */
    void begin() {
        registries.begin();
        leads = true;
    }

    /** It doesn't any more: nothing is looked at, and that a registry is not read any more is not its fault. */
    void rest() {
        leads = false;
        registries.rest();
    }

    private Outcome unavailable(SeenApp app, AppSpec spec, @Nullable Throwable failure) {
        if (!leads) {
            return Outcome.at(Optional.empty());
        }
        Throwable cause = failure == null ? null : Stages.unwrap(failure);
        log.debug(
                "Application \"{}\": registry namespace \"{}\" can't be read",
                app.name(),
                spec.registryNamespace(),
                cause);
        undecided(
                app,
                new Condition(
                        Kind.Ready,
                        false,
                        "RegistryUnavailable",
                        "Registry namespace \"%s\" can't be read, so nothing is started until it can: %s"
                                .formatted(spec.registryNamespace(), cause == null ? "" : cause.getMessage())));
        return Outcome.at(Optional.of(clock.instant().plus(UNTIL_NEXT_TRY)));
    }

    /** @return the status that was written */
    private Map<String, Object> undecided(SeenApp app, Condition ready) {
        meters.undecided(app.name());
        Map<String, Object> status = AppStatus.undecided(app, ready, clock.instant());
        write(app, status, List.of(ready));
        return status;
    }

    private Outcome decided(SeenApp app, AppSpec spec, Work work, Map<String, Refused> refusedBefore) {
        if (!leads) {
            return Outcome.at(Optional.empty());
        }
        Instant now = clock.instant();
        long generation = app.identity().generation();
        AppPlan plan = WorkerPlanner.plan(view(app, spec, work), now);
        Map<String, Reason> all = new TreeMap<>();
        refusedBefore.forEach((pool, refused) -> {
            if (refused.generation() == generation) {
                all.put(pool, refused.reason());
            }
        });
        Set<String> resting = Set.copyOf(all.keySet());
        Map<String, Reason> refused = act(app, spec, plan, resting);
        all.putAll(refused);
        meters.decided(app.name(), plan, all.keySet());
        List<Condition> conditions = plan.conditions().stream()
                .map(condition -> condition.kind() == Kind.WorkersBlocked
                        ? together(all.values())
                                .map(reason -> new Condition(Kind.WorkersBlocked, true, reason.code(), reason.text()))
                                .orElse(condition)
                        : condition)
                .toList();
        Map<String, Object> status = AppStatus.of(app, plan, conditions, now);
        write(app, status, conditions);
        registries.publish(
                app.identity().uid(), Publication.decided(app, spec.suspend(), plan, status, work.instances()));
        // Not before: what isn't written is noticed again.
        meters.noticed(app.name(), plan);
        Map<String, Refused> kept = new TreeMap<>();
        refused.forEach((pool, reason) -> kept.put(pool, new Refused(reason, generation)));
        return new Outcome(false, plan.lookAgain(), Optional.of(new Tried(kept, resting)));
    }

    private AppView view(SeenApp app, AppSpec spec, Work work) {
        return new AppView(
                app.name(),
                suspended(spec, work),
                spec.pools().stream()
                        .map(pool -> new PoolView(
                                pool,
                                objects.template(spec, pool),
                                AppStatus.memory(app.status(), pool.name()),
                                app.workers(pool.name()),
                                app.base(pool.name())))
                        .toList(),
                work.demands(),
                work.instances());
    }

    private static Optional<String> suspended(AppSpec spec, Work work) {
        return spec.suspend()
                ? Optional.of("spec.suspend is true")
                : work.suspension().map(suspension -> suspension + ", by the command suspend-app");
    }

    // ------------------------------------------------------------------ acting

    private static Optional<Reason> together(Collection<Reason> refused) {
        return refused.stream()
                .findFirst()
                .map(first -> new Reason(
                        first.code(), refused.stream().map(Reason::text).collect(Collectors.joining("\n"))));
    }

    /**
     * @param resting the pools for which nothing is to be tried
     * @return what the cluster has refused, by pool
     */
    private Map<String, Reason> act(SeenApp app, AppSpec spec, AppPlan plan, Set<String> resting) {
        Map<String, Reason> refused = new TreeMap<>();
        Set<String> removed = removedPools(app, spec);
        removed.removeAll(resting);
        removed.forEach(pool -> trying(app, pool, refused, () -> end(app, pool)));
        for (PoolPlan pool : plan.pools()) {
            String name = pool.view().pool().name();
            if (!resting.contains(name)) {
                trying(app, name, refused, () -> {
                    pool.delete().forEach(cluster::delete);
                    changeBase(app, spec, pool);
                    start(app, spec, pool);
                });
            }
        }
        return refused;
    }

    private static void trying(SeenApp app, String pool, Map<String, Reason> refused, Runnable action) {
        try {
            action.run();
        } catch (ClusterRefusedException e) {
            log.warn("Application \"{}\": {}", app.name(), e.getMessage());
            refused.put(pool, new Reason(e.code(), String.valueOf(e.getMessage())));
        }
    }

    private static Set<String> removedPools(SeenApp app, AppSpec spec) {
        Set<String> pools = new TreeSet<>(app.bases().keySet());
        pools.addAll(app.workers().keySet());
        spec.pools().forEach(pool -> pools.remove(pool.name()));
        return pools;
    }

    /** Workers on demand that have started end by themselves. */
    private void end(SeenApp app, String pool) {
        if (app.base(pool).replicas() > 0) {
            cluster.stopBase(app, pool);
        }
        app.workers(pool).stream()
                .filter(worker -> worker.phase() == Worker.Phase.PENDING)
                .forEach(worker -> cluster.delete(worker.name()));
    }

    private void changeBase(SeenApp app, AppSpec spec, PoolPlan plan) {
        if (plan.base().isEmpty()) {
            return;
        }
        int wanted = plan.base().getAsInt();
        boolean differs = wanted != plan.view().base().replicas()
                || (wanted > 0
                        && !plan.view().template().equals(plan.view().base().template()));
        if (differs) {
            cluster.apply(objects.base(app, spec, plan.view().pool(), wanted));
            log.info(
                    "Application \"{}\": pool \"{}\" always has {} workers",
                    app.name(),
                    plan.view().pool().name(),
                    wanted);
        }
    }

    private void start(SeenApp app, AppSpec spec, PoolPlan plan) {
        List<String> started = new ArrayList<>();
        try {
            for (PoolPlan.Place place : plan.start()) {
                Job worker = objects.worker(app, spec, plan.view().pool(), place);
                if (cluster.create(worker)) {
                    started.add(worker.getMetadata().getName());
                }
            }
        } finally {
            // A quota may allow some of them.
            tellStarted(app, plan, started);
        }
    }

    private void tellStarted(SeenApp app, PoolPlan plan, List<String> started) {
        if (!started.isEmpty()) {
            meters.started(app.name(), plan.view().pool().name(), started.size());
            String message = "Started %s for pool \"%s\": %d items are open, %d are running"
                    .formatted(
                            String.join(", ", started),
                            plan.view().pool().name(),
                            plan.figures().open(),
                            plan.figures().running());
            log.info("Application \"{}\": {}", app.name(), message);
            emit(app, new Cluster.Notice(false, "WorkersStarted", message));
        }
    }

    // ------------------------------------------------------------------ telling

    private void write(SeenApp app, Map<String, Object> status, List<Condition> conditions) {
        if (AppStatus.isSame(status, app.status())) {
            return;
        }
        cluster.writeStatus(app.name(), status);
        conditions.stream()
                .filter(AppLook::needsLook)
                .filter(condition -> AppStatus.condition(app.status(), condition.kind())
                        .filter(before -> before.holds() == condition.holds()
                                && before.reason().equals(condition.reason()))
                        .isEmpty())
                .forEach(condition -> {
                    log.warn("Application \"{}\": {}: {}", app.name(), condition.reason(), condition.message());
                    emit(app, new Cluster.Notice(true, condition.reason(), condition.message()));
                });
    }

    private static boolean needsLook(Condition condition) {
        return switch (condition.kind()) {
            case Ready -> Set.of("Invalid", "RegistryUnavailable").contains(condition.reason());
            case WorkersBlocked -> condition.holds();
            case ScalesToZero -> false;
        };
    }

    /** Events are for people: without one, all goes on. */
    private void emit(SeenApp app, Cluster.Notice notice) {
        try {
            cluster.emit(app, notice);
        } catch (ClusterUnavailableException | ClusterRefusedException e) {
            log.debug("Application \"{}\": an event was not written", app.name(), e);
        }
    }
}
