package dev.elasticjob.simulation;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Knows what was promised for one job, and sees everything: each start and return of user code, each transaction, each event. It
 * remembers the first promise that is broken.
 */
final class Oracle {
    /** At the most, where a thread is free. */
    private static final Duration FROM_CLAIM_TO_BEGINNING = Duration.ofSeconds(1);

    private final Clock clock;
    private final Quorum quorum;
    private final Trace trace;
    private final JobTree tree;
    private final RecordChain records;
    private final CheckpointChain checkpoints;
    private final RunChain runs;
    private final FiringChain firings;
    private final HookChain hooks;
    private final CancelChain cancels;
    private final OverlapChain overlaps;
    private final BackfillChain backfills;
    private final DelayChain delays;
    private final WatchChain watch;
    private final PlacementChain placement;
    private final CapacityChain capacity;
    private final LossReporter losses;
    private final Holds holds;
    private final Waits waits;
    private final List<Execution> active = new ArrayList<>();
    private final List<Execution> begun = new ArrayList<>();
    private final Set<String> starts = new HashSet<>();
    private final Set<String> returns = new HashSet<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Map<Integer, Long> tokens = new HashMap<>();
    private final Set<Long> endedEarly = new HashSet<>();
    private final Map<SimulatedProcess, Long> endedEarlyAt = new HashMap<>();
    private Optional<String> violation = Optional.empty();

    Oracle(JobTree tree, Clock clock, Quorum quorum, Trace trace) {
        this.tree = tree;
        this.clock = clock;
        this.quorum = quorum;
        this.trace = trace;
        this.losses = new LossReporter(this, quorum, clock);
        this.waits = new Waits(quorum, tree);
        this.records = new RecordChain(this, quorum, clock, losses);
        quorum.addWitness(records);
        quorum.addWitness(losses);
        this.checkpoints = new CheckpointChain(this, quorum);
        quorum.addWitness(checkpoints);
        this.runs = new RunChain(this, quorum);
        quorum.addWitness(runs);
        this.hooks = new HookChain(this, quorum, clock);
        this.firings = new FiringChain(this, quorum, clock);
        quorum.addWitness(firings);
        this.cancels = new CancelChain(this, quorum);
        quorum.addWitness(cancels);
        this.backfills = new BackfillChain(this, quorum, clock);
        quorum.addWitness(backfills);
        this.delays = new DelayChain(this, quorum, clock);
        quorum.addWitness(delays);
        this.watch = new WatchChain(this, quorum, clock);
        quorum.addWitness(watch);
        quorum.addWitness(new FailureChain(this, quorum));
        this.overlaps = new OverlapChain(this, quorum, clock);
        quorum.addWitness(overlaps);
        quorum.addWitness(new CatchUpChain(this, quorum, clock));
        quorum.addWitness(new Trespasses(this, quorum));
        this.placement = new PlacementChain(this, quorum);
        quorum.addWitness(placement);
        this.capacity = new CapacityChain(this, quorum, clock);
        if (tree.jobName().equals(Scenario.JOB)) {
            quorum.addWitness(capacity);
        }
        this.holds = new Holds(this, quorum, clock);
        quorum.addWitness(holds);
        quorum.addWitness(new OwedFirings(this, records, quorum, clock));
        BellHearing bell = new BellHearing(this);
        quorum.addWitness(bell);
        quorum.addReader(bell);
    }

    Optional<String> violation() {
        return violation;
    }

    void violated(String promise) {
        String named = tree.jobName().equals(Scenario.JOB) ? promise : tree.jobName() + ": " + promise;
        trace.note("ORACLE", () -> named);
        if (violation.isEmpty()) {
            violation = Optional.of(named);
        }
    }

    JobTree tree() {
        return tree;
    }

    Trace trace() {
        return trace;
    }

    RunChain runs() {
        return runs;
    }

    FiringChain firings() {
        return firings;
    }

    HookChain hooks() {
        return hooks;
    }

    CancelChain cancels() {
        return cancels;
    }

    Holds holds() {
        return holds;
    }

    BackfillChain backfills() {
        return backfills;
    }

    DelayChain delays() {
        return delays;
    }

    WatchChain watch() {
        return watch;
    }

    PlacementChain placement() {
        return placement;
    }

    LossReporter losses() {
        return losses;
    }

    CheckpointChain checkpoints() {
        return checkpoints;
    }

    // ------------------------------------------------------------------ executions

    /** Of all jobs, if this is the first one's. */
    CapacityChain capacity() {
        return capacity;
    }

