package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.claim.RefusedClaims.Refused;
import dev.elasticjob.coordination.firing.FiringTransactions;
import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.ItemTransactions;
import dev.elasticjob.coordination.item.LossReporter;
import dev.elasticjob.coordination.item.Room;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Fencing;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Commits the changes that were planned for items. Committed claims start, committed losses are reported. Refused
 * changes are read again, because they may have been committed before their answer was lost.
 *
 * <p>Confined to the coordination executor.
 */
final class ClaimCommits {
    private final JobScope scope;
    private final JobViewReader reader;
    private final ItemTransactions transactions;
    private final FiringTransactions firingSteps;
    private final LossReporter losses;
    private final StaleFailoverNodes staleNodes;
    private final Consumer<List<ClaimedItem>> begun;
    private final Runnable cancelledMeanwhile;
    private final RefusedClaims undecided = new RefusedClaims();

    /**
     * @param begun receives the claimed items, and owes an end for each of them
     * @param cancelledMeanwhile called when one of them was cancelled before this instance knew that it is claimed
     */
    ClaimCommits(JobScope scope, JobViewReader reader, Consumer<List<ClaimedItem>> begun, Runnable cancelledMeanwhile) {
        this.scope = scope;
        this.reader = reader;
        this.transactions = new ItemTransactions(scope.tree());
        this.firingSteps = new FiringTransactions(scope.tree());
        this.losses = new LossReporter(scope);
        this.staleNodes = new StaleFailoverNodes(scope);
        this.begun = begun;
        this.cancelledMeanwhile = cancelledMeanwhile;
    }

    /**
     * The rest of a refused transaction, to be planned again.
     *
     * @param items the items whose changes were not committed
     * @param view these items, as they were read after the refusal
     * @param outOfDate whether the reason is that this instance has an old assignment or configuration
     */
    record Left(Set<Integer> items, ItemsView view, boolean outOfDate) {}

    /**
     * Commits changes, in as few transactions as their size allows. Returns the rest of the refused transactions.
     *
     * @param firings the open ones from which they were planned. If a change opens one, what doesn't fit into the same
     *     transaction, or opens a later one, is left to be planned anew
     */
    CompletionStage<List<Left>> send(Ownership own, FiringsView firings, List<Commit> commits) {
        Optional<Instant> opens =
                commits.stream().flatMap(commit -> commit.opens().stream()).min(Comparator.naturalOrder());
        Predicate<Commit> together =
                commit -> commit.opens().isEmpty() || commit.opens().equals(opens);
        List<Batch<Commit>> batches = transactions.claim(
                own,
                guard(own, firings, opens),
                commits.stream().filter(together).toList(),
                Commit::change);
        List<Batch<Commit>> now = opens.isPresent() ? batches.subList(0, Math.min(1, batches.size())) : batches;
        Set<Integer> later = commits.stream()
                .filter(together.negate())
                .map(Commit::item)
                .collect(Collectors.toCollection(TreeSet::new));
        batches.subList(now.size(), batches.size())
                .forEach(batch -> batch.parts().forEach(part -> later.add(part.item())));
        return Stages.inOrder(now, batch -> send(own, batch))
                .whenComplete((sent, error) -> giveBack(commits))
                .thenCompose(refused -> {
                    List<Left> left = new ArrayList<>(
                            refused.stream().flatMap(Optional::stream).toList());
                    return later.isEmpty() ? CompletableFuture.completedFuture(left) : readAgain(own, later, left);
                });
    }

    /** What was committed has moved its room on. What is undecided keeps it. */
    private void giveBack(List<Commit> commits) {
        for (Commit commit : commits) {
            if (commit.room() != Room.NONE && !undecided.contains(commit)) {
                commit.room().close();
            }
        }
    }

    private CompletionStage<List<Left>> readAgain(Ownership own, Set<Integer> items, List<Left> left) {
        return reader.items(items, own.assignment()).thenApply(view -> {
            left.add(new Left(items, view, false));
            return left;
        });
    }

