package dev.elasticjob.engine;

import dev.elasticjob.coordination.JobCoordination;
import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.leader.ItemDivision;
import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.LeaseKeeper;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.engine.ElasticJobEngine.Registered;
import dev.elasticjob.execution.ItemRunner;
import dev.elasticjob.execution.JobErrors;
import dev.elasticjob.execution.RunScope;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.ClockDifferenceException;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.SessionTooShortException;
import dev.elasticjob.registry.Subscription;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of an engine, from start to stop: its connection and the runtimes of its jobs. Made anew for each start.
 *
 * <p>Its work is done on the coordination executor; starting, stopping, registering and unregistering may be called by any
 * thread, one at a time.
 */
final class EngineRun {
    private static final Logger log = LoggerFactory.getLogger(EngineRun.class);

    private final EngineParts parts;
    private final Listeners listeners;
    private final SharedConnection connection;
    private final SessionLease lease;
    private final LeaseKeeper keeper;
    private final FairPool pool;
    private final ItemDivision division;
    private final LocalLocks holdings;
    /** Changed by whoever registers and unregisters, one at a time. */
    private final ConcurrentNavigableMap<String, JobRuntime> jobs = new ConcurrentSkipListMap<>();
    /** Until nothing is left to do for them. */
    private final List<JobShutdown> withdrawals = new CopyOnWriteArrayList<>();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private Optional<SessionTooShortException> tooShort = Optional.empty();

    EngineRun(EngineParts parts, Collection<Registered> registered, LocalLocks holdings) {
        this.parts = parts;
        this.listeners = parts.listeners().fetch();
        this.holdings = holdings;
        RegistryTime registryTime = new RegistryTime(parts.clock(), parts.timer());
        this.lease = new SessionLease(parts.timer(), parts.serverTick());
        this.connection =
                new SharedConnection(parts.registry(), parts.coordination(), parts.timer(), lease, registryTime);
        this.keeper = new LeaseKeeper(
                connection,
                lease,
                parts.timer(),
                parts.coordination(),
                this::isExecuting,
                this::ownNode,
                this::tellWithoutLease);
        this.pool = new FairPool(parts.workers(), parts.executors(), parts.maxThreads());
        this.division = new ItemDivision(parts.strategies(), parts.workers(), parts.timer());
        addAll(registered);
    }

    private void addAll(Collection<Registered> registered) {
        try {
            registered.forEach(this::add);
        } catch (RuntimeException e) {
            jobs.keySet().forEach(holdings::giveBack);
            throw e;
        }
    }

    private JobRuntime add(Registered job) {
        String name = job.definition().jobName();
        var bulkhead = pool.bulkhead(name);
        ItemRunner runner = runner(job, bulkhead);
        JobScope scope = new JobScope(
                new JobTree(name), connection, parts.clock(), event -> tell(event, runner), new Announcements());
        var jobParts = new JobRuntime.JobParts(
                new JobLifecycle(name, listeners::tell),
                parts.identity(),
                division,
                parts.onForeignInstance(),
                parts.timer(),
                bulkhead,
                parts.shutdownTimeout(),
                holdings.lend(name));
        JobRuntime made = new JobRuntime(scope, job.definition(), jobParts, runner, this::executionBegins);
        jobs.put(name, made);
        return made;
    }

    private ItemRunner runner(Registered job, FairPool.Bulkhead bulkhead) {
        var scope = new RunScope(
                job.invoker(),
                bulkhead,
                new JobErrors(parts.errorHandlers()),
                lease,
                parts.clock(),
                parts.timer(),
                parts.coordination(),
                listeners::tell);
        ItemRunner runner = new ItemRunner(scope, listeners.of(job.definition().jobName()));
        runner.follow(job.definition());
        return runner;
    }

    /** What keeps a whole job from running is also for its error handler. */
    private void tell(JobEvent event, ItemRunner runner) {
        listeners.tell(event);
        if (event instanceof JobEvent.ClockDiffers differs) {
            runner.report(event.jobName(), new ClockDifferenceException(differs.here(), differs.registry()));
        }
    }

    /** Empty when it was unregistered. */
    Optional<JobRuntime> job(String name) {
        return Optional.ofNullable(jobs.get(name));
    }

    // ------------------------------------------------------------------ start

    CompletionStage<Void> start() {
        List<JobRuntime> all = List.copyOf(jobs.values());
        return onCoordination(() -> {
            tooShort = parts.registry().session().flatMap(lease::objection);
            if (tooShort.isPresent()) {
                return CompletableFuture.failedFuture(tooShort.get());
            }
            connection.open();
            return together(all);
        });
    }

    /** Many jobs are told of in one line, when they have joined. */
    private CompletionStage<Void> together(List<JobRuntime> all) {
        boolean many = all.size() > 1;
        CompletableFuture<Void> joined = CompletableFuture.allOf(all.stream()
                .map(job -> tolerant(job.name(), many ? job.joiningQuietly(() -> join(job)) : join(job))
                        .toCompletableFuture())
                .toArray(CompletableFuture[]::new));
        return many ? joined.whenComplete((done, error) -> StartedJobs.tell(all)) : joined;
    }

