package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.plan.AppPlan;
import dev.elasticjob.kubernetes.plan.PoolPlan;
import dev.elasticjob.kubernetes.plan.PoolPlan.Figures;
import dev.elasticjob.kubernetes.plan.Starts;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What the controller that leads has decided last, as meters of each application and pool. They go with it, and with the lead:
 * the one that leads next has its own. Thread-safe.
 */
final class AppMeters {
    private static final String PREFIX = "elasticjob.kubernetes.";
    private static final double MILLIS_PER_SECOND = 1_000;

    private final MeterRegistry registry;
    private final Tags place;
    private final Clock clock;
    private final Map<String, App> apps = new HashMap<>();
    private volatile boolean leads;

    /**
     * @param namespace of the cluster
     * @param clock by which items are due
     */
    AppMeters(MeterRegistry registry, String namespace, Clock clock) {
        this.registry = registry;
        this.clock = clock;
        this.place = Tags.of("kubernetes.namespace", namespace);
        Gauge.builder(PREFIX + "leads", this, meters -> meters.leads ? 1 : 0)
                .description("1 if this controller leads, else 0.")
                .tags(place)
                .register(registry);
    }

    /** This controller leads now. */
    void begin() {
        leads = true;
    }

    /** It doesn't any more. */
    synchronized void end() {
        leads = false;
        apps.values().forEach(App::remove);
        apps.clear();
    }

    /** @param refused the pools for which the cluster doesn't allow what was decided */
    synchronized void decided(String app, AppPlan plan, Set<String> refused) {
        if (leads) {
            of(app).decided(plan, refused);
        }
    }

    /** Nothing could be decided: what is known of the application may be old. */
    synchronized void undecided(String app) {
        if (leads) {
            of(app).undecided();
        }
    }

    synchronized void started(String app, String pool, int workers) {
        if (leads) {
            of(app).of(pool).starts.increment(workers);
        }
    }

    /** The plan is known to every controller: a failed start that it has noticed is noticed once. */
    synchronized void noticed(String app, AppPlan plan) {
        if (leads) {
            plan.pools().forEach(pool -> of(app).of(pool.view().pool().name()).noticed(pool));
        }
    }

    /** The application is gone. */
    synchronized void gone(String app) {
        Optional.ofNullable(apps.remove(app)).ifPresent(App::remove);
    }

    private App of(String app) {
        return apps.computeIfAbsent(app, name -> new App(place.and("app", name)));
    }

    private Gauge gauge(String name, Tags tags, String description, ToDoubleFunction<AppMeters> value) {
        return Gauge.builder(PREFIX + name, this, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** Of one application. */
    private final class App {
        private final Tags tags;
        private final Map<String, PoolMeters> pools = new HashMap<>();
        private final Meter decides;
        private volatile boolean isDecided = true;

        App(Tags tags) {
            this.tags = tags;
            this.decides = gauge(
                    "decided",
                    tags,
                    "1 if it could be decided last how many workers the application gets, else 0.",
                    meters -> isDecided ? 1 : 0);
        }

        void decided(AppPlan plan, Set<String> refused) {
            isDecided = true;
            Set<String> present =
                    plan.pools().stream().map(pool -> pool.view().pool().name()).collect(Collectors.toSet());
            pools.entrySet().removeIf(known -> {
                boolean gone = !present.contains(known.getKey());
                if (gone) {
                    known.getValue().remove();
                }
                return gone;
            });
            plan.pools().forEach(pool -> {
                String name = pool.view().pool().name();
                of(name).decided(pool, refused.contains(name));
            });
        }

        void undecided() {
            isDecided = false;
            pools.values().forEach(PoolMeters::undecided);
        }

        PoolMeters of(String pool) {
            return pools.computeIfAbsent(pool, name -> new PoolMeters(tags.and("pool", name)));
        }

        void remove() {
            registry.remove(decides);
            pools.values().forEach(PoolMeters::remove);
        }
    }

    /** Of one pool; NaN while nothing can be decided. */
    private final class PoolMeters {
        private final List<Meter> all = new ArrayList<>();
        private final Counter starts;
        private final Counter failures;
        private volatile Optional<Figures> figures = Optional.empty();
        private volatile boolean isBlocked;
        private Set<String> counted = Set.of();

        PoolMeters(Tags pool) {
            String items = "Items of the pool's jobs that are open or run.";
            show("items", pool.and("state", "open"), items, Figures::open);
            show("items", pool.and("state", "running"), items, Figures::running);
            show(
                    "open.age",
                    pool,
                    "Time in seconds for which the oldest due work has waited: since it came due, also while its item still"
                            + " ran what was before; with catchUp=EACH, since the oldest firing that will be made up"
                            + " for. 0 if no item is open, NaN if it isn't known.",
                    of -> of.openFor(clock.instant())
                            .map(age -> age.toMillis() / MILLIS_PER_SECOND)
                            .orElse(Double.NaN));
            String workers = "Workers of the pool: without a container yet, started, registered.";
            show("workers", pool.and("state", "waiting"), workers, Figures::waiting);
            show("workers", pool.and("state", "registered"), workers, Figures::registered);
            show(
                    "workers",
                    pool.and("state", "started"),
                    workers,
                    of -> Math.max(0, of.workers() - of.waiting() - of.registered()));
            show("need", pool, "Workers that the pool needs for what is open or runs.", Figures::need);
            show(
                    "blocked",
                    pool,
                    "1 if workers of the pool don't get to work, as the condition WorkersBlocked says, else 0.",
                    of -> isBlocked ? 1 : 0);
            starts = counter("starts", pool, "Workers that were started.");
            failures = counter(
                    "start.failures",
                    pool,
                    "Starts that have failed: a pod that failed, or never registered. Several at once count as one.");
        }

        private void show(String name, Tags tags, String description, ToDoubleFunction<Figures> value) {
            all.add(gauge(
                    name,
                    tags,
                    description,
                    meters -> figures.map(value::applyAsDouble).orElse(Double.NaN)));
        }

        private Counter counter(String name, Tags tags, String description) {
            Counter counter = Counter.builder(PREFIX + name)
                    .description(description)
                    .tags(tags)
                    .register(registry);
            all.add(counter);
            return counter;
        }

        void decided(PoolPlan plan, boolean refused) {
            isBlocked = refused || plan.blocked().isPresent();
            figures = Optional.of(plan.figures());
        }

        void undecided() {
            figures = Optional.empty();
        }

        void noticed(PoolPlan plan) {
            Starts now = plan.memory().starts();
            if (now.failed() > 0
                    && !now.last().equals(plan.view().memory().starts().last())
                    && !now.round().equals(counted)) {
                counted = now.round();
                failures.increment();
            }
        }

        void remove() {
            all.forEach(registry::remove);
        }
    }
}