    private RegistryCommit guard(Ownership own, FiringsView firings, Optional<Instant> opens) {
        RegistryCommit.Builder guard = RegistryCommit.builder().addAll(scope.startGuard(own.instance()));
        return own.assignment().knowsFirings()
                ? guard.addAll(firingsGuard(own, firings, opens)).build()
                : guard.build();
    }

    private RegistryCommit firingsGuard(Ownership own, FiringsView firings, Optional<Instant> opens) {
        return opens.map(firing -> firingSteps.change(
                        firings,
                        firings.value()
                                .with(OpenFiring.scheduled(
                                        firing,
                                        own.assignment().owners().navigableKeySet(),
                                        OpenFiring.Phase.ITEMS,
                                        OpenFiring.Hook.NONE,
                                        scope.registryTime().now()))))
                .orElseGet(() -> firings.check(scope.tree()));
    }

    /** The base of its tokens is the one that the transaction checks. */
    private CompletionStage<Optional<Left>> send(Ownership own, Batch<Commit> batch) {
        Fencing fencing = scope.connection().fencing();
        return scope.connection().start(own.session(), batch.commit()).thenCompose(outcome -> {
            if (outcome instanceof Committed committed) {
                begin(own, batch.parts(), committed.zxid().orElse(0), fencing);
                return CompletableFuture.completedFuture(Optional.empty());
            }
            String refusedAt = ((CommitOutcome.Refused) outcome).path();
            boolean outOfDate = own.isOutOfDateAt(scope.tree(), refusedAt);
            CompletionStage<Void> known = refusedAt.equals(JobTree.registry())
                    ? scope.connection().lookAtRegistry()
                    : CompletableFuture.completedFuture(null);
            Refused refused = undecided.add(own, batch, fencing);
            return known.thenCompose(looked -> decide(refused, outOfDate)).thenApply(Optional::of);
        });
    }

    /** A refused transaction of the session that is undecided, because the connection was lost first. */
    Optional<Refused> undecided(RegistrySession session) {
        return undecided.first(session);
    }

    /** Starts the items that the refused transaction has claimed nevertheless. Returns the rest. */
    CompletionStage<Left> decide(Refused refused) {
        return decide(refused, false);
    }

    /**
     * Decides all refused transactions whenever there is a connection. The session may live on for other jobs, and with
     * it a lock that no instance would delete.
     */
    CompletionStage<Void> decideAll() {
        if (undecided.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return scope.connection()
                .retrying(
                        error -> true,
                        () -> scope.connection()
                                .whenConnected()
                                .thenCompose(connected -> scope.connection()
                                        .session()
                                        .flatMap(this::undecided)
                                        .map(this::decide)
                                        .orElseGet(() -> CompletableFuture.completedFuture(null))))
                .thenCompose(decided -> decideAll());
    }

    private CompletionStage<Left> decide(Refused refused, boolean outOfDate) {
        return reader.itemsWithLocks(refused.items(), refused.own().assignment())
                .thenApply(view -> {
                    RefusedClaims.Decision decision = undecided.decide(refused, view);
                    decision.ours()
                            .forEach((start, token) -> begin(refused.own(), List.of(start), token, refused.fencing()));
                    begin(refused.own(), decision.carriedOut(), 0, refused.fencing());
                    if (decision.isCancelled(view)) {
                        cancelledMeanwhile.run();
                    }
                    view.items().keySet().retainAll(decision.left());
                    return new Left(decision.left(), view, outOfDate);
                });
    }

    private void begin(Ownership own, List<Commit> committed, long token, Fencing fencing) {
        List<ClaimedItem> claims = new ArrayList<>();
        List<JobEvent> lost = new ArrayList<>();
        for (Commit commit : committed) {
            lost.addAll(commit.losses());
            ItemChange change = commit.change();
            if (change instanceof ItemChange.Start start) {
                claims.add(ClaimedItem.of(start, own, token)
                        .in(
                                scope.connection().dataId(),
                                fencing.base(),
                                commit.room().move()));
            }
            if (change.view().waitsForFailover() && change.view().isIdle() && !change.keepsSignal()) {
                staleNodes.reportDeleted(change.item());
            }
        }
        losses.tell(lost);
        if (!claims.isEmpty()) {
            begun.accept(claims);
        }
    }
}
