package dev.elasticjob.kubernetes.plan;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.kubernetes.app.Pool;
import dev.elasticjob.kubernetes.plan.PoolPlan.Figures;
import dev.elasticjob.kubernetes.plan.PoolPlan.Place;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Decides for one pool. The rules stand in {@link WorkerPlanner}. Pure. */
final class PoolPlanner {
    /** A cluster takes moments to make a pod of a worker. */
    private static final Duration UNTIL_POD = Duration.ofSeconds(10);
    /** From then on, a pod without a container is worth a look. */
    private static final Duration UNTIL_SLOW = Duration.ofMinutes(2);
    /** A worker that fails sooner has not been of use. */
    private static final Duration SHORT_LIFE = Duration.ofMinutes(2);
    /** A worker registers for its jobs one after the other. */
    private static final Duration UNTIL_ALL_ARE_REGISTERED = Duration.ofSeconds(30);

    private final AppView app;
    private final PoolView view;
    private final Instant now;
    private final Pool pool;
    private final Set<String> registeredPods;
    private final PoolMemory memory;
    private final List<String> jobs;

    PoolPlanner(AppView app, PoolView view, Instant now) {
        this.app = app;
        this.view = view;
        this.now = now;
        this.pool = view.pool();
        this.registeredPods = app.instances().stream().map(Registered::pod).collect(Collectors.toSet());
        this.memory = remember();
        this.jobs = jobs();
    }

    // ------------------------------------------------------------------ what is known

    private PoolMemory remember() {
        Set<String> known = app.known();
        Set<String> registered = names(workers(this::isRegistered));
        Set<String> ever = new HashSet<>(registered);
        ever.addAll(view.memory().registered());
        ever.retainAll(names(view.workers().stream()));
        Set<String> failed = names(workers(this::isCurrent).filter(worker -> hasFailed(worker, ever)));
        Set<String> fresh = names(workers(this::isCurrent).filter(this::isRegistered));
        fresh.removeAll(view.memory().registered());
        return view.memory()
                .withJobs(view.template(), introduced(known), known, pool.jobs(), settled(view.memory()), lost(), now)
                .withRegistered(ever)
                .withStarts(view.memory()
                        .starts()
                        .next(
                                view.template(),
                                names(view.workers().stream()),
                                failed,
                                fresh,
                                names(workers(worker -> ever.contains(worker.name()) && isLongLived(worker))),
                                lastCompletion(),
                                now));
    }

    private boolean isLongLived(Worker worker) {
        return worker.started()
                .filter(start -> !start.plus(SHORT_LIFE).isAfter(worker.ended().orElse(now)))
                .isPresent();
    }

    /** When a worker has ended as it should: then others that fail don't fail because they can't but. */
    private Optional<Instant> lastCompletion() {
        return workers(this::isCurrent)
                .filter(worker -> worker.phase() == Phase.SUCCEEDED)
                .flatMap(worker -> worker.ended().stream())
                .max(Comparator.naturalOrder());
    }

    private boolean settled(PoolMemory known) {
        return known.introducedAt()
                .filter(at -> !at.plus(UNTIL_ALL_ARE_REGISTERED).isAfter(now))
                .isPresent();
    }

    /** Whether all workers of the present template are over, and one has failed. */
    private boolean lost() {
        return workers(this::isCurrent).allMatch(Worker::isFinished)
                && workers(this::isCurrent).anyMatch(worker -> worker.phase() == Phase.FAILED);
    }

    /** The jobs for which workers of the present template are registered. */
    private Set<String> introduced(Set<String> known) {
        Set<String> pods = view.base().pods(view.template());
        workers(this::isCurrent).forEach(worker -> pods.addAll(worker.pods()));
        return app.instances().stream()
                .filter(instance -> pods.contains(instance.pod()))
                .flatMap(instance -> instance.jobs().stream())
                .filter(known::contains)
                .collect(Collectors.toSet());
    }

    private List<String> jobs() {
        Collection<String> own = pool.jobs();
        if (own.isEmpty()) {
            own = new HashSet<>(memory.jobs());
            own.addAll(memory.before());
            own.removeAll(app.named());
        }
        return own.stream().filter(app.known()::contains).sorted().toList();
    }

    private Stream<Worker> workers(Predicate<Worker> which) {
        return view.workers().stream().filter(which);
    }

    private static Set<String> names(Stream<Worker> workers) {
        return workers.map(Worker::name).collect(Collectors.toSet());
    }

    private boolean isCurrent(Worker worker) {
        return worker.template().equals(view.template());
    }

