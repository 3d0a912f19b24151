package dev.elasticjob.engine;

import dev.elasticjob.coordination.group.GroupCoordination;
import dev.elasticjob.coordination.group.GroupScope;
import dev.elasticjob.coordination.leader.ItemDivision;
import dev.elasticjob.coordination.leader.PlanTurns;
import dev.elasticjob.coordination.membership.KnownJob;
import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.Continuity;
import dev.elasticjob.coordination.session.DataLoss;
import dev.elasticjob.coordination.session.DueClock;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.LeaseKeeper;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.engine.ElasticJobEngine.Registered;
import dev.elasticjob.engine.JobShutdown.Departure;
import dev.elasticjob.engine.JobShutdown.Participant;
import dev.elasticjob.engine.process.LocalLocks;
import dev.elasticjob.engine.registryjob.RegistryJobs;
import dev.elasticjob.execution.FirstExecutions;
import dev.elasticjob.execution.JobErrors;
import dev.elasticjob.execution.RunScope;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.execution.pool.PoolOccupancy;
import dev.elasticjob.job.ClockDifferenceException;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of an engine, from start to stop: its connection and the runtimes of its jobs. Each start creates a new one.
 *
 * <p>Works on the coordination executor. Any thread may start, stop, register and unregister, one at a time.
 */
final class EngineRun {
    private static final Logger log = LoggerFactory.getLogger(EngineRun.class);
    private static final int MAX_NAMES = 20;
    /** States in which a job knows what it may do here. While a loss of data is held, it has none of them. */
    private static final Set<JobState> STANDING = EnumSet.of(
            JobState.ACTIVE,
            JobState.PAUSED,
            JobState.DISABLED,
            JobState.DRAINED,
            JobState.UNMATCHED,
            JobState.STOPPED);

    private static final Set<JobState> LEFT_TO_OTHERS =
            EnumSet.of(JobState.DISABLED, JobState.DRAINED, JobState.UNMATCHED);

    private final EngineParts parts;
    private final Listeners listeners;
    private final SharedConnection connection;
    private final Continuity continuity;
    private final RegistryTime registryTime;
    private final DueClock dueClock;
    private final SessionLease lease;
    private final LeaseKeeper keeper;
    private final FairPool pool;
    private final PlanTurns turns;
    private final LocalLocks locks;
    private final Participants participants = new Participants();
    private final FirstExecutions first = new FirstExecutions();
    private final Optional<RegistryJobs> registryJobs;

    private final CompletionStage<Void> formerHasLeft;
    /** Completes when jobs and groups may join; fails if the session is too short for that. */
    private final CompletableFuture<Void> opened = new CompletableFuture<>();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile long lastEnd;
    /** Receives each job that this instance begins to lead. */
    private volatile Consumer<String> onLead = jobName -> {};
    /** Whether a fresh worker takes no more. On the coordination executor. */
    private boolean firstHaveEnded;

    /**
     * @param host runs the jobs that are kept in the registry
     * @param formerHasLeft the engine's former run: its jobs would delete what this one's have made under the same names
     */
    EngineRun(
            EngineParts parts,
            Collection<Registered> registered,
            LocalLocks locks,
            RegistryJobs.Host host,
            CompletionStage<Void> formerHasLeft) {
        this.parts = parts;
        this.formerHasLeft = formerHasLeft;
        this.lastEnd = parts.timer().nanoTime();
        this.listeners = parts.listeners().get();
        this.locks = locks;
        this.registryTime = new RegistryTime(parts.clock(), parts.timer());
        this.dueClock = new DueClock(registryTime::due);
        registryTime.onDifference(new ClockWarnings(registryTime, this::clocksDiffer));
        this.lease = new SessionLease(parts.timer(), parts.serverTick());
        Registry registry = TimedRegistry.of(parts.registry(), parts.timer(), listeners.ofRequests());
        this.connection = new SharedConnection(registry, parts.coordination(), parts.timer(), lease, registryTime);
        this.continuity = new Continuity(
                connection.registry(), parts.identity().baseId(), parts.clock(), parts.onDataLoss(), listeners::tell);
        connection.admitBy(continuity);
        this.keeper = new LeaseKeeper(
                connection,
                lease,
                parts.timer(),
                parts.coordination(),
                participants::isExecuting,
                participants::ownNode,
                () -> participants.actOnLostLeases(parts.onSessionLoss()));
        this.pool = new FairPool(parts.workers(), parts.executors(), parts.maxThreads(), parts.timer());
        this.turns = new PlanTurns(
                new ItemDivision(parts.strategies(), parts.workers(), parts.timer()),
                connection,
                parts.identity().baseId());
        this.registryJobs = Optional.of(parts.registryJobs())
                .filter(RegistryJobs.Settings::run)
                .map(settings -> new RegistryJobs(connection, settings, host));
        orNone(() -> registered.forEach(this::add));
    }

