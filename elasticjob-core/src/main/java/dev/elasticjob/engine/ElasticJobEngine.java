package dev.elasticjob.engine;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.RegistryFailoverLatch;
import dev.elasticjob.coordination.RegistryReshardingFlags;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.coordination.membership.KnownJob.Source;
import dev.elasticjob.coordination.session.DueClock;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.process.LocalLocks;
import dev.elasticjob.engine.registryjob.RegistryJobs;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.execution.invoker.KindInvokers;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs: one instance of each in this process. A JVM may contain any number of engines. An engine is created with
 * {@link #builder}, started and stopped, and may be started again until it is closed. Jobs can be registered and
 * unregistered at any time.
 *
 * <p>Thread-safe. No method blocks, except {@link #close()}.
 */
public final class ElasticJobEngine implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ElasticJobEngine.class);

    private final EngineParts parts;
    private final ConcurrentSkipListMap<String, Registered> registered = new ConcurrentSkipListMap<>();
    private final ReshardingFlags reshardingFlags;
    private final FailoverLatch failoverLatch;
    private final JobInspector inspector;
    private final ShardingGroups groups;
    private final RegistryJobAdmin admin;
    private final Optional<DemandSamples> demandSamples;
    private final KindInvokers kinds;
    private volatile @Nullable EngineRun run;
    /** Present if the engine ends its work after its first items: completes when it has, in whichever run. */
    private Optional<CompletableFuture<Void>> afterFirstItems = Optional.empty();

    private final LocalLocks locks;
    private boolean closed;
    /** The end of the last run; another call of {@link #stop} waits for it too. */
    private CompletionStage<Void> stopped = CompletableFuture.completedFuture(null);
    /** Completes when the last run has left all jobs and groups. */
    private CompletionStage<Void> left = CompletableFuture.completedFuture(null);
    /** Completes when no execution of a former run is left. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    ElasticJobEngine(EngineParts parts) {
        this.parts = parts;
        this.kinds = new KindInvokers(
                parts.registryJobs().kinds(),
                parts.references(),
                parts.registryJobs().trust());
        this.locks = new LocalLocks(parts.registry(), parts.capacity());
        this.reshardingFlags = new RegistryReshardingFlags(parts.registry(), this::mustExist);
        this.failoverLatch = new RegistryFailoverLatch(parts.registry(), this::mustExist);
        this.admin = new RegistryJobAdmin(
                parts.registry(), new CommandLog(figures()::tell, Actor.ofThisProcess()), parts.timer());
        this.groups = new ShardingGroups(parts);
        this.inspector = new RegistryJobInspector(
                parts.registry(),
                new DueClock(figures()::dueNow),
                parts.timer(),
                figures()::registryNow,
                this::jobsHere);
        this.demandSamples = parts.demandInterval()
                .map(interval -> new DemandSamples(interval, parts, inspector, () -> Optional.ofNullable(run)));
    }

    /**
     * Returns a builder for an engine on a registry. The registry belongs to the caller, and stays open when the engine
     * is closed.
     */
    public static ElasticJobEngineBuilder builder(Registry registry) {
        return new ElasticJobEngineBuilder(registry);
    }

    record Registered(JobDefinition definition, JobInvoker invoker, Source source) {
        Registered(JobDefinition definition, JobInvoker invoker) {
            this(definition, invoker, Source.APPLICATION);
        }

        boolean isRegistryJob() {
            return source == Source.REGISTRY;
        }
    }

    /**
     * Adds a job. Before {@link #start()}, the job joins when the engine starts; in a running engine, it joins at once.
     * If a job of that name has just been unregistered, that one leaves first. A job that this engine {@linkplain
     * ElasticJobEngineBuilder#jobs leaves out} is checked and then ignored: it is none of the engine's jobs.
     *
     * @return a stage that completes when the job follows its assignment, or at once if the engine isn't started. It
     *     fails with {@link dev.elasticjob.definition.JobConflictException}, {@link
     *     dev.elasticjob.definition.UnreadableDefinitionException} or {@link
     *     dev.elasticjob.registry.RegistryAccessDeniedException} if the registry's settings of the job belong to
     *     another job, can't be read, or access to them is denied. Such a job does nothing, but stays registered until
     *     it is {@linkplain #unregister unregistered}. The stage fails with {@link
     *     dev.elasticjob.registry.RegistryUnavailableException} if the job is unregistered, or the engine is stopped,
     *     before the job has joined. While the registry is unavailable, it keeps waiting. If the engine {@linkplain
     *     #finishAfterFirstItems takes no more items}, the job doesn't join, and the stage completes at once
     * @throws IllegalArgumentException if there is a job of that name
     * @throws InvalidJobDefinitionException if the definition names a sharding strategy, an error handler or an
     *     executor that this engine doesn't have
     * @throws IllegalStateException if the engine is running, and a listener's {@code appliesTo} fails for the job, or
     *     another engine on the same registry runs the job
     */
    public CompletionStage<Void> register(JobDefinition definition, SimpleJob job) {
        needsCode(definition);
        return add(new Registered(definition, JobInvoker.of(job)));
    }

    /** Adds a dataflow job. */
    public CompletionStage<Void> register(JobDefinition definition, DataflowJob<?> job) {
        needsCode(definition);
        return add(new Registered(definition, JobInvoker.of(job)));
    }

    /** Adds a job that consists of its definition only: a script, an HTTP request, or one of the application's own kinds. */
    public CompletionStage<Void> register(JobDefinition definition) {
        List<Violation> violations = parts.registryJobs().kinds().violations(definition);
        if (!violations.isEmpty()) {
            throw new InvalidJobDefinitionException(definition.jobName(), violations);
        }
        return add(new Registered(definition, kinds.declared(definition)));
    }

    private static void needsCode(JobDefinition definition) {
        if (definition.jobType().isWithoutCode()) {
            throw new IllegalArgumentException(
                    "Job \"%s\" is of the type %s, which needs no job object: register its definition only"
                            .formatted(definition.jobName(), definition.jobType()));
        }
    }

    private CompletionStage<Void> add(Registered job) {
        String name = job.definition().jobName();
        if (!parts.jobs().includes(name)) {
            check(job.definition());
            log.info("Job \"{}\" is registered, but this instance leaves it out and doesn't run it", name);
            return Stages.forCallers(CompletableFuture.completedFuture(null));
        }
        CompletionStage<Void> joined = register(job);
        if (run != null) {
            return Stages.forCallers(joined);
        }
        try {
            return Stages.forCallers(parts.starting().get());
        } catch (RuntimeException e) {
            registered.remove(job.definition().jobName(), job);
            throw e;
        }
    }

    private void check(JobDefinition definition) {
        List<Violation> unknown = DefinitionNames.unknownIn(definition, parts);
        if (!unknown.isEmpty()) {
            throw new InvalidJobDefinitionException(definition.jobName(), unknown);
        }
    }

    private synchronized CompletionStage<Void> register(Registered job) {
        String name = job.definition().jobName();
        check(job.definition());
        Registered present = registered.get(name);
        if (present != null && present.isRegistryJob() && !job.isRegistryJob()) {
            forget(name);
        }
        if (registered.putIfAbsent(name, job) != null) {
            throw new IllegalArgumentException(
                    "There are two jobs named \"%s\": give one of them another name".formatted(name));
        }
        EngineRun current = run;
        try {
            return current == null ? CompletableFuture.completedFuture(null) : current.register(job);
        } catch (RuntimeException e) {
            registered.remove(name);
            throw e;
        }
    }

    /**
     * Stops one job on this instance, in the way that {@link #stop()} stops all of them: the job claims nothing more,
     * hands over its idle items, lets running items end (up to the shutdown timeout; then they are interrupted), and
     * leaves. The engine forgets the job at once, so another one may be registered under its name. The job's data in
     * the registry stays, as when a process ends; {@link JobAdmin#remove} removes it.
     *
     * <p>A thread that ignores its interruption continues, and keeps its item locked until it has returned. This also
     * holds for a job that is registered under the same name in the meantime.
     *
     * @return a stage that completes when nothing but such threads is left of the job on this instance, or when the
     *     registry hasn't answered in time; in that case, the job leaves as soon as it can. Of a job that this engine
     *     leaves out, at once. It never fails
     * @throws IllegalArgumentException if this engine has no such job, or if it is kept in the registry
     */
    public synchronized CompletionStage<Void> unregister(String jobName) {
        if (!parts.jobs().includes(jobName)) {
            return Stages.forCallers(CompletableFuture.completedFuture(null));
        }
        mustExist(jobName);
        if (Optional.ofNullable(registered.get(jobName))
                .filter(Registered::isRegistryJob)
                .isPresent()) {
            throw new IllegalArgumentException(
                    "Job \"%s\" is kept in the registry: to end it on all instances, call JobAdmin.remove; to end it on this one, JobAdmin.drain"
                            .formatted(jobName));
        }
        return Stages.forCallers(forget(jobName));
    }

    private CompletionStage<Void> forget(String jobName) {
        registered.remove(jobName);
        EngineRun current = run;
        return current == null ? stopped : current.unregister(jobName);
    }

    /**
     * Starts all jobs, which join the other instances. May be called again after {@link #stop()}; they join when that has
     * left them.
     *
     * @return a stage that completes when every job follows its assignment, or was refused with an error in the log
     *     because its stored configuration can't be read. It fails with {@link
     *     dev.elasticjob.definition.JobConflictException} if a job's name belongs to a job of another type, and with
     *     {@link dev.elasticjob.registry.SessionTooShortException} if the registry's session timeout is too short.
     *     While the registry is unavailable, it keeps waiting; if the session then turns out to be too short, that is
     *     logged.
     * @throws IllegalStateException if the engine is already started, or another engine on the same registry runs one
     *     of its jobs: close that engine first, or give each engine its own registry
     */
    public synchronized CompletionStage<Void> start() {
        if (closed) {
            throw new IllegalStateException("The engine is closed and can't be started again: build a new one");
        }
        if (run != null) {
            throw new IllegalStateException("The engine is already started");
        }
        RegistryJobHost registryJobHost = new RegistryJobHost();
        EngineRun next = new EngineRun(parts, registered.values(), locks, registryJobHost, left);
        registryJobHost.in = next;
        groups.begin(next);
        run = next;
        afterFirstItems = afterFirstItems.map(former -> former.isDone() ? new CompletableFuture<>() : former);
        afterFirstItems.ifPresent(finished -> finish(next, finished));
        demandSamples.ifPresent(samples -> samples.begin(next));
        return Stages.forCallers(next.start());
    }

    /**
     * Stops all jobs: claims nothing more, lets running items end (up to the shutdown timeout; then they are
     * interrupted), and leaves.
     *
     * @return a stage that completes when this instance has left the registry, or the timeout has elapsed. It never
     *     fails
     */
    public synchronized CompletionStage<Void> stop() {
        EngineRun current = run;
        run = null;
        if (current != null) {
            registered.values().removeIf(Registered::isRegistryJob);
            groups.end();
            stopped = current.stop();
            left = current.left();
            ended = CompletableFuture.allOf(ended, current.ended().toCompletableFuture());
        }
        return Stages.forCallers(stopped);
    }

    /**
     * Ends this engine's work once there is nothing left for it to do: nothing of its jobs has run here for some time, is
     * open, or comes due within that time again. It then claims nothing more, but is still registered: {@linkplain
     * #stop() stop} the engine then, or let the process end. The time begins now, and again whenever an item or a cluster
     * listener ends here; the registry is only read when it has passed. An engine that takes part in groups, or whose
     * connection is lost, doesn't end its work.
     *
     * @param idleAfter positive
     * @return a stage that completes when the engine claims nothing more and nothing of it runs, on the engine's own thread.
     *     It never fails
     * @throws IllegalArgumentException if the time is not positive
     * @throws IllegalStateException if its items are to {@linkplain ElasticJobEngineBuilder#rebalanceDelay wait for its
     *     successor}: nobody comes back for them
     */
    public CompletionStage<Void> finishWhenIdle(Duration idleAfter) {
        if (idleAfter.isNegative() || idleAfter.isZero()) {
            throw new IllegalArgumentException(
                    "Expected a time after which the engine ends its work that is positive, but was "
                            + DurationText.of(idleAfter));
        }
        requireNoSuccessor();
        return Stages.forCallers(new IdleWatch(idleAfter, parts, inspector, () -> Optional.ofNullable(run)).begin());
    }

    /**
     * Makes this engine a fresh worker, for code that must not run twice in one process: it ends its work after its first
     * items. Those are what it begins, of all its jobs, until the first execution here has ended; an execution that is
     * retried has not ended. From then on, nothing begins here. What has begun goes on, retries included, except that a
     * stream ends after its batch; what was claimed and has not begun is given back; the other instances get this one's
     * items at once. Calls of cluster listeners don't count as executions, and none begins afterwards. The engine is then
     * still registered: {@linkplain #stop() stop} it, or let the process end.
     *
     * <p>Call it before {@link #start()}, so that it holds from the first execution on; further calls have no effect. An
     * engine that is stopped and started again has first items again; what ends because of the stop counts for nothing.
     * Groups are not concerned. {@link #finishWhenIdle} may be used as well.
     *
     * @return a stage that completes when the first items have ended and their results are written, on the engine's own
     *     thread. If the engine is stopped before, it completes after the first items of a later start, or never. It
     *     never fails
     * @throws IllegalStateException as {@link #finishWhenIdle} does
     */
    public synchronized CompletionStage<Void> finishAfterFirstItems() {
        requireNoSuccessor();
        CompletableFuture<Void> finished = afterFirstItems.orElseGet(() -> {
            CompletableFuture<Void> first = new CompletableFuture<>();
            Optional.ofNullable(run).ifPresent(current -> finish(current, first));
            return first;
        });
        afterFirstItems = Optional.of(finished);
        return Stages.forCallers(finished);
    }

    private void requireNoSuccessor() {
        if (parts.identity().mayReturn()) {
            throw new IllegalStateException(
                    "Expected an engine without a rebalance delay, because one that ends its work by itself has no successor,"
                            + " but the delay is "
                            + DurationText.of(parts.identity().rebalanceDelay())
                            + ": leave one of the two out");
        }
    }

    private void finish(EngineRun of, CompletableFuture<Void> finished) {
        BooleanSupplier isCurrent = () -> run == of;
        of.finishAfterFirst(isCurrent).whenComplete((done, error) -> {
            if (isCurrent.getAsBoolean()) {
                finished.complete(null);
            }
        });
    }

    /**
     * Stops the engine, waits until it has stopped, and ends its threads. If an item ignores its interruption, the
     * threads that write its result and the registry session that holds its lock live until it has returned, even if
     * the registry is closed in the meantime. Must not be called on the engine's own threads.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        try {
            stop().toCompletableFuture().join();
        } finally {
            admin.close();
            endThreads();
        }
    }

    private synchronized void endThreads() {
        ended.whenComplete((done, error) -> {
            locks.close();
            parts.close();
        });
    }

    public Set<String> jobNames() {
        return Set.copyOf(registered.keySet());
    }

    /**
     * The state of the job on this instance.
     *
     * @throws IllegalArgumentException if this engine has no such job
     */
    public JobState state(String jobName) {
        mustExist(jobName);
        return here(jobName).map(JobRuntime::state).orElse(JobState.LATENT);
    }

    public LeaderElection leaderElection() {
        return new LeaderElection() {
            @Override
            public Optional<String> leader(String jobName) {
                mustExist(jobName);
                return here(jobName).flatMap(job -> job.coordination().leader());
            }

            @Override
            public boolean isLeader(String jobName) {
                mustExist(jobName);
                return here(jobName)
                        .filter(job -> job.coordination().isLeader())
                        .isPresent();
            }
        };
    }

    public ReshardingFlags reshardingFlags() {
        return reshardingFlags;
    }

    public FailoverLatch failoverLatch() {
        return failoverLatch;
    }

    /** Shares out work that is no job among instances: dynamic sharding. */
    public ShardingGroups groups() {
        return groups;
    }

    public JobInspector inspector() {
        return inspector;
    }

    /** Commands for every job of the namespace, whether or not it is registered with this engine. */
    public JobAdmin admin() {
        return admin;
    }

    /** Figures for gauges. */
    public EngineFigures figures() {
        return new EngineFigures(
                parts, () -> Optional.ofNullable(run), job -> demandSamples.flatMap(samples -> samples.of(job)));
    }

    /** Registers jobs that are kept in the registry, with one run of this engine. */
    private final class RegistryJobHost implements RegistryJobs.Host {
        private final JobInvoker invoker = kinds.kept();
        private @Nullable EngineRun in;

        @Override
        public boolean isLeftOut(String jobName) {
            return !parts.jobs().includes(jobName);
        }

        @Override
        public boolean isLocal(String jobName) {
            return Optional.ofNullable(registered.get(jobName))
                    .filter(job -> !job.isRegistryJob())
                    .isPresent();
        }

        @Override
        public CompletionStage<Void> run(JobDefinition definition) {
            synchronized (ElasticJobEngine.this) {
                return in == run
                        ? register(new Registered(definition, invoker, Source.REGISTRY))
                        : CompletableFuture.failedFuture(new RegistryUnavailableException("The engine was stopped"));
            }
        }

        @Override
        public void end(String jobName) {
            synchronized (ElasticJobEngine.this) {
                if (in == run && registered.containsKey(jobName) && !isLocal(jobName)) {
                    forget(jobName);
                }
            }
        }
    }

    private Optional<JobRuntime> here(String jobName) {
        return Optional.ofNullable(run).flatMap(current -> current.job(jobName));
    }

    private SortedMap<String, RegistryJobInspector.Here> jobsHere() {
        SortedMap<String, RegistryJobInspector.Here> here = new TreeMap<>();
        registered.keySet().forEach(name -> {
            Optional<JobRuntime> job = here(name);
            JobState state = job.map(JobRuntime::state).orElse(JobState.LATENT);
            here.put(
                    name,
                    new RegistryJobInspector.Here(
                            state,
                            job.map(runtime -> runtime.coordination().instance()),
                            job.map(JobRuntime::freeThreads).orElse(0),
                            figures().clockAhead(),
                            job.map(JobRuntime::lackingRoom).orElse(Map.of())));
        });
        return here;
    }

    private void mustExist(String jobName) {
        if (!registered.containsKey(jobName)) {
            throw new IllegalArgumentException(
                    parts.jobs().includes(jobName)
                            ? "There is no job \"%s\" in this engine; its jobs are %s"
                                    .formatted(jobName, registered.keySet())
                            : "This engine leaves out the job \"%s\" by its name (\"elasticjob.worker.jobs\", \"elasticjob.worker.except\"); its jobs are %s"
                                    .formatted(jobName, registered.keySet()));
        }
    }
}
