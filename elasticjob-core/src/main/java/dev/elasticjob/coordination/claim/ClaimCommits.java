package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemPlanner.Gap;
import dev.elasticjob.coordination.claim.ItemPlanner.ItemPlan;
import dev.elasticjob.coordination.completion.ClaimedItem;
import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.failover.ItemTransactions;
import dev.elasticjob.coordination.failover.LossReporter;
import dev.elasticjob.coordination.failover.StaleFailoverNodes;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Sends what was planned for items, and finds out what became of it: what was carried out begins, or is told; what was
 * refused is looked at, as it may have been carried out before its answer was lost.
 *
 * <p>Confined to the coordination executor.
 */
final class ClaimCommits {
    private final JobScope scope;
    private final JobViewReader reader;
    private final ItemTransactions transactions;
    private final LossReporter losses;
    private final StaleFailoverNodes strays;
    private final Consumer<List<ClaimedItem>> begun;
    private final RefusedClaims undecided = new RefusedClaims();

    /** @param begun gets what is claimed, and now owes an end */
    ClaimCommits(JobScope scope, JobViewReader reader, Consumer<List<ClaimedItem>> begun) {
        this.scope = scope;
        this.reader = reader;
        this.transactions = new ItemTransactions(scope.tree());
        this.losses = new LossReporter(scope);
        this.strays = new StaleFailoverNodes(scope);
        this.begun = begun;
    }

    /**
     * What was refused, and is to be planned anew.
     *
     * @param items that nothing has come of
     * @param view of them, as they were read after the refusal
     * @param outOfDate whether it was refused because this instance knows an old assignment or configuration
     */
    record Left(Set<Integer> items, ItemsView view, boolean outOfDate) {}

    /** Commits the plan's changes, in as few transactions as their size allows; what of it was refused. */
    CompletionStage<List<Left>> send(Ownership own, ItemPlan plan) {
        CompletionStage<List<Left>> all = CompletableFuture.completedFuture(new ArrayList<>());
        for (Batch<ItemChange> batch : transactions.claim(own, plan.changes())) {
            all = all.thenComposeAsync(soFar -> send(own, plan, batch, soFar), scope.executor());
        }
        return all;
    }

    private CompletionStage<List<Left>> send(Ownership own, ItemPlan plan, Batch<ItemChange> batch, List<Left> soFar) {
        return scope.connection()
                .commit(own.session(), batch.commit())
                .thenComposeAsync(
                        outcome -> {
                            if (outcome instanceof Committed committed) {
                                begin(
                                        own,
                                        plan.gaps(),
                                        batch.parts(),
                                        committed.zxid().orElse(0));
                                return CompletableFuture.completedFuture(soFar);
                            }
                            String refusedAt = ((CommitOutcome.Refused) outcome).path();
                            boolean outOfDate = List.of(
                                            scope.tree().sharding(),
                                            own.definitionVersion().path())
                                    .contains(refusedAt);
                            return look(undecided.add(own, plan, batch), outOfDate)
                                    .thenApply(left -> {
                                        soFar.add(left);
                                        return soFar;
                                    });
                        },
                        scope.executor());
    }

    /**
     * Decides all refused transactions, whenever there is a connection: the session may live on for other jobs, and with
     * it a lock of which nobody knows.
     */
    CompletionStage<Void> decideAll(int attempt) {
        if (undecided.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return scope.connection()
                .whenConnected()
                .thenComposeAsync(connected -> decideNext(), scope.executor())
                .handleAsync(
                        (decided, error) -> error == null
                                ? decideAll(0)
                                : scope.connection()
                                        .afterPause(attempt)
                                        .thenComposeAsync(paused -> decideAll(attempt + 1), scope.executor()),
                        scope.executor())
                .thenCompose(stage -> stage);
    }

    private CompletionStage<Void> decideNext() {
        return scope.connection()
                .session()
                .flatMap(this::undecided)
                .<CompletionStage<Void>>map(refused -> decide(refused).thenApply(left -> null))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    /** A refused transaction of the session that is still to be decided: the connection was lost before it could be. */
    Optional<RefusedClaims.Refused> undecided(RegistrySession session) {
        return undecided.first(session);
    }

    /** Begins what the refused transaction has claimed all the same; the rest of its items. */
    CompletionStage<Left> decide(RefusedClaims.Refused refused) {
        return look(refused, false);
    }

    private CompletionStage<Left> look(RefusedClaims.Refused refused, boolean outOfDate) {
        return reader.itemsWithLocks(refused.items())
                .thenApplyAsync(
                        view -> {
                            RefusedClaims.Decision decision = undecided.decide(refused, view);
                            decision.ours()
                                    .forEach((start, token) ->
                                            begin(refused.own(), refused.plan().gaps(), List.of(start), token));
                            begin(refused.own(), refused.plan().gaps(), decision.carriedOut(), 0);
                            view.items().keySet().retainAll(decision.left());
                            return new Left(decision.left(), view, outOfDate);
                        },
                        scope.executor());
    }

    private void begin(Ownership own, List<Gap> gaps, List<ItemChange> changes, long token) {
        List<ClaimedItem> claims = new ArrayList<>();
        Set<Integer> items = new TreeSet<>();
        for (ItemChange change : changes) {
            items.add(change.item());
            if (change instanceof ItemChange.Start start) {
                claims.add(ClaimedItem.of(start, own, token));
            }
            if (change.view().waitsForFailover() && change.view().isIdle() && !(change instanceof ItemChange.Skip)) {
                strays.reportDeleted(change.item());
            }
        }
        losses.tell(gaps.stream()
                .filter(gap -> items.contains(gap.item()))
                .map(Gap::event)
                .toList());
        if (!claims.isEmpty()) {
            begun.accept(claims);
        }
    }
}
