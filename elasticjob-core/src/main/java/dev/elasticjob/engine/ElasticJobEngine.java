package dev.elasticjob.engine;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.RegistryFailoverLatch;
import dev.elasticjob.coordination.RegistryReshardingFlags;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.coordination.leader.ShardingStrategies;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.execution.JobErrors;
import dev.elasticjob.execution.invoker.HttpClients;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.Registry;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs jobs: one instance of each in this process. As many engines in a JVM as one likes; each is made with {@link
 * #builder} and goes through start and stop, and may be started again, until it is closed. Jobs come and go at any time.
 *
 * <p>Safe for use by any thread. Nothing blocks but {@link #close()}.
 */
public final class ElasticJobEngine implements AutoCloseable {
    private final EngineParts parts;
    private final ConcurrentSkipListMap<String, Registered> registered = new ConcurrentSkipListMap<>();
    private final ReshardingFlags reshardingFlags;
    private final FailoverLatch failoverLatch;
    private final JobInspector inspector;
    private final RegistryJobAdmin admin;
    private final HttpClients http = new HttpClients();
    private volatile @Nullable EngineRun run;
    private final LocalLocks holdings;
    private boolean closed;
    /** The end of the last run: whoever stops again waits for it too. */
    private CompletionStage<Void> stopped = CompletableFuture.completedFuture(null);
    /** The end of what has outlived the runs until now. */
    private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

    ElasticJobEngine(EngineParts parts) {
        this.parts = parts;
        this.holdings = new LocalLocks(parts.registry());
        this.reshardingFlags = new RegistryReshardingFlags(parts.registry(), this::mustExist);
        this.failoverLatch = new RegistryFailoverLatch(parts.registry(), this::mustExist);
        this.admin = new RegistryJobAdmin(parts.registry());
        this.inspector = new RegistryJobInspector(parts.registry(), parts.clock(), this::jobsHere);
    }

    /** An engine on a registry, which stays open when the engine is closed: it is the caller's. */
    public static ElasticJobEngineBuilder builder(Registry registry) {
        return new ElasticJobEngineBuilder(registry);
    }

    /**
     * What is wrong with the name of a sharding strategy, for whoever checks a job's settings before there is an engine.
     *
     * @param name as in {@code jobShardingStrategyClass}
     * @param custom the names of strategies of the user's own
     * @return empty when there is such a strategy
     */
    public static Optional<Violation> unknownStrategy(String name, Collection<String> custom) {
        ShardingStrategies builtIn = ShardingStrategies.builtIn();
        if (builtIn.find(name).isPresent() || custom.contains(name.strip())) {
            return Optional.empty();
        }
        Set<String> known = new LinkedHashSet<>(builtIn.names());
        known.addAll(custom);
        return Optional.of(new Violation(
                "jobShardingStrategyClass",
                name,
                ("there is no such strategy; expected one of %s, Elastic-Job 2.1.5's class names for the first three of"
                                + " them, or the name of a ShardingStrategy bean")
                        .formatted(String.join(", ", known))));
    }

    /**
     * What is wrong with the name of an error handler, for whoever checks a job's settings before there is an engine.
     *
     * @param name as in {@code jobExceptionHandler}
     * @param custom the names of handlers of the user's own
     * @return empty when there is such a handler
     */
    public static Optional<Violation> unknownErrorHandler(String name, Collection<String> custom) {
        Set<String> known = new LinkedHashSet<>(JobErrors.builtIn().names());
        known.addAll(custom);
        return unknown(
                "jobExceptionHandler",
                name,
                known,
                "there is no such error handler; expected one of %s, Elastic-Job 2.1.5's default class name for the"
                        + " first of them, or the name of a JobErrorHandler bean");
    }

    /**
     * What is wrong with the name of an executor, for whoever checks a job's settings before there is an engine.
     *
     * @param name as in {@code executorServiceHandler}
     * @param custom the names of the user's executors
     * @return empty when there is such an executor
     */
    public static Optional<Violation> unknownExecutor(String name, Collection<String> custom) {
        return unknown(
                "executorServiceHandler",
                name,
                custom,
                "there is no such executor; expected one of these beans: %s. Leave it empty to use the shared threads");
    }

    private static Optional<Violation> unknown(String setting, String name, Collection<String> known, String found) {
        return JobDefinitionCodec.isDefaultHandler(name) || known.contains(name.strip())
                ? Optional.empty()
                : Optional.of(new Violation(setting, name, found.formatted(String.join(", ", known))));
    }

    private List<Violation> unknownNames(JobDefinition definition) {
        return Stream.of(
                        unknownStrategy(
                                definition.jobShardingStrategyClass(),
                                parts.strategies().names()),
                        unknownErrorHandler(
                                definition.jobExceptionHandler(),
                                parts.errorHandlers().names()),
                        unknownExecutor(
                                definition.executorServiceHandler(),
                                parts.executors().names()))
                .flatMap(Optional::stream)
                .toList();
    }

    /** A job and how to call it. */
    record Registered(JobDefinition definition, JobInvoker invoker) {}

    /**
     * Adds a job, at any time: before {@link #start()}, which joins it with the others, or to an engine that runs, where it
     * joins at once. Where a job of that name was just unregistered, it has left first.
     *
     * @return completes when the job follows its assignment, at once where the engine isn't started; fails with {@link
     *     dev.elasticjob.definition.JobConflictException}, {@link
     *     dev.elasticjob.definition.UnreadableDefinitionException} or {@link
     *     dev.elasticjob.registry.RegistryAccessDeniedException} when the registry's settings of it are another's, can't be
     *     read or are closed to us. Such a job does nothing, but is registered until it is {@linkplain #unregister
     *     unregistered}. Fails with {@link dev.elasticjob.registry.RegistryUnavailableException} when it is unregistered,
     *     or the engine is stopped, before it has joined; a registry that is away is waited for
     * @throws IllegalArgumentException when there is a job of that name
     * @throws InvalidJobDefinitionException when it names a sharding strategy, an error handler or an executor that this
     *     engine doesn't have
     * @throws IllegalStateException when the engine runs, and a listener can't say whether it applies to the job, or another
     *     engine on the same registry runs it
     */
    public CompletionStage<Void> register(JobDefinition definition, SimpleJob job) {
        needsCode(definition);
        return register(new Registered(definition, JobInvoker.of(job)));
    }

    /** The same for a dataflow job. */
    public CompletionStage<Void> register(JobDefinition definition, DataflowJob<?> job) {
        needsCode(definition);
        return register(new Registered(definition, JobInvoker.of(job)));
    }

    /** The same for a job that is done by its definition alone: a script or an HTTP request. */
    public CompletionStage<Void> register(JobDefinition definition) {
        return register(new Registered(definition, JobInvoker.of(definition.jobType(), http)));
    }

    private static void needsCode(JobDefinition definition) {
        if (definition.jobType().isWithoutCode()) {
            throw new IllegalArgumentException(
                    "Job \"%s\" is of the type %s, which needs no job object: register its definition only"
                            .formatted(definition.jobName(), definition.jobType()));
        }
    }

    private synchronized CompletionStage<Void> register(Registered job) {
        String name = job.definition().jobName();
        List<Violation> unknown = unknownNames(job.definition());
        if (!unknown.isEmpty()) {
            throw new InvalidJobDefinitionException(name, unknown);
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
     * Ends a job on this instance alone, as {@link #stop()} ends all: it claims nothing more, gives its items away, lets
     * those that run end (up to the shutdown timeout, then interrupts them), and leaves. From now on this engine knows no
     * such job, and another one may be registered by its name. What the registry knows of it stays, as when a process ends:
     * to remove that too is {@link JobAdmin}'s.
     *
     * <p>A thread that ignores its interruption goes on, and keeps its item locked until it has returned, also for a job
     * that is registered by the same name meanwhile.
     *
     * @return completes when nothing of the job is left here but such threads, or the registry hasn't answered in time; then
     *     it leaves as soon as it can. Never fails
     * @throws IllegalArgumentException when this engine has no such job
     */
    public synchronized CompletionStage<Void> unregister(String jobName) {
        mustExist(jobName);
        registered.remove(jobName);
        EngineRun current = run;
        return current == null ? stopped : current.unregister(jobName);
    }

    /**
     * Joins the others with all jobs. May be called again after {@link #stop()}.
     *
     * @return completes when every job follows its assignment, or was refused with an error in the log because its stored
     *     configuration can't be read; fails with {@link dev.elasticjob.definition.JobConflictException} when a job's
     *     name belongs to a job of another type, and with {@link dev.elasticjob.registry.SessionTooShortException} when the
     *     registry's session can't be relied on. A registry that is away is waited for; should its session then turn
     *     out too short, the log says so.
     * @throws IllegalStateException when the engine is started already, or another engine on the same registry runs one of
     *     its jobs: close that one first, or give each engine a registry of its own
     */
    public synchronized CompletionStage<Void> start() {
        if (closed) {
            throw new IllegalStateException("The engine is closed and can't be started again: build a new one");
        }
        if (run != null) {
            throw new IllegalStateException("The engine is already started");
        }
        EngineRun next = new EngineRun(parts, registered.values(), holdings);
        run = next;
        return next.start();
    }

    /**
     * Claims nothing more, lets running items end (up to the shutdown timeout, then interrupts them), and leaves.
     *
     * @return completes when the registry is clean or the timeout is over; never fails
     */
    public synchronized CompletionStage<Void> stop() {
        EngineRun current = run;
        run = null;
        if (current != null) {
            stopped = current.stop();
            ended = CompletableFuture.allOf(ended, current.ended().toCompletableFuture());
        }
        return stopped;
    }

    /**
     * Stops, waits for it, and ends the engine's threads. Where an item ignores its interruption, those that write its end
     * and the registry's session, which is its lock, live on until it has returned, also when the registry is closed
     * meanwhile. Not for use on the engine's own threads.
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
            holdings.close();
            parts.close();
        });
    }

    public Set<String> jobNames() {
        return Set.copyOf(registered.keySet());
    }

    /**
     * What the job does on this instance.
     *
     * @throws IllegalArgumentException when this engine has no such job
     */
    public JobState state(String jobName) {
        mustExist(jobName);
        return here(jobName).map(JobRuntime::state).orElse(JobState.LATENT);
    }

    public LeaderElection leaderElection() {
        return new LeaderElection() {
            @Override
            public Optional<String> leader(String jobName) {
                return running(jobName).flatMap(job -> job.coordination().leader());
            }

            @Override
            public boolean isLeader(String jobName) {
                return running(jobName)
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

    public JobInspector inspector() {
        return inspector;
    }

    /** Commands for any job of the namespace, whether it is registered here or not. */
    public JobAdmin admin() {
        return admin;
    }

    private Optional<JobRuntime> running(String jobName) {
        mustExist(jobName);
        return here(jobName);
    }

    private Optional<JobRuntime> here(String jobName) {
        return Optional.ofNullable(run).flatMap(current -> current.job(jobName));
    }

    private SortedMap<String, RegistryJobInspector.Here> jobsHere() {
        SortedMap<String, RegistryJobInspector.Here> here = new TreeMap<>();
        registered.keySet().forEach(name -> {
            Optional<JobRuntime> job = here(name);
            here.put(
                    name,
                    new RegistryJobInspector.Here(
                            job.map(JobRuntime::state).orElse(JobState.LATENT),
                            job.map(runtime -> runtime.coordination().instance())));
        });
        return here;
    }

    private void mustExist(String jobName) {
        if (!registered.containsKey(jobName)) {
            throw new IllegalArgumentException(
                    "There is no job \"%s\" in this engine; its jobs are %s".formatted(jobName, registered.keySet()));
        }
    }
}