    private boolean isRegistered(Worker worker) {
        return !Collections.disjoint(worker.pods(), registeredPods);
    }

    /** @param ever who has registered at some time; one that hasn't may have done its work between two looks */
    private boolean hasFailed(Worker worker, Set<String> ever) {
        boolean introduces = !view.memory().introduced().equals(view.template());
        boolean late = expiry(worker).filter(end -> !end.isAfter(now)).isPresent();
        return worker.phase() == Phase.FAILED
                || (!ever.contains(worker.name()) && (late || (introduces && worker.phase() == Phase.SUCCEEDED)));
    }

    /** Until when a worker may take to register. */
    private Optional<Instant> expiry(Worker worker) {
        return worker.phase() == Phase.RUNNING
                ? worker.started().map(start -> start.plus(pool.startTimeout()))
                : Optional.empty();
    }

    private boolean isIntroduced() {
        return memory.introduced().equals(view.template());
    }

    private boolean isOutdated(Worker worker) {
        return worker.phase() == Phase.PENDING && !isCurrent(worker);
    }

    /** Whether it counts, though it isn't registered: it is on its way. */
    private boolean isStarting(Worker worker) {
        return !worker.isFinished()
                && !isOutdated(worker)
                && !isRegistered(worker)
                && !memory.registered().contains(worker.name())
                && !hasFailed(worker, memory.registered());
    }

    // ------------------------------------------------------------------ faults

    /** What only the registry shows to be wrong. */
    List<String> faults() {
        Stream<String> heavy = jobs.stream()
                .flatMap(job -> app.demand(Duration.ZERO, job).stream())
                .filter(job -> job.heaviest() > pool.capacity())
                .map(job ->
                        "pool \"%s\": expected items that weigh at most its capacity, which is %d, found %d in job \"%s\". Raise the capacity, or lower the weight"
                                .formatted(pool.name(), pool.capacity(), job.heaviest(), job.jobName()));
        Stream<String> unknown = isIntroduced() && settled(memory)
                ? pool.jobs().stream()
                        .filter(job -> !app.known().contains(job))
                        .filter(job -> !memory.jobs().contains(job))
                        .map(this::unknown)
                : Stream.empty();
        return Stream.concat(unknown, heavy).toList();
    }

    private String unknown(String job) {
        return "pool \"%s\": expected a job of the application, found \"%s\", which is not in the registry. Correct the name; there are %s"
                .formatted(pool.name(), job, String.join(", ", app.known()));
    }

    Optional<Instant> whenSettled() {
        return pool.jobs().stream().allMatch(app.known()::contains)
                        && memory.before().isEmpty()
                ? Optional.empty()
                : memory.introducedAt()
                        .map(at -> at.plus(UNTIL_ALL_ARE_REGISTERED))
                        .filter(now::isBefore);
    }

    // ------------------------------------------------------------------ the plan

    /** Starts nothing. */
    PoolPlan resting() {
        return plan(List.of(), List.of(), OptionalInt.empty());
    }

    /** The same, and what a queue or the scheduler holds back isn't started later either. */
    PoolPlan suspended() {
        List<String> pending = workers(worker -> worker.phase() == Phase.PENDING)
                .map(Worker::name)
                .sorted()
                .toList();
        return plan(List.of(), pending, OptionalInt.empty());
    }

    PoolPlan plan() {
        List<String> outdated =
                workers(this::isOutdated).map(Worker::name).sorted().toList();
        return plan(start(), outdated, OptionalInt.of(base()));
    }

    private PoolPlan plan(List<Place> start, List<String> delete, OptionalInt base) {
        return new PoolPlan(view, start, delete, base, memory, jobs, keeping(), figures(), blocked(), lookAgain());
    }

    /** If others hold their places still, they come as these leave. */
    private int base() {
        int wanted = Math.max(pool.baseWorkers(), keeping().isEmpty() ? 0 : 1);
        return Math.min(wanted, Math.max(view.base().replicas(), pool.maxWorkers() - unfinished()));
    }

    private int unfinished() {
        return (int) workers(worker -> !worker.isFinished()).count();
    }

    private List<String> keeping() {
        return jobs.stream()
                .flatMap(job -> app.demand(Duration.ZERO, job).stream())
                .flatMap(job -> job.needsInstance().stream()
                        .map(setting -> "job \"%s\" has %s".formatted(job.jobName(), setting)))
                .toList();
    }

