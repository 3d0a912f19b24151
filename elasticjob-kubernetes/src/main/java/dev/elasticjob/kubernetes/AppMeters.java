package dev.elasticjob.kubernetes;

import dev.elasticjob.kubernetes.plan.AppPlan;
import dev.elasticjob.kubernetes.plan.PoolPlan;
import dev.elasticjob.kubernetes.plan.PoolPlan.Figures;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What the controller that leads has decided last, as meters of each pool. They go with the pool, and with the lead: the one
 * that leads next has its own. Thread-safe.
 */
final class AppMeters {
    private static final String PREFIX = "elasticjob.kubernetes.";

    private final MeterRegistry registry;
    private final Map<String, Map<String, PoolMeters>> apps = new HashMap<>();
    private volatile boolean leads;

    AppMeters(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder(PREFIX + "leads", this, meters -> meters.leads ? 1 : 0)
                .description("1 if this controller leads, else 0.")
                .register(registry);
    }

    /** This controller leads now. */
    void begin() {
        leads = true;
    }

    /** It doesn't any more. */
    synchronized void end() {
        leads = false;
        apps.values().forEach(pools -> pools.values().forEach(PoolMeters::remove));
        apps.clear();
    }

    /** @param refused the pools for which the cluster doesn't allow what was decided */
    synchronized void decided(String app, AppPlan plan, Set<String> refused) {
        if (!leads) {
            return;
        }
        Set<String> present =
                plan.pools().stream().map(pool -> pool.view().pool().name()).collect(Collectors.toSet());
        apps.getOrDefault(app, new HashMap<>()).entrySet().removeIf(known -> {
            boolean gone = !present.contains(known.getKey());
            if (gone) {
                known.getValue().remove();
            }
            return gone;
        });
        plan.pools().forEach(pool -> {
            String name = pool.view().pool().name();
            of(app, name).decided(pool, refused.contains(name));
        });
    }

    synchronized void started(String app, String pool, int workers) {
        if (leads) {
            of(app, pool).starts.increment(workers);
        }
    }

    private PoolMeters of(String app, String pool) {
        return apps.computeIfAbsent(app, name -> new HashMap<>())
                .computeIfAbsent(pool, name -> new PoolMeters(Tags.of("app", app, "pool", pool)));
    }

    /** The application is gone. */
    synchronized void gone(String app) {
        Optional.ofNullable(apps.remove(app)).ifPresent(pools -> pools.values().forEach(PoolMeters::remove));
    }

    /** Of one pool. */
    private final class PoolMeters {
        private final List<Meter> all = new ArrayList<>();
        private final Counter starts;
        private final Counter failures;
        private volatile Figures figures = new Figures(0, 0, 0, 0, 0, 0, Optional.empty());
        private volatile boolean blocked;

        PoolMeters(Tags pool) {
            gauge("items", pool.and("state", "open"), "Items of the pool's jobs that are open or run.", Figures::open);
            gauge(
                    "items",
                    pool.and("state", "running"),
                    "Items of the pool's jobs that are open or run.",
                    Figures::running);
            String workers = "Workers of the pool: without a container yet, started, registered.";
            gauge("workers", pool.and("state", "waiting"), workers, Figures::waiting);
            gauge("workers", pool.and("state", "registered"), workers, Figures::registered);
            gauge(
                    "workers",
                    pool.and("state", "started"),
                    workers,
                    of -> Math.max(0, of.workers() - of.waiting() - of.registered()));
            gauge("need", pool, "Workers that the pool needs for what is open or runs.", Figures::need);
            all.add(Gauge.builder(PREFIX + "blocked", this, meters -> meters.blocked ? 1 : 0)
                    .description(
                            "1 if workers of the pool don't get to work, as the condition WorkersBlocked says, else 0.")
                    .tags(pool)
                    .register(registry));
            starts = Counter.builder(PREFIX + "starts")
                    .description("Workers that were started.")
                    .tags(pool)
                    .register(registry);
            failures = Counter.builder(PREFIX + "start.failures")
                    .description(
                            "Starts that have failed: a pod that failed, or never registered. Several at once count as one.")
                    .tags(pool)
                    .register(registry);
            all.addAll(List.of(starts, failures));
        }

        private void gauge(String name, Tags tags, String description, ToDoubleFunction<Figures> value) {
            all.add(Gauge.builder(PREFIX + name, this, meters -> value.applyAsDouble(meters.figures))
                    .description(description)
                    .tags(tags)
                    .register(registry));
        }

        void decided(PoolPlan plan, boolean refused) {
            figures = plan.figures();
            blocked = refused || plan.blocked().isPresent();
            failures.increment(Math.max(
                    0,
                    plan.memory().starts().failed()
                            - plan.view().memory().starts().failed()));
        }

        void remove() {
            all.forEach(registry::remove);
        }
    }
}
