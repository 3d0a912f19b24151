package dev.elasticjob.engine;

import dev.elasticjob.coordination.group.GroupScope;
import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.coordination.leader.ShardingStrategies;
import dev.elasticjob.coordination.membership.InstanceIdentity;
import dev.elasticjob.coordination.session.GuardedRegistry;
import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.definition.OnForeignInstance;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.kind.JobKinds;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.NameSelection;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.engine.process.LocalAddress;
import dev.elasticjob.engine.process.OwnThreads;
import dev.elasticjob.engine.registryjob.RegistryJobs;
import dev.elasticjob.execution.JobErrors;
import dev.elasticjob.execution.pool.NamedObjects;
import dev.elasticjob.group.GroupEventListener;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.RegistryRequestListener;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects the settings of an engine; each has a default. Not thread-safe. */
public final class ElasticJobEngineBuilder {
    /** The longest {@link #rebalanceDelay}. */
    public static final Duration LONGEST_REBALANCE_DELAY = LeaveMark.LONGEST;

    private static final int THREADS_PER_CORE = 4;
    private static final int MIN_THREADS = 16;

    private final Registry registry;
    private final Listeners.Sources listeners = new Listeners.Sources();
    private ShardingStrategies strategies = ShardingStrategies.builtIn();
    private NamedObjects<JobErrorHandler> errorHandlers = JobErrors.builtIn();
    private NamedObjects<Executor> executors = NamedObjects.by("executorServiceHandler");
    private @Nullable String instanceId;
    private InstanceLabels labels = InstanceLabels.NONE;
    private OptionalInt capacity = OptionalInt.empty();
    private Duration rebalanceDelay = Duration.ZERO;
    private Function<OptionalInt, InstanceCapacity> counting = InstanceCapacity::new;
    private @Nullable String instanceName;
    private @Nullable String ip;
    private @Nullable String preferredNetwork;
    private @Nullable Executor workers;
    private @Nullable Executor coordination;
    private @Nullable TaskTimer timer;
    private String threadNamePrefix = "elasticjob-";
    private Clock clock = Clock.systemUTC();
    private int maxThreads =
            Math.max(MIN_THREADS, THREADS_PER_CORE * Runtime.getRuntime().availableProcessors());
    private Duration serverTick = Duration.ofSeconds(2);
    private Duration shutdownTimeout = Duration.ofSeconds(24);
    private SessionLoss onSessionLoss = SessionLoss.INTERRUPT;
    private OnForeignInstance onForeignInstance = OnForeignInstance.REFUSE;
    private OnDataLoss onDataLoss = OnDataLoss.CONTINUE;
    private String groupNamespace = "dynamic-sharding";
    private GroupScope.Times groupTimes = GroupScope.Times.DEFAULT;
    private UnaryOperator<String> references = UnaryOperator.identity();
    private Optional<Duration> demandInterval = Optional.empty();
    private NameSelection jobs = NameSelection.ALL;
    private RegistryJobs.Settings registryJobs = RegistryJobs.Settings.NONE;
    private Supplier<? extends CompletionStage<Void>> starting = () -> CompletableFuture.completedFuture(null);

    ElasticJobEngineBuilder(Registry registry) {
        this.registry = new GuardedRegistry(registry);
    }

    /**
     * The complete id of this instance; {@code ip@-@pid} by default. Elastic-Job 2.1.5's tools expect the server's
     * address in front of {@code @-@}, and fail if that is missing: see {@link #instanceName}.
     */
    public ElasticJobEngineBuilder instanceId(String id) {
        this.instanceId = id;
        return this;
    }

    /**
     * What the instance says of itself, by which jobs choose it with {@link JobDefinition#runOn()}: {@code zone} and
     * {@code a}. None by default. They stay as long as the engine runs.
     *
     * @throws IllegalArgumentException that names all names and values that can't be used
     */
    public ElasticJobEngineBuilder labels(Map<String, String> labels) {
        this.labels = InstanceLabels.of(labels);
        return this;
    }

    /**
     * What the items may weigh together that this instance claims and executes at the same time, over all its jobs
     * ({@link dev.elasticjob.definition.JobDefinition#weightOf}). What is above it waits in the registry. No limit by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public ElasticJobEngineBuilder capacity(int capacity) {
        this.capacity = new InstanceCapacity(OptionalInt.of(capacity)).limit();
        return this;
    }

    /**
     * How long the items of this instance wait for its successor once it has left in good order, so that a restart moves
     * nothing: one of the same id, or one that starts after it on the same server with the same labels and the same version of
     * this library. Items of an instance that crashes are taken over at once. Zero by default: items move when their instance
     * leaves.
     *
     * @throws IllegalArgumentException if it is negative, or above an hour
     */
    public ElasticJobEngineBuilder rebalanceDelay(Duration delay) {
        if (delay.isNegative() || delay.compareTo(LONGEST_REBALANCE_DELAY) > 0) {
            throw new IllegalArgumentException("Expected a rebalance delay between 0 and %s, but it is %s"
                    .formatted(DurationText.of(LONGEST_REBALANCE_DELAY), DurationText.of(delay)));
        }
        this.rebalanceDelay = delay;
        return this;
    }