    /** One more job, which joins at once. */
    CompletionStage<Void> register(Registered job) {
        JobRuntime added = add(job);
        return onCoordination(
                () -> tooShort.isPresent() ? CompletableFuture.failedFuture(tooShort.get()) : join(added));
    }

    /** What leaves a job of that name has left before: it would delete what the other one has just made. */
    private CompletionStage<Void> join(JobRuntime job) {
        CompletableFuture<?>[] leaving = withdrawals.stream()
                .filter(jobShutdown -> jobShutdown.concerns(job.name()))
                .map(JobShutdown::left)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(leaving).thenCompose(left -> job.start());
    }

    /** A job whose stored configuration can't be read is refused by itself; the others start. */
    private static CompletionStage<Void> tolerant(String job, CompletionStage<Void> joined) {
        return joined.handle((done, error) -> {
                    if (error != null
                            && SharedConnection.unwrap(error) instanceof UnreadableDefinitionException unreadable) {
                        log.error(
                                "Job \"{}\" is not started on this instance; the other jobs are. The cause is the"
                                        + " node \"{}\" in the registry's namespace. {}",
                                job,
                                new JobTree(job).node(unreadable.part()),
                                unreadable.getMessage());
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    return joined;
                })
                .thenCompose(Function.identity());
    }

    private void executionBegins(List<ClaimedItem> items) {
        parts.registry()
                .session()
                .filter(session -> session.id() == items.get(0).sessionId())
                .ifPresent(keeper::executionBegins);
    }

    private boolean isExecuting() {
        return all().anyMatch(JobRuntime::holdsItems);
    }

    /** Those that are on their way out come last. */
    private Stream<JobRuntime> all() {
        return Stream.concat(
                        jobs.values().stream(),
                        withdrawals.stream().flatMap(jobShutdown -> jobShutdown.jobs().stream()))
                .distinct();
    }

    private void tellWithoutLease() {
        all().forEach(
                        switch (parts.onSessionLoss()) {
                            case INTERRUPT -> JobRuntime::interruptWithoutLease;
                            case CONTINUE -> JobRuntime::goOnWithoutLease;
                        });
    }

    private Optional<String> ownNode() {
        return all().map(JobRuntime::coordination)
                .map(JobCoordination::instanceNode)
                .flatMap(Optional::stream)
                .findFirst();
    }

    // ------------------------------------------------------------------ stop

    /** The job is none of this run's any more, though it takes some time to leave it. */
    CompletionStage<Void> unregister(String name) {
        JobRuntime job = Objects.requireNonNull(jobs.get(name), name);
        JobShutdown jobShutdown =
                new JobShutdown(List.of(job), parts, "the job is being unregistered", JobRuntime::leaveForGood);
        withdrawals.add(jobShutdown);
        jobs.remove(name);
        return onCoordination(() -> {
            begin(jobShutdown);
            return jobShutdown.enough();
        });
    }

    CompletionStage<Void> stop() {
        JobShutdown jobShutdown = new JobShutdown(jobs.values(), parts, "the engine is stopping", JobRuntime::leave);
        withdrawals.add(jobShutdown);
        return onCoordination(() -> {
            List<JobShutdown> all = List.copyOf(withdrawals);
            begin(jobShutdown);
            CompletableFuture<Void> idle = all(all, JobShutdown::idle);
            CompletableFuture.allOf(idle, all(all, JobShutdown::left)).whenComplete((done, error) -> disconnect());
            return all(all, JobShutdown::enough).thenRun(() -> end(idle));
        });
    }

    private void disconnect() {
        connection.close();
        lease.close();
    }

    private void begin(JobShutdown jobShutdown) {
        jobShutdown.begin();
        CompletableFuture.allOf(
                        jobShutdown.idle().toCompletableFuture(),
                        jobShutdown.left().toCompletableFuture())
                .whenComplete((done, error) -> {
                    withdrawals.remove(jobShutdown);
                    jobShutdown.jobs().forEach(job -> holdings.giveBack(job.name()));
                });
    }

    /**
     * What ignores its interruption outlives the stop. The registry's session is its lock, and has to live until it has
     * returned and its end is written, whoever closes the registry meanwhile.
     */
    private void end(CompletableFuture<Void> idle) {
        if (all().noneMatch(JobRuntime::isExecuting)) {
            ended.complete(null);
            return;
        }
        Subscription session = parts.registry().keepOpen();
        idle.whenComplete((returned, error) -> {
            session.close();
            ended.complete(null);
        });
    }

    /** Completes behind {@link #stop()}, when no thread of an item is left; never, if one never returns. */
    CompletionStage<Void> ended() {
        return ended.copy();
    }

    private static CompletableFuture<Void> all(
            List<JobShutdown> withdrawals, Function<JobShutdown, CompletionStage<Void>> stage) {
        return CompletableFuture.allOf(withdrawals.stream()
                .map(stage)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new));
    }

    private CompletionStage<Void> onCoordination(Supplier<CompletionStage<Void>> action) {
        return CompletableFuture.supplyAsync(action, parts.coordination()).thenCompose(Function.identity());
    }
}