    /** Takes the groups on, which join with {@link #start}. */
    void prepare(Collection<ShardingGroups.Joined> joined) {
        orNone(() -> joined.forEach(this::add));
    }

    /** If one can't be taken on, nothing of this run is left. */
    private void orNone(Runnable addition) {
        try {
            addition.run();
        } catch (RuntimeException e) {
            participants.all().forEach(added -> locks.giveBack(added.name()));
            throw e;
        }
    }

    private JobRuntime add(Registered job) {
        String name = job.definition().jobName();
        List<ClusterJobListener> clusterListeners = listeners.ofFirings(name);
        var runs = new RunScope(
                job.invoker(),
                pool.bulkhead(name),
                new JobErrors(parts.errorHandlers(), parts.timer()),
                listeners.of(name),
                clusterListeners,
                listeners.observer(),
                lease,
                dueClock,
                parts.timer(),
                parts.coordination(),
                parts.workers(),
                first,
                this::tell);
        JobScope scope =
                new JobScope(new JobTree(name), connection, dueClock, event -> tell(event, runs), new Announcements());
        JobDefinition definition = clusterListeners.isEmpty()
                ? job.definition()
                : job.definition().toBuilder().clusterListener(true).build();
        JobRuntime made = new JobRuntime(
                scope,
                new KnownJob(definition, job.source()),
                parts,
                turns,
                runs,
                locks.lend(name),
                new JobRuntime.Heard(this::executionBegins, () -> onLead.accept(name)));
        participants.add(made);
        return made;
    }

    private ShardingGroups.GroupRuntime add(ShardingGroups.Joined joined) {
        var scope = new GroupScope(
                joined.tree(),
                connection,
                lease,
                parts.workers(),
                parts.groups().times(),
                keeper::executionBegins,
                listeners::tell);
        var made = new ShardingGroups.GroupRuntime(new GroupCoordination(
                scope,
                parts.identity(),
                joined.notice(),
                locks.lendIndexes(joined.tree().root())));
        participants.add(made);
        return made;
    }

    /** One more group, which is joined at once. */
    CompletionStage<Void> join(ShardingGroups.Joined joined) {
        ShardingGroups.GroupRuntime added = add(joined);
        return onCoordination(() -> join(added));
    }

    private CompletionStage<Void> join(ShardingGroups.GroupRuntime group) {
        return afterFormer(group, () -> group.coordination().start());
    }

    CompletionStage<Void> leaveGroup(String root) {
        return leave(participants.group(root).orElseThrow(), "this instance leaves the group");
    }

    Optional<GroupCoordination> group(String root) {
        return participants.group(root).map(ShardingGroups.GroupRuntime::coordination);
    }

    /** Reports an event that concerns no running job, such as a command. Any thread may call it. */
    void tell(JobEvent event) {
        if (event instanceof JobEvent.ItemFinished || event instanceof JobEvent.HookFinished) {
            lastEnd = parts.timer().nanoTime();
        }
        listeners.tell(event);
    }