    /** Makes what counts the room, of its limit. */
    ElasticJobEngineBuilder countedBy(Function<OptionalInt, InstanceCapacity> capacities) {
        this.counting = capacities;
        return this;
    }

    /** The beginning of the names of the threads that the engine makes; by default {@code elasticjob-}. */
    public ElasticJobEngineBuilder threadNamePrefix(String prefix) {
        this.threadNamePrefix = Objects.requireNonNull(prefix);
        return this;
    }

    /**
     * The part of this instance's id that follows the server's address and {@code @-@}; the complete id if the name
     * contains {@code @-@} itself.
     */
    public ElasticJobEngineBuilder instanceName(String name) {
        this.instanceName = name;
        return this;
    }

    /** The server's address, by which operators enable and disable it; detected by default. */
    public ElasticJobEngineBuilder ip(String address) {
        this.ip = address;
        return this;
    }

    /**
     * The network on which to look for the server's address: the name of an interface, or a network such as {@code
     * 10.0.0.0/8}. {@link #ip} overrides it.
     */
    public ElasticJobEngineBuilder preferredNetwork(String network) {
        this.preferredNetwork = network;
        return this;
    }

    /**
     * How many items run at the same time, over all jobs; by default 4 per core, but at least 16.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public ElasticJobEngineBuilder maxThreads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException(
                    "\"elasticjob.executor.max-threads\" must be at least 1, but is %d: set it to how many items may run at once"
                            .formatted(threads));
        }
        this.maxThreads = threads;
        return this;
    }

    /**
     * The executor that runs items. It must give each task a thread at once; there are never more than {@link
     * #maxThreads} tasks. By default, daemon threads that end when they are idle.
     */
    public ElasticJobEngineBuilder workers(Executor executor) {
        this.workers = executor;
        return this;
    }

    /**
     * The {@code tickTime} of the registry's servers, 2 s by default: the precision with which they expire sessions.
     * Leases end earlier by this amount, so if it is too short, an item may start on another instance before its
     * execution on this one is interrupted. The session timeout must be at least three times as long, or the engine
     * doesn't start.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public ElasticJobEngineBuilder serverTick(Duration tick) {
        if (tick.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "\"elasticjob.registry.server-tick\" must be at least 1 ms, but is %s: set it to the servers' tickTime"
                            .formatted(DurationText.of(tick)));
        }
        this.serverTick = tick;
        return this;
    }

    /**
     * How long {@link ElasticJobEngine#stop()} lets running items continue; 24 s by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ElasticJobEngineBuilder shutdownTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(
                    "\"elasticjob.shutdown-timeout\" must not be negative, but is %s: set it to 0 to interrupt items at once"
                            .formatted(DurationText.of(timeout)));
        }
        this.shutdownTimeout = timeout;
        return this;
    }

    /**
     * What happens to running executions when this process can no longer rely on its registry session. By default, they
     * are interrupted.
     */
    public ElasticJobEngineBuilder onSessionLoss(SessionLoss loss) {
        this.onSessionLoss = loss;
        return this;
    }

    /**
     * How to react to instances of other software in a job, such as Elastic-Job 2.1.5. By default, the job is refused.
     */
    public ElasticJobEngineBuilder onForeignInstance(OnForeignInstance policy) {
        this.onForeignInstance = policy;
        return this;
    }

    /**
     * What happens when the registry has lost its data, or has gone back to an older copy of it. By default, the jobs go on
     * with what it has.
     */
    public ElasticJobEngineBuilder onDataLoss(OnDataLoss policy) {
        this.onDataLoss = policy;
        return this;
    }

    /**
     * The node below which {@linkplain ElasticJobEngine#groups() groups} are, {@code dynamic-sharding} by default: beside the
     * registry's namespace, not in it. Applications with the same one share out the work of groups of the same name.
     */
    public ElasticJobEngineBuilder groupNamespace(String namespace) {
        this.groupNamespace = namespace;
        return this;
    }

    /**
     * How long the leader of a group waits for instances to stop, and what it does then. By default, it waits 30 s, reports
     * those that haven't stopped, and waits on. Set the same on all instances.
     *
     * @throws IllegalArgumentException if the timeout is negative
     */
    public ElasticJobEngineBuilder groupStopTimeout(Duration timeout, OnStopTimeout reaction) {
        this.groupTimes = new GroupScope.Times(timeout, reaction, groupTimes.joinDelay());
        return this;
    }

