package dev.elasticjob.engine;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.FailureRule;
import dev.elasticjob.admin.command.OverlapCancellations;
import dev.elasticjob.coordination.CoordinationListener;
import dev.elasticjob.coordination.JobCoordination;
import dev.elasticjob.coordination.claim.DisabledItems;
import dev.elasticjob.coordination.claim.ItemClaims;
import dev.elasticjob.coordination.firing.HookClaim;
import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.coordination.leader.PlanTurns;
import dev.elasticjob.coordination.membership.KnownJob;
import dev.elasticjob.coordination.progress.ItemProgress;
import dev.elasticjob.coordination.progress.ProgressReports;
import dev.elasticjob.coordination.run.BackfillLeader;
import dev.elasticjob.coordination.run.DelayLeader;
import dev.elasticjob.coordination.run.FollowerLeader;
import dev.elasticjob.coordination.session.Announcements;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.view.LackingRoom;
import dev.elasticjob.coordination.view.LeaderTasks;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.coordination.watchdog.ExecutionProgress;
import dev.elasticjob.coordination.watchdog.OwnProgress;
import dev.elasticjob.coordination.watchdog.Watchdog;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.JobShutdown.Departure;
import dev.elasticjob.engine.JobShutdown.Participant;
import dev.elasticjob.execution.HookRunner;
import dev.elasticjob.execution.ItemRunner;
import dev.elasticjob.execution.RunScope;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.FailureLog;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job on this instance, and the map of how its parts are connected: coordination publishes the owned items, the
 * trigger fires, the claims pass items to the runner, and the runner returns the results to the claims.
 *
 * <p>Confined to the coordination executor, except {@link #state()}, {@link #ownership()}, {@link #hasPausedItself()}
 * and {@link #freeThreads()}.
 */
final class JobRuntime implements Participant, CoordinationListener, ItemRunner.Results {
    private static final Logger log = LoggerFactory.getLogger(JobRuntime.class);

    private final JobDefinition definition;
    private final EngineParts engine;
    private final FailureLog failures;
    private final LocalItemLocks held;
    private final JobLifecycle lifecycle;
    private final Watchdog watchdog;
    private final ProgressReports reports;
    private final JobCoordination coordination;
    private final ItemClaims claims;
    private final JobTrigger trigger;
    private final ItemRunner runner;
    private final HookRunner hooks;
    private final Heard heard;
    private final DisabledItems disabledItems;
    private final FairPool.Bulkhead threads;
    private final Announcements announcements;
    private final OwnProgress progress = new OwnProgress() {
        @Override
        public Optional<ExecutionProgress> of(int item) {
            return runner.progress(item);
        }

        @Override
        public String threads() {
            return threads.takenBy();
        }
    };

    private volatile @Nullable Ownership ownership;
    private volatile boolean pausedItself;

    /**
     * What an engine hears of a job.
     *
     * @param executionBegins receives the session of what was claimed before it starts
     * @param leads called when this instance begins to lead the job
     */
    record Heard(LongConsumer executionBegins, Runnable leads) {}

    /**
     * @param held the items of the job that this process holds; outlives this runtime, as does a thread that ignores
     *     its interruption
     * @param heard what the engine hears of the job
     */
    JobRuntime(
            JobScope scope,
            KnownJob job,
            EngineParts engine,
            PlanTurns turns,
            RunScope runs,
            LocalItemLocks held,
            Heard heard) {
        this.definition = job.definition();
        this.engine = engine;
        this.failures = new FailureLog(log, engine.timer());
        this.held = held;
        this.heard = heard;
        this.announcements = scope.announcements();
        this.lifecycle = new JobLifecycle(scope.jobName(), scope.events());
        this.watchdog = new Watchdog(scope);
        this.reports = new ProgressReports(scope);
        this.coordination = new JobCoordination(
                scope, job, engine.identity(), turns, engine.onForeignInstance(), this, leaderTasks(scope, watchdog));
        this.hooks = new HookRunner(runs, heard.executionBegins(), this::ended);
        var executions = new ItemClaims.Executions(this::run, this::cancelled, this::hasBegun);
        var rules = new ItemClaims.Rules(
                failureRule(scope)::look, new OverlapCancellations(scope.jobName(), scope.registry())::cancel);
        this.claims = new ItemClaims(scope, held, runs.bulkhead(), coordination::lookAgain, executions, hooks, rules);
        this.threads = runs.bulkhead();
        this.disabledItems = new DisabledItems(scope);
        this.runner = new ItemRunner(runs, disabledItems::isDisabled, this);
        runner.follow(definition);
        this.trigger = new JobTrigger(
                scope.registryTime(),
                engine.timer(),
                engine.coordination(),
                claims::fire,
                claims::compareClocks,
                coordination::compareClocks);
    }

    private static LeaderTasks leaderTasks(JobScope scope, Watchdog watchdog) {
        return new LeaderTasks(
                List.of(new FollowerLeader(scope), new BackfillLeader(scope), new DelayLeader(scope)), watchdog);
    }

    private static FailureRule failureRule(JobScope scope) {
        return new FailureRule(
                scope.jobName(), scope.registry(), new CommandLog(scope.events(), Actor.ofThisProcess()));
    }

    @Override
    public String name() {
        return definition.jobName();
    }

    JobState state() {
        return lifecycle.state();
    }

    JobCoordination coordination() {
        return coordination;
    }

    ItemRunner runner() {
        return runner;
    }

    /** Joins without logging it: the engine logs one line for all jobs that join together. */
    CompletionStage<Void> joiningQuietly(Supplier<CompletionStage<Void>> join) {
        announcements.beginSummary();
        return join.get().whenComplete((done, error) -> announcements.endSummary());
    }

    boolean hasClusterListeners() {
        return definition.clusterListener();
    }

    /** How many more executions of the job could start here at once. Thread-safe. */
    int freeThreads() {
        return threads.free();
    }

    /** The items that wait for this instance's capacity, with what keeps them from it. Thread-safe. */
    Map<Integer, LackingRoom> lackingRoom() {
        return held.capacity().waiting(definition.jobName());
    }

    /** How long the first of what waits here for a thread has waited. Thread-safe. */
    Duration longestWait() {
        return threads.longestWait();
    }

    /** What this instance owns; empty before it has joined. */
    Optional<Ownership> ownership() {
        return Optional.ofNullable(ownership);
    }

    /** Whether {@code pauseAfterFailures} is what pauses the job, as far as this instance knows. */
    boolean hasPausedItself() {
        return pausedItself && state() == JobState.PAUSED;
    }

    /** This instance's share of the items, for the log. */
    String share() {
        return "\"%s\" %d of %d"
                .formatted(
                        name(),
                        ownership().map(here -> here.items().size()).orElse(0),
                        ownership().map(here -> here.assignment().total()).orElse(0));
    }

    CompletionStage<Void> start() {
        if (lifecycle.state() == JobState.STOPPED) {
            return coordination.start();
        }
        Set<Integer> outlasting = held.items();
        if (!outlasting.isEmpty()) {
            log.warn(
                    "Job \"{}\": items {} are still executing from before the last stop, on threads that ignored"
                            + " their interruption. The items start on this instance again only after those threads"
                            + " have returned",
                    name(),
                    outlasting);
        }
        lifecycle.become(JobState.REGISTERING);
        return coordination.start();
    }

    // ------------------------------------------------------------------ changes of ownership

    @Override
    public void owns(Ownership ownership, JobState standing, boolean byItself) {
        if (lifecycle.state() == JobState.STOPPED) {
            return;
        }
        pausedItself = byItself;
        lifecycle.become(standing);
        this.ownership = ownership;
        runner.follow(ownership);
        trigger.follow(ownership.schedule(), ownership.assignment().former());
        claims.follow(ownership);
    }

    @Override
    public void asked() {
        claims.asked();
    }

    @Override
    public void touched() {
        claims.lookForCancelled();
    }

    private boolean hasBegun(int item) {
        return runner.progress(item).isPresent();
    }

    private void cancelled(ClaimedItem item, Cancellation cancellation) {
        runner.cancel(item, cancellation.text());
    }

    @Override
    public void suspended(boolean sessionLost) {
        if (lifecycle.state().successors().contains(JobState.SUSPENDED)) {
            lifecycle.become(JobState.SUSPENDED);
        }
        if (sessionLost && lifecycle.state() == JobState.SUSPENDED) {
            lifecycle.become(JobState.REGISTERING);
        }
        claims.suspend();
    }

    @Override
    public void ended(String reason) {
        TaskTimer.Cancellable deadline = engine.timer()
                .after(engine.shutdownTimeout(), () -> engine.coordination().execute(() -> interruptAll(reason)));
        endClaims().whenComplete((quiet, error) -> deadline.cancel());
        lifecycle.become(JobState.STOPPED);
    }

    // ------------------------------------------------------------------ firings

    @Override
    public void leads() {
        heard.leads().run();
    }

    @Override
    public void membersChanged() {
        claims.lookAgain();
    }

    private void ended(HookClaim claim, HookClaim.Result result) {
        claims.ended(claim, result);
    }

    private void run(List<ClaimedItem> items) {
        try {
            begin(items);
        } catch (Throwable e) {
            failures.error(
                    "Job \"%s\": items %s could not start and were given back; see the cause"
                            .formatted(
                                    name(),
                                    items.stream().map(ClaimedItem::item).toList()),
                    e);
            items.forEach(item -> ended(item, new ExecutionResult.Unclaimed()));
            return;
        }
        runner.run(items);
    }

    private void begin(List<ClaimedItem> items) {
        if (items.get(0).isMonitored()) {
            heard.executionBegins().accept(items.get(0).sessionId());
        }
        if (items.get(0).definition().streamingProcess()) {
            items.forEach(item -> disabledItems.begin(item.item()));
        }
        watchdog.claimed(items, progress);
    }

    @Override
    public void checkpoint(ClaimedItem item, String text) {
        claims.checkpoint(item, text);
    }

    @Override
    public void progress(ClaimedItem item, Supplier<ItemProgress> latest) {
        reports.reports(item, latest);
    }

    @Override
    public void ended(ClaimedItem item, ExecutionResult result) {
        try {
            watchdog.ended(item);
            reports.ended(item);
            disabledItems.end(item.item());
        } finally {
            claims.ended(item, result);
        }
    }

    /** Whether an item is running or claimed here. */
    boolean holdsItems() {
        return !claims.isIdle();
    }

    /** Whether a thread holds an item, also one from before the last stop that ignored its interruption. */
    boolean isHeldFromBefore() {
        return !held.items().isEmpty();
    }

    // ------------------------------------------------------------------ the end

    /** Claims nothing more, and goes on with what runs. Completes when that has ended. */
    CompletionStage<Void> finish() {
        return endClaims();
    }

    /**
     * Claims nothing more, goes on with the executions that have begun, retries included, and gives all items away. The
     * instance is still registered until it leaves; it doesn't join if it has not yet.
     *
     * @return completes when they have ended
     */
    CompletionStage<Void> finishWhatHasBegun() {
        trigger.disarm();
        runner.endWhatHasBegun();
        hooks.beginNothingMore();
        coordination.drain();
        return claimsEnd();
    }

    /**
     * Claims nothing more, and gives idle items away if an item still runs here, unless they are to wait for this process to
     * come back.
     *
     * @return completes when every execution has ended, its result is written and its listeners have returned
     */
    @Override
    public CompletionStage<Void> drain(Departure departure) {
        CompletionStage<Void> idle = endClaims();
        if (runsCode()) {
            log.info(
                    "Job \"{}\": draining: nothing new starts on this instance; items {} may continue for up to {}",
                    name(),
                    runner.items(),
                    DurationText.of(engine.shutdownTimeout()));
            switch (departure) {
                case WITH_THE_PROCESS -> coordination.drainBeforeEnd();
                case FOR_GOOD -> coordination.drain();
            }
        }
        return idle;
    }

    @Override
    public CompletionStage<Void> returned() {
        return Stages.all(List.of(runner.idle(), hooks.idle()));
    }

    @Override
    public void interruptAll(String reason) {
        runner.interruptAll(reason);
        hooks.interruptAll(reason);
    }

    void interruptWithoutLease() {
        runner.interruptWithoutLease();
        hooks.interruptWithoutLease();
    }

    void goOnWithoutLease() {
        runner.goOnWithoutLease();
        hooks.goOnWithoutLease();
    }

    /** Whether an item or a listener runs here. */
    boolean runsCode() {
        return !runner.isIdle() || !hooks.isIdle();
    }

    private CompletionStage<Void> endClaims() {
        trigger.disarm();
        runner.beginNothingMore();
        hooks.beginNothingMore();
        return claimsEnd();
    }

    private CompletionStage<Void> claimsEnd() {
        return Stages.all(List.of(claims.stop(), returned()));
    }

    @Override
    public CompletionStage<Void> leave(Departure departure) {
        reports.close();
        CompletionStage<Void> left = switch (departure) {
            case WITH_THE_PROCESS -> coordination.leave();
            case FOR_GOOD -> coordination.leaveForGood();
        };
        return left.thenRun(this::stopped);
    }

    private void stopped() {
        trigger.disarm();
        lifecycle.become(JobState.STOPPED);
    }
}