    /** An event that keeps a whole job from running is also passed to the job's error handler. */
    private void tell(JobEvent event, RunScope runs) {
        listeners.tell(event);
        if (event instanceof JobEvent.StateChanged changed && changed.to() == JobState.STOPPED) {
            // Not if it is a former one that has ended.
            participants
                    .job(event.jobName())
                    .filter(job -> job.state() == JobState.STOPPED)
                    .flatMap(job -> registryJobs)
                    .ifPresent(jobs -> jobs.ended(event.jobName()));
        }
        if (event instanceof JobEvent.ClockDiffers differs) {
            runs.report(event.jobName(), new ClockDifferenceException(differs.here(), differs.registry()));
        }
    }

    /** Only told, not to the jobs' error handlers: the jobs run as ever. */
    private void clocksDiffer(Instant here, Instant registry) {
        participants
                .jobs()
                .forEach(job -> listeners.tell(
                        new JobEvent.ClockDiffers(job.name(), parts.identity().baseId(), here, registry)));
    }

    /** Empty if it has been unregistered. */
    Optional<JobRuntime> job(String name) {
        return participants.job(name);
    }

    /** Thread-safe. */
    Instant registryNow() {
        return registryTime.now();
    }

    /** The loss of the registry's data that no operator has confirmed yet. Thread-safe. */
    Optional<DataLoss> unconfirmedLoss() {
        return continuity.unconfirmed();
    }

    PoolOccupancy poolState() {
        return pool.state();
    }

    /** The time by which firings are due. Thread-safe. */
    Instant dueNow() {
        return registryTime.due();
    }

    /** How far this machine's clock is ahead of the registry's. Thread-safe. */
    Duration clockAhead() {
        return registryTime.ahead();
    }

    int busyThreads() {
        return pool.busy();
    }

    Duration leaseRemaining() {
        return lease.remaining();
    }

    // ------------------------------------------------------------------ start

    CompletionStage<Void> start() {
        List<JobRuntime> jobs = participants.jobs();
        List<ShardingGroups.GroupRuntime> groups = participants.groups();
        return onCoordination(() -> {
            CompletionStage<Void> joined = opened.thenCompose(open -> join(jobs, groups));
            formerHasLeft.thenRun(this::open).whenComplete((open, error) -> {
                if (error == null) {
                    opened.complete(null);
                } else {
                    opened.completeExceptionally(Stages.unwrap(error));
                }
            });
            return joined;
        });
    }

    private CompletionStage<Void> join(List<JobRuntime> jobs, List<ShardingGroups.GroupRuntime> groups) {
        List<CompletionStage<Void>> joining = new ArrayList<>();
        groups.forEach(group -> joining.add(join(group)));
        joining.add(jobs.size() == 1 ? tolerant(jobs.get(0), join(jobs.get(0))) : together(jobs));
        return Stages.all(joining);
    }

    private void open() {
        parts.registry().session().flatMap(lease::objection).ifPresent(tooShort -> {
            throw tooShort;
        });
        connection.open();
        registryJobs.ifPresent(RegistryJobs::start);
    }

    /** Logs one line for all jobs instead of several for each. */
    private CompletionStage<Void> together(List<JobRuntime> all) {
        return Stages.all(all.stream()
                        .map(job -> tolerant(job, job.joiningQuietly(() -> join(job))))
                        .toList())
                .whenComplete((done, error) -> tellJoined(all));
    }

    private static void tellJoined(List<JobRuntime> started) {
        List<JobRuntime> joined =
                started.stream().filter(job -> job.ownership().isPresent()).toList();
        if (joined.isEmpty()) {
            return;
        }
        log.info(
                "{} of {} jobs have joined, {} of them led by this instance; items owned by this instance: {}{}",
                joined.size(),
                started.size(),
                joined.stream().filter(job -> job.coordination().isLeader()).count(),
                joined.stream().limit(MAX_NAMES).map(JobRuntime::share).collect(Collectors.joining(", ")),
                joined.size() > MAX_NAMES ? " and those of %d more".formatted(joined.size() - MAX_NAMES) : "");
    }