    Execution begins(SimulatedProcess process, ShardingContext context, boolean stubborn) {
        int item = context.getShardingItem();
        Optional<RegistryNode> lock = quorum.tree().node(tree.running(item));
        Execution execution = new Execution(
                process,
                item,
                context.getTaskId().split("@-@")[2],
                context.getScheduledTime(),
                context.getAttempt(),
                context.getFencingToken(),
                // Without a token it has no lock: the one that is there may be of an execution from before the job was
                // switched.
                lock.filter(any -> context.getFencingToken() != 0)
                        .map(RegistryNode::ephemeralOwner)
                        .orElseGet(() -> process.connection().sessionId()),
                clock.instant(),
                stubborn);
        trace.note(process.name(), () -> "BEGINS " + execution + (stubborn ? ", stubborn" : ""));
        begun.add(execution);
        firings.begins(execution);
        cancels.begins(execution);
        runs.begins(execution, context);
        if (execution.token() != 0) {
            judge(execution, lock);
            checkpoints.begins(execution, context.getLastCheckpoint());
        } else if (process.knowsThatItIsCutOff(FROM_CLAIM_TO_BEGINNING)) {
            violated("nothing new without the registry: cut off from it begins " + execution);
        }
        active.add(execution);
        return execution;
    }

    private void judge(Execution execution, Optional<RegistryNode> lock) {
        for (Execution other : active) {
            if (other.item() == execution.item() && other.token() != 0) {
                judgeOverlap(execution, other);
            }
        }
        if (mustHaveLock(execution.process(), execution.token())
                && lock.filter(node -> node.czxid() == execution.token()).isEmpty()) {
            violated("P1, one at a time: without its lock begins " + execution);
        }
        for (String cause : execution.cause().split(",")) {
            Integer last = attempts.put(execution.item() + " for " + cause, execution.attempt());
            if (last != null && last >= execution.attempt()) {
                violated("P2, once per firing: after attempt " + last + " begins " + execution);
            }
        }
        Long token = tokens.put(execution.item(), execution.token());
        if (token != null && token >= execution.token()) {
            violated("P5, fencing: after token " + token + " begins " + execution);
        }
        starts.add(key(execution.item(), execution.cause(), execution.attempt()));
    }

    /** Whether what begins with this token has its lock for all that its process can know. */
    boolean mustHaveLock(SimulatedProcess process, long token) {
        return endedEarlyAt.getOrDefault(process, 0L) < token;
    }

    private void judgeOverlap(Execution execution, Execution other) {
        if (!isExcused(other) || other.process() == execution.process()) {
            violated("P1, one at a time: while there runs " + other + " begins " + execution);
        }
    }

    /** Whether its session has ended, and nothing could end it in time. */
    boolean isExcused(Execution execution) {
        return isExcused(execution.process(), execution.session(), execution.began(), execution.stubborn());
    }

    boolean isExcused(SimulatedProcess process, long session, Instant began, boolean stubborn) {
        return !quorum.lives(session) && (stubborn || process.pausedSince(began) || endedEarly.contains(session));
    }

    void returns(Execution execution) {
        trace.note(execution.process().name(), () -> "RETURNS from " + execution);
        active.remove(execution);
        returns.add(key(execution.item(), execution.cause(), execution.attempt()));
        waits.ended(execution, clock.instant());
        overlaps.ended(execution, clock.instant());
    }

    /** The servers end a session that they have heard of lately: no lease can hold against that. */
    void endsEarly(SimulatedProcess process) {
        endedEarly.add(process.connection().sessionId());
        endedEarlyAt.put(process, (long) quorum.logged());
    }

    /** What ran there runs no more. */
    void died(SimulatedProcess process) {
        active.removeIf(execution -> execution.process() == process);
        hooks.died(process);
        watch.died();
    }

    void told(SimulatedProcess process, JobEvent event) {
        trace.note(process.name(), () -> event);
        losses.told(process, event);
        watch.told(process, event);
    }

    boolean hasBegun(int item, Recorded execution) {
        return starts.contains(key(item, execution.cause(), execution.attempt()));
    }

    boolean hasReturned(int item, Recorded execution) {
        return returns.contains(key(item, execution.cause(), execution.attempt()));
    }

    /** From now on an item that is due when it ends has to begin again so soon. */
    void waitsBecomeCounted(Duration patience) {
        waits.count(patience);
        overlaps.count(patience);
    }

    void waitsAreOver() {
        waits.judge(begun).or(overlaps::judge).ifPresent(this::violated);
    }

    List<Execution> begun() {
        return begun;
    }

    List<Execution> active() {
        return active;
    }

    private static String key(int item, String cause, int attempt) {
        return item + "|" + cause + "|" + attempt;
    }
}