    /**
     * How long the leader of a group waits for further instances after one has joined; 1 s by default. Instances that start
     * together then cause one assignment. It doesn't wait after an instance has left.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ElasticJobEngineBuilder groupJoinDelay(Duration delay) {
        this.groupTimes = new GroupScope.Times(groupTimes.stopTimeout(), groupTimes.onStopTimeout(), delay);
        return this;
    }

    /** Listeners for the events of groups, fetched at each start of the engine. */
    public ElasticJobEngineBuilder groupListeners(
            Supplier<? extends Collection<? extends GroupEventListener>> atStart) {
        listeners.ofGroups.add(atStart);
        return this;
    }

    public ElasticJobEngineBuilder clock(Clock now) {
        this.clock = now;
        return this;
    }

    public ElasticJobEngineBuilder timer(TaskTimer taskTimer) {
        this.timer = taskTimer;
        return this;
    }

    /**
     * The executor that runs coordination. It must run one task after the other. By default, a thread of the engine.
     */
    public ElasticJobEngineBuilder coordinationExecutor(Executor executor) {
        this.coordination = executor;
        return this;
    }

    public ElasticJobEngineBuilder listener(JobEventListener listener) {
        return listeners(() -> List.of(listener));
    }

    /** Listeners that the engine fetches at each start, so that they can depend on the engine themselves. */
    public ElasticJobEngineBuilder listeners(Supplier<? extends Collection<? extends JobEventListener>> atStart) {
        listeners.ofEvents.add(atStart);
        return this;
    }

    /** Listeners for the requests of jobs to the registry, fetched at each start of the engine. */
    public ElasticJobEngineBuilder requestListeners(
            Supplier<? extends Collection<? extends RegistryRequestListener>> atStart) {
        listeners.ofRequests.add(atStart);
        return this;
    }

    /** What surrounds executions, fetched at each start of the engine. There is one; by default, nothing. */
    public ElasticJobEngineBuilder executionObserver(Supplier<ExecutionObserver> atStart) {
        listeners.observer = atStart;
        return this;
    }