    private List<Place> start() {
        int missing = isIntroduced() ? need() - present() - starting() : introducers() > 0 ? 0 : 1;
        if (memory.starts().failed() > 0) {
            missing = memory.starts().pausedUntil().filter(now::isBefore).isPresent() || currentStarting() > 0
                    ? 0
                    : Math.min(missing, 1);
        }
        return freePlaces().limit(Math.max(0, missing)).toList();
    }

    /** How many workers all that is open, or will be within {@code startAhead}, asks for. */
    private int need() {
        long weight = jobs.stream()
                        .flatMap(job -> app.demand(pool.startAhead(), job).stream())
                        .mapToLong(JobDemand::weight)
                        .sum()
                - ending();
        return (int) Math.min(pool.maxWorkers(), (weight + pool.capacity() - 1) / pool.capacity());
    }

    private int present() {
        return (int) app.instances().stream()
                .filter(instance -> !Collections.disjoint(instance.serving(), jobs) || isMismatched(instance))
                .filter(instance -> !isEnding(instance))
                .count();
    }

    /** Such a worker has no room any more for what is open, however little it executes. */
    private boolean isEnding(Registered instance) {
        return pool.freshWorkers() && !Collections.disjoint(instance.ending().keySet(), jobs);
    }

    /** What such workers execute, which needs none; with a weight above 1, less is left out than could be. */
    private long ending() {
        return app.instances().stream()
                .filter(this::isEnding)
                .flatMapToInt(instance ->
                        jobs.stream().mapToInt(job -> instance.ending().getOrDefault(job, 0)))
                .sum();
    }

    /** More workers like this one would not help either. */
    private boolean isMismatched(Registered instance) {
        return !Collections.disjoint(instance.mismatched(), jobs)
                && (view.base().pods().containsKey(instance.pod())
                        || workers(worker -> !worker.isFinished())
                                .anyMatch(worker -> worker.pods().contains(instance.pod())));
    }

    private Optional<Reason> mismatch() {
        List<String> unmatched = app.instances().stream()
                .filter(instance -> Collections.disjoint(instance.serving(), jobs) && isMismatched(instance))
                .flatMap(instance -> instance.mismatched().stream())
                .filter(jobs::contains)
                .distinct()
                .sorted()
                .toList();
        return need() == 0 || unmatched.isEmpty()
                ? Optional.empty()
                : Optional.of(new Reason(
                        "NoMatch",
                        "workers of pool \"%s\" don't match where its jobs run: %s. Correct the labels of the template's instances, or the jobs' run-on"
                                .formatted(pool.name(), String.join(", ", unmatched))));
    }

    private int starting() {
        return (int) (workers(this::isStarting).count() + Math.max(0, base() - registeredBase()));
    }

    private long registeredBase() {
        return view.base().pods().keySet().stream()
                .filter(registeredPods::contains)
                .count();
    }

    private long currentStarting() {
        return workers(this::isCurrent).filter(this::isStarting).count();
    }

    /** What is on its way to introduce the present template. */
    private long introducers() {
        return base() + currentStarting();
    }

    private Stream<Place> freePlaces() {
        Set<Integer> taken =
                workers(worker -> !worker.isFinished()).map(Worker::ordinal).collect(Collectors.toSet());
        return IntStream.range(0, pool.maxWorkers() - base())
                .filter(ordinal -> !taken.contains(ordinal))
                .limit(Math.max(0, pool.maxWorkers() - base() - unfinished()))
                .mapToObj(ordinal -> new Place(ordinal, 1 + lastNumber(ordinal)));
    }

    private int lastNumber(int ordinal) {
        return workers(worker -> worker.ordinal() == ordinal)
                .mapToInt(Worker::number)
                .max()
                .orElse(0);
    }

    // ------------------------------------------------------------------ what is shown

    private Figures figures() {
        List<JobDemand> demands = jobs.stream()
                .flatMap(job -> app.demand(Duration.ZERO, job).stream())
                .toList();
        return new Figures(
                demands.stream().mapToInt(JobDemand::open).sum(),
                demands.stream().mapToInt(JobDemand::running).sum(),
                unfinished() + view.base().pods().size(),
                registered(),
                (int) workers(worker -> worker.phase() == Phase.PENDING).count(),
                app.suspended().isPresent() ? 0 : need(),
                first(demands, JobDemand::openSince),
                first(demands, JobDemand::nextDue));
    }

    private static Optional<Instant> first(List<JobDemand> jobs, Function<JobDemand, Optional<Instant>> time) {
        return jobs.stream().flatMap(job -> time.apply(job).stream()).min(Comparator.naturalOrder());
    }

    private int registered() {
        return (int)
                (workers(worker -> !worker.isFinished() && isRegistered(worker)).count() + registeredBase());
    }

