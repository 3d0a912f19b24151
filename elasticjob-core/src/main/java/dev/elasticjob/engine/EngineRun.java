package dev.elasticjob.engine;

import dev.elasticjob.coordination.ClaimedItem;
import dev.elasticjob.coordination.ItemDivision;
import dev.elasticjob.coordination.JobCoordination;
import dev.elasticjob.coordination.JobScope;
import dev.elasticjob.coordination.LeaseKeeper;
import dev.elasticjob.coordination.RegistryConnection;
import dev.elasticjob.coordination.RegistryTime;
import dev.elasticjob.coordination.SessionLease;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.engine.ElasticJobEngine.Registered;
import dev.elasticjob.execution.FairPool;
import dev.elasticjob.execution.ItemRunner;
import dev.elasticjob.execution.JobErrors;
import dev.elasticjob.execution.JobLane;
import dev.elasticjob.execution.RunScope;
import dev.elasticjob.job.ClockDifferenceException;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.SessionTooShortException;
import dev.elasticjob.scheduling.JobLifecycle;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of an engine, from start to stop: its connection and the runtimes of its jobs. Made anew for each start.
 *
 * <p>Its work is done on the coordination executor; {@link #start()} and {@link #stop()} may be called by any thread.
 */
final class EngineRun {
    private static final Logger log = LoggerFactory.getLogger(EngineRun.class);
    private static final Duration CUT_OFF = Duration.ofSeconds(1);
    private static final Duration LEAVING = Duration.ofSeconds(5);

    private final EngineParts parts;
    private final RegistryConnection connection;
    private final SessionLease lease;
    private final LeaseKeeper keeper;
    private final Map<String, JobRuntime> jobs = new LinkedHashMap<>();

    EngineRun(EngineParts parts, Collection<Registered> registered) {
        this.parts = parts;
        RegistryTime registryTime = new RegistryTime(parts.clock(), parts.timer());
        this.lease = new SessionLease(parts.timer(), parts.serverTick());
        this.connection =
                new RegistryConnection(parts.registry(), parts.coordination(), parts.timer(), lease, registryTime);
        this.keeper = new LeaseKeeper(
                connection,
                lease,
                parts.timer(),
                parts.coordination(),
                this::isExecuting,
                this::ownNode,
                this::tellWithoutLease);
        FairPool pool = new FairPool(parts.workers(), parts.maxThreads());
        ItemDivision division = new ItemDivision(parts.strategies(), parts.workers(), parts.timer());
        for (Registered job : registered) {
            String name = job.definition().jobName();
            var lane = new JobLane(name, pool, parts.executors());
            ItemRunner runner = runner(job, lane);
            JobScope scope = new JobScope(
                    new JobTree(name),
                    parts.registry(),
                    connection,
                    parts.coordination(),
                    parts.clock(),
                    registryTime,
                    event -> tell(event, runner));
            var jobParts = new JobRuntime.JobParts(
                    new JobLifecycle(name, parts.events()),
                    parts.identity(),
                    division,
                    parts.timer(),
                    lane,
                    parts.shutdownTimeout());
            jobs.put(name, new JobRuntime(scope, job, jobParts, runner, this::executionBegins));
        }
    }

    private ItemRunner runner(Registered job, JobLane lane) {
        List<ElasticJobListener> listeners = parts.jobListeners().stream()
                .filter(listener -> listener.appliesTo(job.definition().jobName()))
                .toList();
        var scope = new RunScope(
                job.invoker(),
                lane,
                new JobErrors(parts.errorHandlers()),
                lease,
                parts.clock(),
                parts.timer(),
                parts.coordination(),
                parts.events());
        ItemRunner runner = new ItemRunner(scope, listeners);
        runner.follow(job.definition());
        return runner;
    }

    /** What keeps a whole job from running is also for its error handler. */
    private void tell(JobEvent event, ItemRunner runner) {
        parts.events().accept(event);
        if (event instanceof JobEvent.ClockDiffers differs) {
            runner.report(event.jobName(), new ClockDifferenceException(differs.here(), differs.registry()));
        }
    }

    JobRuntime job(String name) {
        return Optional.ofNullable(jobs.get(name)).orElseThrow();
    }

    // ------------------------------------------------------------------ start

    CompletionStage<Void> start() {
        return onCoordination(() -> {
            Optional<SessionTooShortException> tooShort =
                    parts.registry().session().flatMap(lease::objection);
            if (tooShort.isPresent()) {
                return CompletableFuture.failedFuture(tooShort.get());
            }
            connection.open();
            CompletableFuture<?>[] joined = jobs.entrySet().stream()
                    .map(job -> tolerant(job.getKey(), job.getValue().start()).toCompletableFuture())
                    .toArray(CompletableFuture[]::new);
            return CompletableFuture.allOf(joined);
        });
    }

    /** A job whose stored configuration can't be read is refused by itself; the others start. */
    private static CompletionStage<Void> tolerant(String job, CompletionStage<Void> joined) {
        return joined.handle((done, error) -> {
                    if (error instanceof UnreadableDefinitionException unreadable) {
                        log.error(
                                "Job \"{}\" is not started here, the others are. The node is \"{}\" in the registry's"
                                        + " namespace. {}",
                                job,
                                new JobTree(job).node(unreadable.part()),
                                error.getMessage());
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
        return jobs.values().stream().anyMatch(job -> !job.held().isEmpty());
    }

    private void tellWithoutLease() {
        jobs.values()
                .forEach(
                        switch (parts.onSessionLoss()) {
                            case INTERRUPT -> JobRuntime::interruptWithoutLease;
                            case CONTINUE -> JobRuntime::goOnWithoutLease;
                        });
    }

    private Optional<String> ownNode() {
        return jobs.values().stream()
                .map(JobRuntime::coordination)
                .map(JobCoordination::instanceNode)
                .flatMap(Optional::stream)
                .findFirst();
    }

    // ------------------------------------------------------------------ stop

    CompletionStage<Void> stop() {
        return onCoordination(() -> {
            CompletableFuture<Void> idle = all(JobRuntime::drain);
            CompletableFuture<Void> quiet = idle.copy();
            TaskTimer.Cancellable deadline = parts.timer().after(parts.shutdownTimeout(), () -> cutOff(quiet));
            return quiet.handle((done, error) -> {
                        deadline.cancel();
                        return leave(idle);
                    })
                    .thenCompose(Function.identity());
        });
    }

    /** Interrupts what still runs, and gives it a moment to return. */
    private void cutOff(CompletableFuture<Void> quiet) {
        parts.coordination().execute(() -> {
            if (!quiet.isDone()) {
                jobs.values().forEach(job -> job.interruptAll("the engine stops"));
            }
        });
        parts.timer().after(CUT_OFF, () -> quiet.complete(null));
    }

    /**
     * Leaves the jobs; a registry that gives no answer is not waited for. What outlives the cut-off still writes its
     * end when it returns: only then nobody needs the connection any more.
     */
    private CompletionStage<Void> leave(CompletableFuture<Void> idle) {
        return onCoordination(() -> {
            CompletableFuture<Void> left = all(JobRuntime::leave);
            CompletableFuture.allOf(left, idle)
                    .whenCompleteAsync((done, error) -> connection.close(), parts.coordination());
            CompletableFuture<Void> over = left.handle((done, error) -> null);
            TaskTimer.Cancellable deadline = parts.timer().after(LEAVING, () -> over.complete(null));
            return over.whenComplete((done, error) -> deadline.cancel());
        });
    }

    private CompletableFuture<Void> all(Function<JobRuntime, CompletionStage<Void>> action) {
        return CompletableFuture.allOf(jobs.values().stream()
                .map(action)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new));
    }

    private CompletionStage<Void> onCoordination(Supplier<CompletionStage<Void>> action) {
        return CompletableFuture.supplyAsync(action, parts.coordination()).thenCompose(Function.identity());
    }
}