    /**
     * Reads the demand of the jobs that this instance leads, each time after this interval and within a second of a new lead,
     * so that {@link EngineFigures#demand} has it. It costs one request for 50 jobs and one for 1,000 of their items, on one instance of each job. By default, it
     * isn't read.
     *
     * @throws IllegalArgumentException if it is less than a millisecond
     */
    public ElasticJobEngineBuilder demandInterval(Duration interval) {
        if (interval.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "\"elasticjob.metrics.demand-interval\" must be at least 1 ms, but is %s: each time, the demand of the jobs that an instance leads is read from the registry"
                            .formatted(DurationText.of(interval)));
        }
        this.demandInterval = Optional.of(interval);
        return this;
    }

    /** The application's own strategies, by the name that {@code jobShardingStrategyClass} refers to. */
    public ElasticJobEngineBuilder strategies(Map<String, ShardingStrategy> custom) {
        this.strategies = strategies.withCustom(custom);
        return this;
    }

    /** Listeners for the firings of all jobs that they apply to, in this order. */
    public ElasticJobEngineBuilder jobListeners(List<ElasticJobListener> inOrder) {
        List<ElasticJobListener> given = List.copyOf(inOrder);
        return jobListeners(() -> given);
    }

    /**
     * Listeners for the firings of jobs, fetched at each start of the engine, so that they can depend on the engine
     * themselves.
     */
    public ElasticJobEngineBuilder jobListeners(Supplier<? extends Collection<? extends ElasticJobListener>> atStart) {
        listeners.ofJobs.add(atStart);
        return this;
    }

    /** Listeners that are called once per cluster for the firings of all jobs that they apply to, in this order. */
    public ElasticJobEngineBuilder clusterListeners(List<ClusterJobListener> inOrder) {
        List<ClusterJobListener> given = List.copyOf(inOrder);
        return clusterListeners(() -> given);
    }

    /** The same, fetched at each start of the engine, so that they can depend on the engine themselves. */
    public ElasticJobEngineBuilder clusterListeners(
            Supplier<? extends Collection<? extends ClusterJobListener>> atStart) {
        listeners.ofFirings.add(atStart);
        return this;
    }

    /**
     * The application's own error handlers, by the name that {@code jobExceptionHandler} refers to.
     *
     * @throws IllegalArgumentException if a name is blank or already taken
     */
    public ElasticJobEngineBuilder errorHandlers(Map<String, JobErrorHandler> custom) {
        this.errorHandlers = errorHandlers.with(custom);
        return this;
    }

    /**
     * The application's own executors, by the name that {@code executorServiceHandler} refers to. The items of a job
     * that names one run there instead of on the {@link #workers}, and don't count towards {@link #maxThreads}. An
     * executor must run every task that it accepts. It may block its caller, or run the task on its caller's thread;
     * each job calls its executor on one of the {@link #workers}, which does nothing else. If the executor rejects an
     * item, the claim is undone, and the item is tried again after a pause that grows up to half a minute. The engine
     * never shuts an executor down.
     *
     * @throws IllegalArgumentException if a name is blank or already taken
     */
    public ElasticJobEngineBuilder executors(Map<String, ? extends Executor> custom) {
        this.executors = executors.with(custom);
        return this;
    }

    /**
     * Replaces the references in the values of headers and in the body of an HTTP job, each time before a request is
     * sent. They are stored as they are, so that a secret need not be in the registry: each instance has its own. They
     * are replaced only in a header or body that is registered with this engine, and only if the request goes to the
     * host that is registered with it: the item fails if the stored definition has another one. By default, there are
     * no references.
     *
     * @param resolve returns the text with each reference replaced, or throws an {@link IllegalArgumentException} if
     *     this instance has no value for one. Its message becomes part of the item's failure: it should name the
     *     reference, and must not contain a value. Called on worker threads, for several items at the same time
     */
    public ElasticJobEngineBuilder references(UnaryOperator<String> resolve) {
        this.references = resolve;
        return this;
    }

    /**
     * Which jobs this instance runs, by their names; all by default. The others are left out: one that is registered is
     * checked and then ignored, with a line in the log, and one that is {@linkplain #jobsFromRegistry kept in the registry}
     * is not looked at. Groups are not concerned.
     */
    public ElasticJobEngineBuilder jobs(NameSelection selection) {
        this.jobs = selection;
        return this;
    }

    /**
     * What this instance runs although only the registry says so: scripts, HTTP jobs and jobs of {@link #kinds} whose command line, URI or properties were
     * changed there and, with {@link #jobsFromRegistry}, whole jobs. By default, nothing.
     */
    public ElasticJobEngineBuilder registryTrust(RegistryTrust trust) {
        this.registryJobs = new RegistryJobs.Settings(registryJobs.run(), trust, registryJobs.kinds());
        return this;
    }

    /** Also runs the jobs that {@code JobAdmin.create} has made, if {@link #registryTrust} allows them. */
    public ElasticJobEngineBuilder jobsFromRegistry() {
        this.registryJobs = new RegistryJobs.Settings(true, registryJobs.trust(), registryJobs.kinds());
        return this;
    }

    /**
     * The application's own kinds of jobs, whose jobs are registered with their definition only.
     *
     * @throws IllegalArgumentException if two have one name, or one can't be used
     */
    public ElasticJobEngineBuilder kinds(Collection<? extends JobKind> custom) {
        this.registryJobs = new RegistryJobs.Settings(registryJobs.run(), registryJobs.trust(), JobKinds.of(custom));
        return this;
    }

    /**
     * Called on the thread that registers a job while the engine isn't started, to start it: that thread gets the
     * stage. If this throws, the job isn't registered. By default, {@link ElasticJobEngine#start()} is awaited.
     */
    public ElasticJobEngineBuilder startedByRegistration(Supplier<? extends CompletionStage<Void>> start) {
        this.starting = start;
        return this;
    }

    /** @throws IllegalArgumentException if the preferred network, the instance's id or the namespace of groups can't be used */
    public ElasticJobEngine build() {
        OwnThreads own = new OwnThreads(threadNamePrefix);
        String address = ip == null ? LocalAddress.on(preferredNetwork) : ip;
        String name =
                instanceName == null ? String.valueOf(ProcessHandle.current().pid()) : instanceName;
        String id = instanceId == null ? InstanceIdentity.complete(name, address) : instanceId;
        return new ElasticJobEngine(new EngineParts(
                registry,
                new InstanceIdentity(id, address, labels, capacity, rebalanceDelay),
                counting.apply(capacity),
                clock,
                timer == null ? own.timer() : timer,
                coordination == null ? own.coordination() : coordination,
                workers == null ? own.workers() : workers,
                maxThreads,
                serverTick,
                shutdownTimeout,
                onSessionLoss,
                onForeignInstance,
                onDataLoss,
                strategies,
                errorHandlers,
                executors,
                new ShardingGroups.Settings(groupNamespace, groupTimes),
                references,
                listeners.fetching(timer == null ? own.timer() : timer),
                demandInterval,
                starting,
                jobs,
                registryJobs,
                own));
    }
}