    CompletionStage<Void> register(Registered job) {
        JobRuntime added = add(job);
        return onCoordination(() -> {
            registryJobs.filter(jobs -> !job.isRegistryJob()).ifPresent(jobs -> jobs.lookAt(added.name()));
            if (firstHaveEnded) {
                added.finishWhatHasBegun();
            }
            return join(added);
        });
    }

    private CompletionStage<Void> join(JobRuntime job) {
        return afterFormer(job, job::start);
    }

    /** A former one of that name leaves first: later, it would delete what this one has just made. */
    private CompletionStage<Void> afterFormer(Participant next, Supplier<CompletionStage<Void>> start) {
        return opened.thenCompose(open -> participants.formerHaveLeft(next.name()))
                .thenCompose(left -> start.get());
    }

    /** A job whose stored configuration can't be read is refused alone; the others start. */
    private static CompletionStage<Void> tolerant(JobRuntime job, CompletionStage<Void> joined) {
        return joined.exceptionallyCompose(error -> {
            if (!(Stages.unwrap(error) instanceof UnreadableDefinitionException unreadable)) {
                return CompletableFuture.failedFuture(error);
            }
            log.error(
                    "Job \"{}\" is not started on this instance; the other jobs are. The cause is the node \"{}\" in"
                            + " the registry's namespace. {}",
                    job.name(),
                    new JobTree(job.name()).node(unreadable.part()),
                    unreadable.getMessage());
            return CompletableFuture.completedFuture(null);
        });
    }

    private void executionBegins(long sessionId) {
        parts.registry().session().filter(session -> session.id() == sessionId).ifPresent(keeper::executionBegins);
    }

    // ------------------------------------------------------------------ idleness

    /** The time since an item or a call of listeners has ended here, or since this run was created. Thread-safe. */
    Duration sinceLastEnd() {
        return Duration.ofNanos(parts.timer().nanoTime() - lastEnd);
    }

    /** Why this instance can't do without, as far as it knows by itself. On the coordination executor. */
    Optional<String> reasonToStay() {
        if (!participants.groups().isEmpty()) {
            return Optional.of("it takes part in groups");
        }
        if (participants.isExecuting() || participants.runsCode()) {
            return Optional.of("something runs here");
        }
        return participants.jobs().stream()
                .filter(job -> !STANDING.contains(job.state()) || job.isHeldFromBefore())
                .findFirst()
                .map(job -> job.isHeldFromBefore()
                        ? "a thread of job \"%s\" has not returned".formatted(job.name())
                        : "job \"%s\" is %s".formatted(job.name(), job.state()));
    }

    /** The jobs whose items this instance starts when they are open: not those from which an operator or a label keeps it. */
    List<String> jobsThatMayStartHere() {
        return jobs(EngineRun::mayStartHere);
    }

    /** The jobs from whose items an operator or a label keeps this instance. */
    List<String> jobsLeftToOthers() {
        return jobs(job -> LEFT_TO_OTHERS.contains(job.state()));
    }

    private static boolean mayStartHere(JobRuntime job) {
        return job.state() == JobState.ACTIVE || job.state() == JobState.PAUSED;
    }

    private List<String> jobs(Predicate<JobRuntime> which) {
        return participants.jobs().stream()
                .filter(which)
                .map(JobRuntime::name)
                .sorted()
                .toList();
    }

    /**
     * To be called before {@link #start()}.
     *
     * @param listener receives each job that this instance begins to lead, perhaps repeatedly, on the coordination executor
     */
    void onLead(Consumer<String> listener) {
        onLead = listener;
    }

    /** The jobs that this instance leads, as it last saw it. */
    List<String> jobsLedHere() {
        return participants.jobs().stream()
                .filter(job -> job.coordination().isLeader())
                .map(JobRuntime::name)
                .toList();
    }

    /**
     * Claims nothing more, and ends what has been claimed; this instance is still there until {@link #stop()}. On the
     * coordination executor.
     *
     * @return completes when nothing runs here
     */
    CompletionStage<Void> finish() {
        registryJobs.ifPresent(RegistryJobs::close);
        return Stages.all(participants.jobs().stream().map(JobRuntime::finish).toList());
    }