    private Optional<Reason> blocked() {
        Stream<Reason> pending = workers(worker -> worker.phase() == Phase.PENDING && isCurrent(worker))
                .sorted(Comparator.comparing(Worker::ordinal))
                .flatMap(worker -> reason(worker).stream());
        return Stream.of(
                        pending,
                        failedStart().stream(),
                        view.base().reason().stream(),
                        mismatch().stream(),
                        noPlace().stream())
                .flatMap(reasons -> reasons)
                .findFirst();
    }

    private Optional<Reason> reason(Worker worker) {
        return worker.reason()
                .or(() -> slowStart(worker))
                .or(() -> worker.pods().isEmpty() && !withoutPodUntil(worker).isAfter(now)
                        ? Optional.of(new Reason(
                                "NoPod",
                                "Kubernetes has not made a pod of it; a quota or an admission rule may refuse it. See \"kubectl describe job %s\""
                                        .formatted(worker.name())))
                        : Optional.empty())
                .map(reason -> of(worker, reason));
    }

    /** Kubernetes calls it the same whether it goes on or waits for a volume or a Secret that doesn't come. */
    private Optional<Reason> slowStart(Worker worker) {
        return slowFrom(worker).filter(time -> !time.isAfter(now)).isEmpty()
                ? Optional.empty()
                : Optional.of(new Reason(
                        "NotStarted",
                        "its container has not started within %s. See \"kubectl describe pod %s\""
                                .formatted(
                                        DurationText.of(UNTIL_SLOW),
                                        worker.pods().stream()
                                                .sorted()
                                                .findFirst()
                                                .orElseThrow())));
    }

    private static Optional<Instant> slowFrom(Worker worker) {
        return worker.podCreated().map(time -> time.plus(UNTIL_SLOW));
    }

    private static Reason of(Worker worker, Reason reason) {
        return new Reason(reason.code(), "worker \"%s\": %s".formatted(worker.name(), reason.text()));
    }

    private static Instant withoutPodUntil(Worker worker) {
        return worker.created().plus(UNTIL_POD);
    }

    private Optional<Reason> failedStart() {
        int failed = memory.starts().failed();
        if (failed == 0 || (isIntroduced() && need() <= present())) {
            return Optional.empty();
        }
        String last = workers(this::isCurrent)
                .filter(worker -> hasFailed(worker, memory.registered()))
                .max(Comparator.comparing(Worker::created).thenComparing(Worker::name))
                .map(this::failure)
                .orElse("the last worker is gone");
        return Optional.of(new Reason(
                "StartFailed",
                "%s. %d starts in a row have failed; the next is tried %s after the last"
                        .formatted(last, failed, DurationText.of(GrowingPause.OF_ATTEMPTS.after(failed)))));
    }

    private String failure(Worker worker) {
        String ended = memory.registered().contains(worker.name())
                ? "failed after it had registered"
                : "ended before it registered";
        String how = worker.isFinished()
                ? ended
                : "runs, but hasn't registered within " + DurationText.of(pool.startTimeout());
        return "worker \"%s\" %s%s"
                .formatted(
                        worker.name(),
                        how,
                        worker.reason()
                                .map(reason -> " (%s: %s)".formatted(reason.code(), reason.text()))
                                .orElse(""));
    }

    private Optional<Reason> noPlace() {
        return need() > present() + starting() && freePlaces().findAny().isEmpty() && base() < need()
                ? Optional.of(new Reason(
                        "NoPlace",
                        "pool \"%s\": workers that aren't registered any more still hold all %d places. They are freed when their pods are gone"
                                .formatted(pool.name(), pool.maxWorkers())))
                : Optional.empty();
    }

    private Optional<Instant> lookAgain() {
        List<Instant> times = new ArrayList<>();
        jobs.stream()
                .flatMap(job -> app.demand(pool.startAhead(), job).stream())
                .flatMap(job -> job.nextDue().stream())
                .forEach(due -> times.add(due.minus(pool.startAhead())));
        jobs.stream()
                .flatMap(job -> app.demand(Duration.ZERO, job).stream())
                .flatMap(job -> job.nextDue().stream())
                .forEach(times::add);
        memory.starts().pausedUntil().ifPresent(times::add);
        workers(this::isStarting).forEach(worker -> {
            expiry(worker).ifPresent(times::add);
            times.add(withoutPodUntil(worker));
            slowFrom(worker).ifPresent(times::add);
        });
        return times.stream().filter(now::isBefore).min(Comparator.naturalOrder());
    }
}
