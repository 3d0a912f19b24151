package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.failover.AbandonedExecutions;
import dev.elasticjob.coordination.failover.ItemChange.Drop;
import dev.elasticjob.coordination.failover.ItemChange.Orphan;
import dev.elasticjob.coordination.failover.LossReporter;
import dev.elasticjob.coordination.failover.OrphanRecorder;
import dev.elasticjob.coordination.leader.DisplayedOwners.Comparison;
import dev.elasticjob.coordination.membership.ForeignInstanceGuard;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.DeletionWaiter;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.MemberNames;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader of a job does in a round: it records interrupted executions, plans the assignment anew when it is out
 * of date, and removes items beyond the total. It waits for nothing: a running item stays locked where it runs.
 *
 * <p>Confined to the coordination executor.
 */
public final class JobLeader {
    private static final Logger log = LoggerFactory.getLogger(JobLeader.class);
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);
    private static final long NEVER = -1;

    private final JobScope scope;
    private final JobViewReader reader;
    private final ItemDivision division;
    private final ForeignInstanceGuard foreignGuard;
    private final RemovedServers servers;
    private final JobTransactions transactions;
    private final OrphanRecorder orphanRecorder;
    private final AbandonedExecutions drops;
    private final LossReporter losses;
    private final DeletionWaiter deletionWaiter;
    private final Reconciliation reconciliation;
    private final DisplayedOwners shownOwners;
    /** What was found under the leader's node of this {@code czxid}: as long as that stays, nobody else plans. */
    private Comparison shown = Comparison.EQUAL;

    private long comparedUnder = NEVER;
    private Optional<MemberNames> known = Optional.empty();
    private Optional<JobDefinition> knownDefinition = Optional.empty();

    public JobLeader(
            JobScope scope,
            JobViewReader reader,
            ItemDivision division,
            ForeignInstanceGuard foreignGuard,
            Runnable lookAgain) {
        this.scope = scope;
        this.foreignGuard = foreignGuard;
        this.servers = new RemovedServers(scope);
        this.reader = reader;
        this.division = division;
        this.transactions = new JobTransactions(scope.tree());
        this.orphanRecorder = new OrphanRecorder(scope);
        this.losses = new LossReporter(scope);
        this.drops = new AbandonedExecutions(scope, reader);
        this.deletionWaiter = new DeletionWaiter(scope, item -> lookAgain.run());
        this.shownOwners = new DisplayedOwners(scope);
        this.reconciliation = new Reconciliation(scope, drops, lookAgain);
    }

    /** The members as they were last looked at thoroughly. */
    public MemberNames known() {
        return known.orElse(MemberNames.NONE);
    }

    /** Forgets what it knew as leader. */
    public void resign() {
        known = Optional.empty();
        deletionWaiter.close();
        reconciliation.stop();
    }

    /**
     * Says which foreigners are there, while nothing can be planned.
     *
     * @return whether to look again at once
     */
    public CompletionStage<Boolean> lookForForeigners(JobView view) {
        return reader.members(view, Set.of())
                .thenApplyAsync(
                        read -> {
                            foreignGuard.judged(read.members());
                            return false;
                        },
                        scope.executor());
    }

    /**
     * One round of the leader.
     *
     * @return whether to look again at once
     */
    public CompletionStage<Boolean> round(RegistrySession session, JobView view, JobDefinition definition) {
        MemberNames seen = MemberNames.of(view);
        reconciliation.follow(definition);
        boolean thorough = !known.equals(Optional.of(seen))
                || !knownDefinition.equals(Optional.of(definition))
                || reconciliation.isDue()
                || (view.showsFailover() && !definition.failover())
                || view.assignment().isEmpty()
                || view.necessary().isPresent()
                || (!view.items().isEmpty() && view.items().last() >= definition.shardingTotalCount());
        return reader.members(view, thorough ? view.items() : Set.of())
                .thenComposeAsync(
                        read -> {
                            Optional<CompletionStage<Boolean>> restored = servers.restore(session, read.members());
                            if (restored.isPresent()) {
                                return restored.get();
                            }
                            PlanBasis basis = new PlanBasis(foreignGuard.judged(read.members()), definition);
                            if (!thorough) {
                                return outOfDateAfterAll(view, basis);
                            }
                            known = Optional.of(seen);
                            knownDefinition = Optional.of(definition);
                            return act(session, read, basis);
                        },
                        scope.executor())
                .whenCompleteAsync((more, error) -> forgetAfter(error), scope.executor());
    }

    /** What was cut short is looked at as thoroughly again. */
    private void forgetAfter(@Nullable Throwable error) {
        if (error != null) {
            known = Optional.empty();
        }
    }

    /** The members were the same by name; when something else differs, the next round looks at the items too. */
    private CompletionStage<Boolean> outOfDateAfterAll(JobView view, PlanBasis basis) {
        if (!ShardingPlanner.isOutOfDate(view.assignment(), basis)) {
            return NOTHING_MORE;
        }
        known = Optional.empty();
        return CompletableFuture.completedFuture(true);
    }

    private CompletionStage<Boolean> act(RegistrySession session, LeaderView view, PlanBasis basis) {
        JobDefinition definition = basis.definition();
        List<Orphan> orphans = view.items().values().stream()
                .filter(ItemView::isOrphan)
                .map(item -> new Orphan(item, scope.registryTime().now(), definition.failover()))
                .toList();
        if (!orphans.isEmpty()) {
            known = Optional.empty();
            return orphanRecorder.record(session, view.job().epoch(), orphans);
        }
        if (!knowsWhoPlanned(view.job())) {
            return compareShown(session, view, basis);
        }
        Optional<RegistryNode> bell = view.job().necessary();
        if (!shown.differing().isEmpty()
                || ShardingPlanner.isOutOfDate(view.job().assignment(), basis)
                || bell.isPresent()
                || reconciliation.misses(view)) {
            return reshard(session, view, basis);
        }
        return reconciliation
                .settings(session, view, definition)
                .thenComposeAsync(
                        changed ->
                                changed ? CompletableFuture.completedFuture(true) : compare(session, view, definition),
                        scope.executor());
    }

    /**
     * Whether the assignment in force is known to be the last one that anybody has made. Until then its leader claims
     * nothing by it: other software may have run what is due.
     */
    public boolean knowsWhoPlanned(JobView view) {
        return comparedUnder == leadership(view);
    }

    private static long leadership(JobView view) {
        return view.leaderNode().map(RegistryNode::czxid).orElse(NEVER);
    }

    private CompletionStage<Boolean> compareShown(RegistrySession session, LeaderView view, PlanBasis basis) {
        return shownOwners
                .compare(view)
                .thenComposeAsync(
                        found -> {
                            if (found.isEmpty()) {
                                known = Optional.empty();
                                return CompletableFuture.completedFuture(true);
                            }
                            shown = found.get();
                            comparedUnder = leadership(view.job());
                            return act(session, view, basis).thenApply(more -> true);
                        },
                        scope.executor());
    }

    private CompletionStage<Boolean> compare(RegistrySession session, LeaderView view, JobDefinition definition) {
        if (!reconciliation.isDue()) {
            return retire(session, view, definition);
        }
        return reconciliation
                .everything(session, view)
                .thenComposeAsync(repairs -> retire(session, view, definition), scope.executor());
    }

    // ------------------------------------------------------------------ resharding

    private CompletionStage<Boolean> reshard(RegistrySession session, LeaderView view, PlanBasis basis) {
        Map<Integer, String> current =
                view.job().assignment().map(Assignment::owners).orElse(new TreeMap<>());
        return division.divide(basis.definition(), basis.members().eligible(), current)
                .thenComposeAsync(owners -> reshard(session, view, basis, owners), scope.executor());
    }

    private CompletionStage<Boolean> reshard(
            RegistrySession session, LeaderView view, PlanBasis basis, NavigableMap<Integer, String> owners) {
        Resharding plan = ShardingPlanner.plan(
                view, basis, owners, shown, scope.registryTime().now());
        int epoch = view.job().epoch();
        Optional<RegistryNode> bell = view.job().necessary();
        Optional<Assignment> before = view.job().assignment();
        if (bell.isPresent() && plan.changesNothing(before)) {
            RegistryNode flags = view.job().flags().orElseThrow();
            // Refused, it was rung once more, by a write that no watch tells of.
            return commitAll(session, List.of(transactions.answerBell(epoch, flags, bell.get())))
                    .thenApply(done -> true);
        }
        return commitAll(
                        session,
                        transactions.reshard(epoch, plan, bell, view.job().processing()))
                .thenApplyAsync(
                        done -> {
                            if (shown.byOthers() && done) {
                                shownOwners.tell(shown);
                            }
                            shown = Comparison.EQUAL;
                            comparedUnder = done ? comparedUnder : NEVER;
                            if (done) {
                                announce(epoch + 1, plan, before, basis);
                            }
                            return true;
                        },
                        scope.executor());
    }

    private void announce(int epoch, Resharding plan, Optional<Assignment> before, PlanBasis basis) {
        if (plan.next().total() > 0) {
            scope.announcements()
                    .tell(
                            log,
                            "Job \"{}\": resharded at epoch {}: {} items on {} instances, {} moved",
                            scope.jobName(),
                            epoch,
                            plan.next().total(),
                            basis.members().eligible().size(),
                            plan.moves(before));
            return;
        }
        log.info(
                "Job \"{}\": resharded at epoch {}: no item has an owner, because {}. The items wait until an"
                        + " instance may run them",
                scope.jobName(),
                epoch,
                plan.next().pausedFrom() == null
                        ? "the last instance is leaving"
                        : "operators have disabled all servers");
    }

    private CompletionStage<Boolean> commitAll(RegistrySession session, List<RegistryCommit> steps) {
        CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
        for (RegistryCommit step : steps) {
            all = all.thenComposeAsync(
                    soFar -> soFar
                            ? scope.connection()
                                    .commit(session, step)
                                    .thenApply(outcome -> outcome instanceof CommitOutcome.Committed)
                            : NOTHING_MORE,
                    scope.executor());
        }
        return all;
    }

    // ------------------------------------------------------------------ items beyond the total

    private CompletionStage<Boolean> retire(RegistrySession session, LeaderView view, JobDefinition definition) {
        Collection<ItemView> beyond =
                view.itemsBeyond(definition.shardingTotalCount()).values();
        List<Drop> lost = new ArrayList<>();
        List<ItemView> idle = new ArrayList<>();
        for (ItemView item : beyond) {
            if (item.children().running()) {
                deletionWaiter.ofLock(item.item());
            } else if (item.current().state() == ItemState.INTERRUPTED) {
                lost.add(Drop.by(view.job().instance(), item, "the item is beyond the job's total of items"));
            } else if (item.isReadable()) {
                idle.add(item);
            }
        }
        if (!lost.isEmpty()) {
            return drops.commit(session, view.job(), lost).thenApply(done -> true);
        }
        return idle.isEmpty() ? NOTHING_MORE : remove(session, view, idle);
    }

    private CompletionStage<Boolean> remove(RegistrySession session, LeaderView view, List<ItemView> items) {
        List<ItemView> chunk = items.subList(0, Math.min(items.size(), JobViewReader.ITEMS_PER_READ));
        List<RegistryRead> reads = new ArrayList<>();
        chunk.forEach(item ->
                scope.tree().below(item.item(), item.children()).forEach(path -> reads.add(RegistryRead.data(path))));
        return scope.registry()
                .read(reads)
                .thenComposeAsync(answer -> remove(session, view, chunk, reads, answer), scope.executor());
    }

    private CompletionStage<Boolean> remove(
            RegistrySession session,
            LeaderView view,
            List<ItemView> items,
            List<RegistryRead> reads,
            RegistryAnswer answer) {
        NavigableMap<String, RegistryNode> children = new TreeMap<>();
        reads.forEach(read -> answer.node(read.path()).ifPresent(node -> children.put(read.path(), node)));
        Assignment next = view.job().assignment().orElseThrow();
        Instant registryNow = scope.registryTime().now();
        for (ItemView item : items) {
            Instant seen = item.current().scheduledAt();
            next = seen != null && Assignment.mayBeClaimed(seen, registryNow) ? next.withFloor(seen) : next;
        }
        Batch<ItemView> retired = transactions.retire(view.job().epoch(), next, items, children);
        return scope.connection().commit(session, retired.commit()).thenApply(outcome -> {
            if (outcome instanceof CommitOutcome.Committed) {
                log.info(
                        "Job \"{}\": removed {} items beyond the job's total of items",
                        scope.jobName(),
                        retired.parts().size());
                retired.parts()
                        .forEach(item -> Optional.ofNullable(
                                        children.get(scope.tree().trigger(item.item())))
                                .ifPresent(waiting -> losses.tellDropped(
                                        item.item(),
                                        NodeCodec.readRuns(waiting).runIds(),
                                        "the item is beyond the job's total of items")));
            }
            return true;
        });
    }
}
