package dev.elasticjob.kubernetes.plan;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.kubernetes.WrittenMemory;
import dev.elasticjob.kubernetes.app.Pool;
import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** One application with one pool, of which a test says what there is, and then plans. */
final class PlannedApp {
    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    static final Duration AHEAD = Duration.ofSeconds(30);
    static final String TEMPLATE = "t2";

    private final List<Worker> workers = new ArrayList<>();
    private final List<Registered> instances = new ArrayList<>();
    private List<JobDemand> present = List.of(demand("orders", 0, 0));
    private List<JobDemand> ahead = present;
    private Pool pool = pool(List.of(), 4, 0, 10);
    private PoolMemory memory = introduced("orders");
    private Base base = Base.NONE;
    private boolean suspended;
    private Instant now = NOON;

    static Pool pool(List<String> jobs, int capacity, int base, int max) {
        return pool(jobs, capacity, base, max, false);
    }

    static Pool pool(List<String> jobs, int capacity, int base, int max, boolean fresh) {
        return new Pool(
                "default",
                jobs,
                capacity,
                base,
                max,
                fresh,
                AHEAD,
                Duration.ofSeconds(60),
                Duration.ofMinutes(5),
                Optional.empty());
    }

    static PoolMemory introduced(String... jobs) {
        return new PoolMemory(
                TEMPLATE, Optional.of(NOON.minusSeconds(60)), Set.of(jobs), Set.of(), Set.of(), Starts.NONE);
    }

    static JobDemand demand(String job, int open, int running) {
        return demand(job, open, running, Optional.empty(), Optional.empty());
    }

    static JobDemand demand(String job, int open, int running, Optional<Instant> due, Optional<String> needsInstance) {
        return new JobDemand(
                job, open, running, open, running, Optional.empty(), due, Optional.empty(), 1, needsInstance);
    }

    PlannedApp pool(Pool other) {
        pool = other;
        return this;
    }

    PlannedApp memory(PoolMemory other) {
        memory = WrittenMemory.readAgain(other);
        return this;
    }

    PlannedApp suspended() {
        suspended = true;
        return this;
    }

    PlannedApp base(int replicas, String... pods) {
        var all = new TreeMap<String, String>();
        List.of(pods).forEach(pod -> all.put(pod, TEMPLATE));
        base = new Base(replicas, TEMPLATE, all, Optional.empty());
        return this;
    }

    /** The same now and when firings are about to come. */
    PlannedApp work(JobDemand... jobs) {
        present = List.of(jobs);
        ahead = present;
        return this;
    }

    PlannedApp workAhead(JobDemand... jobs) {
        ahead = List.of(jobs);
        return this;
    }

    PlannedApp at(Instant other) {
        now = other;
        return this;
    }

    PlannedApp later(Duration time) {
        now = now.plus(time);
        return this;
    }

    PlannedApp worker(int ordinal, Phase phase) {
        return worker(ordinal, 1, phase, UnaryOperator.identity());
    }

    PlannedApp worker(int ordinal, int number, Phase phase, UnaryOperator<Worker> change) {
        String name = new Place(ordinal, number).name("shop", "default");
        workers.removeIf(known -> known.name().equals(name));
        Optional<Instant> started = phase == Phase.PENDING ? Optional.empty() : Optional.of(now);
        workers.add(change.apply(new Worker(
                name,
                ordinal,
                number,
                TEMPLATE,
                phase,
                now,
                Optional.of(now),
                started,
                Optional.empty(),
                Set.of(name + "-x"),
                Optional.empty())));
        return this;
    }

    /** A worker that is there ends now. */
    PlannedApp ends(Place place, Phase how) {
        String name = place.name("shop", "default");
        workers.replaceAll(known -> known.name().equals(name)
                ? new Worker(
                        name,
                        known.ordinal(),
                        known.number(),
                        known.template(),
                        how,
                        known.created(),
                        known.podCreated(),
                        known.started(),
                        Optional.of(now),
                        known.pods(),
                        known.reason())
                : known);
        return this;
    }

    static UnaryOperator<Worker> ofTemplate(String template) {
        return worker -> new Worker(
                worker.name(),
                worker.ordinal(),
                worker.number(),
                template,
                worker.phase(),
                worker.created(),
                worker.podCreated(),
                worker.started(),
                worker.ended(),
                worker.pods(),
                worker.reason());
    }

    static UnaryOperator<Worker> because(String code, String text) {
        return worker -> new Worker(
                worker.name(),
                worker.ordinal(),
                worker.number(),
                worker.template(),
                worker.phase(),
                worker.created(),
                worker.podCreated(),
                worker.started(),
                worker.ended(),
                worker.pods(),
                Optional.of(new Reason(code, text)));
    }

    static UnaryOperator<Worker> withoutPod() {
        return worker -> new Worker(
                worker.name(),
                worker.ordinal(),
                worker.number(),
                worker.template(),
                worker.phase(),
                worker.created(),
                worker.podCreated(),
                worker.started(),
                worker.ended(),
                Set.of(),
                worker.reason());
    }

    /** The pod of this worker is registered for jobs. */
    PlannedApp registered(int ordinal, String... jobs) {
        return registered(new Place(ordinal, 1), jobs);
    }

    PlannedApp registered(Place place, String... jobs) {
        return instance("10.0.0.1@-@" + place.name("shop", "default") + "-x", jobs);
    }

    PlannedApp instance(String id, String... jobs) {
        instances.add(new Registered(id, Set.of(jobs), Set.of(jobs), Map.of(), Set.of()));
        return this;
    }

    /** It takes no more of the job, and executes that many items. */
    PlannedApp ending(int ordinal, String job, int items) {
        String id = "10.0.0.1@-@" + new Place(ordinal, 1).name("shop", "default") + "-x";
        instances.removeIf(known -> known.id().equals(id));
        instances.add(new Registered(id, Set.of(job), Set.of(job), Map.of(job, items), Set.of()));
        return this;
    }

    PlannedApp drained(String id, String... jobs) {
        instances.add(new Registered(id, Set.of(jobs), Set.of(), Map.of(), Set.of()));
        return this;
    }

    /** The pod of this worker is registered for jobs whose run-on it doesn't match. */
    PlannedApp mismatched(int ordinal, String... jobs) {
        String pod = new Place(ordinal, 1).name("shop", "default") + "-x";
        instances.add(new Registered("10.0.0.1@-@" + pod, Set.of(jobs), Set.of(), Map.of(), Set.of(jobs)));
        return this;
    }

    Instant now() {
        return now;
    }

    PlannedApp unregisterAll() {
        instances.clear();
        return this;
    }

    AppView view() {
        return new AppView(
                "shop",
                suspended ? Optional.of("spec.suspend is true") : Optional.empty(),
                List.of(new PoolView(pool, TEMPLATE, memory, workers, base)),
                Map.of(Duration.ZERO, present, pool.startAhead(), ahead),
                instances);
    }

    AppPlan plan() {
        AppPlan plan = WorkerPlanner.plan(view(), now);
        memory = WrittenMemory.readAgain(plan.pools().get(0).memory());
        return plan;
    }

    List<String> started() {
        return plan().pools().get(0).start().stream()
                .map(place -> place.name("shop", "default"))
                .toList();
    }

    Condition condition(Condition.Kind kind) {
        return plan().conditions().stream()
                .filter(one -> one.kind() == kind)
                .findFirst()
                .orElseThrow();
    }
}