    /**
     * Takes no more when the first execution has ended: the others that have begun go on, and all items are given away. To
     * be called before {@link #start()}.
     *
     * @param isCurrent whether this run is not being stopped: an end that a stop has caused counts for nothing
     * @return completes when they have ended, or this run was being stopped before the first had
     */
    CompletionStage<Void> finishAfterFirst(BooleanSupplier isCurrent) {
        first.only();
        return first.over()
                .thenComposeAsync(
                        over -> isCurrent.getAsBoolean()
                                ? finishWhatHasBegun()
                                : CompletableFuture.completedFuture(null),
                        parts.coordination());
    }

    private CompletionStage<Void> finishWhatHasBegun() {
        firstHaveEnded = true;
        registryJobs.ifPresent(RegistryJobs::close);
        log.info(
                "This instance takes no more items, because the first one has ended here. What has begun goes on; other"
                        + " instances get its items");
        return Stages.all(
                participants.jobs().stream().map(JobRuntime::finishWhatHasBegun).toList());
    }

    // ------------------------------------------------------------------ stop

    /** Removes the job from this run at once, although its shutdown takes some time. */
    CompletionStage<Void> unregister(String name) {
        return leave(participants.job(name).orElseThrow(), "the job is being unregistered");
    }

    private CompletionStage<Void> leave(Participant former, String reason) {
        JobShutdown shutdown = new JobShutdown(List.of(former), parts, reason, Departure.FOR_GOOD);
        participants.leaves(former, shutdown);
        return onCoordination(() -> {
            registryJobs.ifPresent(jobs -> jobs.lookAt(former.name()));
            begin(shutdown);
            return shutdown.enough();
        });
    }

    CompletionStage<Void> stop() {
        JobShutdown shutdown =
                new JobShutdown(participants.all(), parts, "the engine is stopping", Departure.WITH_THE_PROCESS);
        participants.allLeave(shutdown);
        return onCoordination(() -> opened.handle((open, error) -> shutdown).thenCompose(this::stop));
    }

    private CompletionStage<Void> stop(JobShutdown shutdown) {
        registryJobs.ifPresent(RegistryJobs::close);
        List<JobShutdown> all = participants.shutdowns();
        begin(shutdown);
        CompletableFuture<Void> idle =
                Stages.all(all.stream().map(JobShutdown::idle).toList());
        Stages.all(Stream.concat(Stream.of(idle), all.stream().map(JobShutdown::left))
                        .toList())
                .whenComplete((done, error) -> {
                    connection.close();
                    lease.close();
                });
        return Stages.all(all.stream().map(JobShutdown::enough).toList()).thenRun(() -> end(idle));
    }

    /** Completes after {@link #stop()}, when the registry shows no trace of this run any more, or its session is over. */
    CompletionStage<Void> left() {
        return Stages.all(
                participants.shutdowns().stream().map(JobShutdown::left).toList());
    }

    private void begin(JobShutdown shutdown) {
        shutdown.begin();
        Stages.all(List.of(shutdown.idle(), shutdown.left())).whenComplete((done, error) -> {
            participants.haveLeft(shutdown);
            shutdown.participants().forEach(left -> locks.giveBack(left.name()));
        });
    }

    /**
     * An execution that ignores its interruption outlives the stop. The registry session is its lock, and has to live
     * until it has returned and its result is written, even if the registry is closed in the meantime.
     */
    private void end(CompletableFuture<Void> idle) {
        if (!participants.runsCode()) {
            ended.complete(null);
            return;
        }
        Subscription session = parts.registry().keepOpen();
        idle.whenComplete((returned, error) -> {
            session.close();
            ended.complete(null);
        });
    }

    /** Completes after {@link #stop()}, when no thread of an item is left; never, if one never returns. */
    CompletionStage<Void> ended() {
        return ended.copy();
    }

    private CompletionStage<Void> onCoordination(Supplier<CompletionStage<Void>> action) {
        return CompletableFuture.supplyAsync(action, parts.coordination()).thenCompose(Function.identity());
    }
}
