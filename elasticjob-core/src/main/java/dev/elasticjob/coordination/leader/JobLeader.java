package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.item.AbandonedExecutions;
import dev.elasticjob.coordination.item.ItemChange.Orphan;
import dev.elasticjob.coordination.item.OrphanRecorder;
import dev.elasticjob.coordination.membership.ForeignInstanceGuard;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.coordination.view.LeaderTasks;
import dev.elasticjob.coordination.view.MemberNames;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingStrategy.Measured;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rounds of a job's leader. A round reads the members, and the items if something has changed. It records
 * interrupted executions, plans a new assignment if the one in force is out of date, and repairs deviations. It waits
 * for nothing: a running item stays locked where it runs.
 *
 * <p>Confined to the coordination executor.
 */
public final class JobLeader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobLeader.class);

    private static final CommitOutcome NOTHING_WRITTEN =
            new CommitOutcome.Committed(OptionalLong.empty(), Optional.empty());

    private final JobScope scope;
    private final JobViewReader reader;
    private final PlanTurns turns;
    private final ForeignInstanceGuard foreignGuard;
    private final RemovedServers servers;
    private final JobTransactions transactions;
    private final OrphanRecorder orphanRecorder;
    private final Reconciliation reconciliation;
    private final TimesAhead timesAhead;
    private final Measurements measurements;
    private final AwaitedInstances awaited;
    private final ItemRetirement retirement;
    private final DisplayedOwners displayedOwners;
    private final Runnable membersChanged;
    private final LeaderTasks tasks;
    /** The input of the last round that read the items; empty if the next round has to read them again. */
    private Optional<Beginning> last = Optional.empty();

    /**
     * @param lookAgain called when another round is due
     * @param membersChanged called in each round that reads the items
     * @param tasks what else this instance does while it leads
     */
    public JobLeader(
            JobScope scope,
            JobViewReader reader,
            PlanTurns turns,
            ForeignInstanceGuard foreignGuard,
            Runnable lookAgain,
            Runnable membersChanged,
            LeaderTasks tasks) {
        AbandonedExecutions abandoned = new AbandonedExecutions(scope, reader);
        this.scope = scope;
        this.membersChanged = membersChanged;
        this.tasks = tasks;
        this.foreignGuard = foreignGuard;
        this.servers = new RemovedServers(scope);
        this.reader = reader;
        this.turns = turns;
        this.transactions = new JobTransactions(scope.tree());
        this.orphanRecorder = new OrphanRecorder(scope);
        this.displayedOwners = new DisplayedOwners(scope);
        this.reconciliation = new Reconciliation(scope, abandoned, lookAgain);
        this.timesAhead = new TimesAhead(scope, reconciliation, lookAgain);
        this.measurements = new Measurements(scope, lookAgain);
        this.awaited = new AwaitedInstances(scope, lookAgain);
        this.retirement = new ItemRetirement(scope, abandoned, lookAgain);
    }

    private record Beginning(MemberNames members, JobDefinition definition) {}

    /** The members at the last round that read the items. */
    public MemberNames known() {
        return last.map(Beginning::members).orElse(MemberNames.NONE);
    }

    public void resign() {
        stop();
        tasks.resign();
    }

    @Override
    public void close() {
        stop();
        tasks.close();
    }

    private void stop() {
        last = Optional.empty();
        awaited.stop();
        turns.withdraw(scope.jobName());
        retirement.stop();
        reconciliation.stop();
        timesAhead.stop();
        measurements.stop();
    }

    /** The registry's clock was ahead until now: what was written meanwhile may be too. */
    public void clockWasAhead() {
        reconciliation.compareNow();
    }

    /**
     * Whether it is certain that no other software has planned since the assignment in force. Until then, the leader
     * claims nothing, because other software may have run the firings that are due.
     */
    public boolean knowsWhoPlanned(JobView view) {
        return displayedOwners.areComparedUnder(view);
    }

    /** Whether the records of the job say how long its items take, since its strategy asks for it. */
    public boolean measures(JobDefinition definition) {
        return turns.needsDurations(definition);
    }

    // ------------------------------------------------------------------ reading

    /** Reports instances of other software while nothing can be planned. */
    public CompletionStage<Next> lookForForeigners(JobView view) {
        return reader.members(view, Set.of()).thenApply(read -> {
            foreignGuard.judged(read.members());
            return Next.WAIT;
        });
    }

    public CompletionStage<Next> round(LeaderDuty duty) {
        awaited.begin();
        if (duty.view().assignment().isPresent()) {
            tasks.beginWithPlan(duty);
        }
        return round(duty.session(), duty.view(), duty.definition()).thenApply(next -> {
            if (next == Next.WAIT) {
                // The plan follows from what was read, so what is due under it is owed: no pause waits to be applied.
                tasks.beginUnderPlan(duty);
            }
            return next;
        });
    }

    private CompletionStage<Next> round(RegistrySession session, JobView view, JobDefinition definition) {
        reconciliation.follow(definition);
        measurements.follow(measures(definition));
        Optional<CompletionStage<Next>> asked = timesAhead.askIfDoubtful(session);
        if (asked.isPresent()) {
            return asked.get();
        }
        Beginning now = new Beginning(MemberNames.of(view), definition);
        boolean readsItems = readsItems(view, now);
        return reader.members(view, readsItems ? view.items() : Set.of())
                .thenCompose(read -> isTorn(read)
                        ? readItemsNext()
                        : servers.restore(session, read.members())
                                .orElseGet(() -> judge(session, read, now, readsItems)))
                .whenComplete((next, error) -> last = error == null ? last : Optional.empty());
    }

    private boolean readsItems(JobView view, Beginning now) {
        // A plan whose answer was lost is refused when it is sent again: then the displays are compared once more.
        return !last.equals(Optional.of(now))
                || !knowsWhoPlanned(view)
                || reconciliation.isDue()
                || measurements.isDue()
                || timesAhead.concerns(view)
                || asksForItems(view, now.definition());
    }

    private CompletionStage<Next> judge(RegistrySession session, LeaderView read, Beginning now, boolean readsItems) {
        Members members =
                foreignGuard.judged(read.members()).chosenBy(now.definition().instances());
        PlanBasis basis = PlanBasis.of(
                read.job(), members, now.definition(), scope.registryTime().now());
        awaited.follow(basis.candidates());
        measurements.waitsForSomebody(!basis.candidates().awaited().isEmpty());
        if (readsItems) {
            last = Optional.of(now);
            membersChanged.run();
        }
        CompletionStage<Next> step = readsItems ? act(session, read, basis) : planIfOutOfDate(read.job(), basis);
        return step.thenApply(next -> {
            if (next == Next.WAIT) {
                awaited.forget(session, basis.candidates().over());
            }
            return next;
        });
    }

    private static boolean asksForItems(JobView view, JobDefinition definition) {
        return (view.showsFailover() && !definition.failover())
                || view.assignment().isEmpty()
                || view.necessary().isPresent()
                || (!view.items().isEmpty() && view.items().last() >= definition.shardingTotalCount());
    }

    private CompletionStage<Next> planIfOutOfDate(JobView view, PlanBasis basis) {
        return ShardingPlanner.isOutOfDate(view.assignment(), basis) ? readItemsNext() : Next.WAIT.stage();
    }

    /** An instance was listed, and has gone before its node was read: it may have left a mark that wasn't listed yet. */
    private static boolean isTorn(LeaderView read) {
        return read.members().all().size() < read.job().instances().size();
    }

    private CompletionStage<Next> readItemsNext() {
        last = Optional.empty();
        return Next.AGAIN.stage();
    }

    // ------------------------------------------------------------------ acting

    private CompletionStage<Next> act(RegistrySession session, LeaderView view, PlanBasis basis) {
        Instant registryNow = scope.registryTime().now();
        List<Orphan> orphans = view.items().values().stream()
                .filter(ItemView::isOrphan)
                .map(item -> new Orphan(item, registryNow, basis.definition().failover()))
                .toList();
        if (!orphans.isEmpty()) {
            return orphanRecorder.record(session, view.job().epoch(), orphans).thenCompose(recorded -> readItemsNext());
        }
        if (!knowsWhoPlanned(view.job())) {
            return displayedOwners
                    .compare(view)
                    .thenCompose(compared -> compared ? act(session, view, basis) : readItemsNext())
                    .thenApply(next -> Next.AGAIN);
        }
        Optional<CompletionStage<Next>> corrected = timesAhead.correct(session, view);
        if (corrected.isPresent()) {
            return corrected.get().thenCompose(done -> readItemsNext());
        }
        boolean needsPlan = needsPlan(view, basis);
        if (needsPlan || measurements.isDue()) {
            int total = basis.definition().shardingTotalCount();
            return reshard(session, view, basis, Measurements.of(view.items().values(), total, !needsPlan));
        }
        return repair(session, view, basis.definition());
    }

    private boolean needsPlan(LeaderView view, PlanBasis basis) {
        return displayedOwners.differ()
                || ShardingPlanner.isOutOfDate(view.job().assignment(), basis)
                || view.job().necessary().isPresent()
                || reconciliation.misses(view);
    }

    private CompletionStage<Next> repair(RegistrySession session, LeaderView view, JobDefinition definition) {
        return reconciliation
                .repair(session, view, definition)
                .thenCompose(next -> next == Next.AGAIN
                        ? next.stage()
                        : retirement.retire(session, view, definition.shardingTotalCount()))
                .thenApply(next -> {
                    if (next == Next.AGAIN) {
                        // What was abandoned or removed has ended its firings.
                        membersChanged.run();
                    }
                    return next;
                });
    }

    private CompletionStage<Next> reshard(
            RegistrySession session, LeaderView view, PlanBasis basis, Measured measured) {
        long decided = scope.connection().nanoTime();
        Instant seen = scope.registryTime().now();
        return turns.plan(view.job(), basis.definition(), basis.candidates(), measured, (owners, guard) -> {
                    Instant registryNow = scope.registryTime().now();
                    var plan = ShardingPlanner.plan(view, basis, owners, displayedOwners.found(), seen, registryNow);
                    if (measured.moves() > 0) {
                        measurements.balanced();
                        if (leavesAlone(plan, view.job(), measured)) {
                            return CompletableFuture.completedFuture(NOTHING_WRITTEN);
                        }
                    }
                    return commit(session, view.job(), basis, plan, new Sending(guard, decided));
                })
                .thenApply(committed -> Next.AGAIN);
    }

    /**
     * Whether a plan that was made for the sake of balance alone is not worth a transaction, or is none: the job's own strategy
     * has failed, or keeps to no limit.
     */
    private boolean leavesAlone(Resharding plan, JobView view, Measured measured) {
        int moves = plan.moves(view.assignment());
        if (moves > measured.moves()) {
            log.warn(
                    "Job \"{}\": to balance its items, its sharding strategy would move {} of them, but no more than {} may"
                            + " move at a time, so all stay where they are",
                    scope.jobName(),
                    moves,
                    measured.moves());
        }
        return moves == 0 || moves > measured.moves();
    }

    /**
     * How a plan is put in force.
     *
     * @param guard what belongs to its transaction
     * @param decided the time of the decision, on the timer's clock
     */
    private record Sending(Supplier<RegistryCommit> guard, long decided) {}

    private CompletionStage<CommitOutcome> commit(
            RegistrySession session, JobView view, PlanBasis basis, Resharding plan, Sending sending) {
        int epoch = view.epoch();
        Optional<RegistryNode> request = view.necessary();
        Optional<Assignment> before = view.assignment();
        if (request.isPresent() && plan.changesNothing(before)) {
            // A refusal means that there was another request, by a write that no watch reports.
            RegistryCommit answer =
                    transactions.answerRequest(epoch, view.flags().orElseThrow(), request.get());
            return scope.connection().commit(session, answer);
        }
        return Stages.upToRefused(
                        transactions.reshard(
                                epoch,
                                plan,
                                request,
                                view.processing(),
                                sending.guard().get()),
                        step -> scope.connection().commit(session, step))
                .thenApply(outcome -> {
                    displayedOwners.resharded(outcome.isCommitted());
                    if (outcome.isCommitted()) {
                        Duration took = Duration.ofNanos(scope.connection().nanoTime() - sending.decided());
                        report(epoch + 1, plan, before, basis, took);
                    }
                    return outcome;
                });
    }

    private void report(int epoch, Resharding plan, Optional<Assignment> before, PlanBasis basis, Duration took) {
        int moved = plan.moves(before);
        scope.events()
                .accept(new JobEvent.Resharded(
                        scope.jobName(), epoch, plan.next().owners().size(), moved, took));
        if (plan.next().total() > 0) {
            scope.announcements()
                    .log(
                            log,
                            "Job \"{}\": resharded at epoch {}: {} items on {} instances, {} moved{}",
                            scope.jobName(),
                            epoch,
                            plan.next().total(),
                            basis.members().eligible().size(),
                            moved,
                            waiting(plan, basis));
            return;
        }
        log.info(
                "Job \"{}\": resharded at epoch {}: no item has an owner, because {}. The items wait until an"
                        + " instance may run them",
                scope.jobName(),
                epoch,
                reason(plan, basis));
    }

    private static String waiting(Resharding plan, PlanBasis basis) {
        Set<String> awaited = basis.candidates().awaited().keySet();
        long items =
                plan.next().owners().values().stream().filter(awaited::contains).count();
        return items == 0 ? "" : ", %d wait for the successors of %s".formatted(items, awaited);
    }

    private static String reason(Resharding plan, PlanBasis basis) {
        if (basis.isPaused()) {
            return "it is paused";
        }
        if (plan.next().pausedFrom() != null) {
            return "operators have disabled all servers";
        }
        return basis.members().isAnyChosen()
                ? "each instance is leaving, was drained, or is on a server that operators have disabled"
                : "no instance has labels that match \"%s\", its runOn"
                        .formatted(basis.definition().runOn());
    }
}
