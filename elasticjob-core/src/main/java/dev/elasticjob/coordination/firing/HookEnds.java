package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.firing.EndedFirings.EndedFiring;
import dev.elasticjob.coordination.firing.HookClaim.Result;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Hook;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how calls of listeners ended, and ends firings: an end always by what was just read, in whatever session there
 * is. Confined to the coordination executor.
 */
final class HookEnds {
    private static final Logger log = LoggerFactory.getLogger(HookEnds.class);

    private final JobScope scope;
    private final JobTree tree;
    private final FollowUps entries;
    private final FiringTransactions transactions;
    private final Consumer<HookClaim> done;
    private final Map<HookClaim, Result> open = new LinkedHashMap<>();

    /** @param done receives each call whose end is written, or that another instance has gone on with */
    HookEnds(JobScope scope, FollowUps entries, Consumer<HookClaim> done) {
        this.scope = scope;
        this.tree = scope.tree();
        this.entries = entries;
        this.transactions = new FiringTransactions(tree);
        this.done = done;
    }

    void add(HookClaim claim, Result result) {
        open.put(claim, result);
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    private void settle(HookClaim claim) {
        open.remove(claim);
        done.accept(claim);
    }

    // ------------------------------------------------------------------ ends of calls

    /**
     * Tries to write one of them.
     *
     * @param readable what follows where the open firings can't be read; empty if they can
     */
    CompletionStage<Next> write(RegistrySession session, Function<FiringsView, Optional<Next>> readable) {
        Map.Entry<HookClaim, Result> first = open.entrySet().iterator().next();
        HookClaim claim = first.getKey();
        Result result = first.getValue();
        String lockPath = tree.firingLock(claim.id());
        return scope.registry()
                .read(RegistryRead.allData(tree.firings(), lockPath, tree.sharding()))
                .thenCompose(answer -> {
                    FiringsView view = FiringsView.orProblem(tree, answer);
                    Optional<Next> unreadable = readable.apply(view);
                    if (unreadable.isPresent()) {
                        return unreadable.get().stage();
                    }
                    boolean locked = answer.node(lockPath)
                            .filter(lock -> lock.czxid() == claim.token())
                            .isPresent();
                    return written(claim, result, view, locked, answer)
                            .thenCompose(commit -> commit.isEmpty()
                                    ? CompletableFuture.completedFuture(true)
                                    : scope.connection().commit(session, commit).thenApply(CommitOutcome::isCommitted))
                            .thenApply(over -> {
                                if (over) {
                                    entries.committed(claim.id());
                                    settle(claim);
                                }
                                return Next.AGAIN;
                            });
                });
    }

    private CompletionStage<RegistryCommit> written(
            HookClaim claim, Result result, FiringsView view, boolean locked, RegistryAnswer answer) {
        Optional<OpenFiring> shown = view.value().find(claim.id()).filter(claim::isStill);
        if (shown.isEmpty()) {
            log.debug("Job \"{}\": firing {} has gone on without this instance", scope.jobName(), claim.id());
            RegistryCommit unlock = transactions.changeAndUnlock(view, view.value(), claim.firing());
            return CompletableFuture.completedFuture(
                    locked ? unlock : RegistryCommit.builder().build());
        }
        OpenFiring firing = shown.get();
        if (result instanceof Result.Over over && !claim.isBefore()) {
            return afterOver(claim, over, view, locked, answer);
        }
        OpenFirings next = view.value().changed(claim.id(), before -> next(claim, firing, result));
        return CompletableFuture.completedFuture(
                locked ? transactions.changeAndUnlock(view, next, firing) : transactions.change(view, next));
    }

    private boolean hasItsSession(HookClaim claim) {
        return scope.connection()
                .session()
                .filter(session -> session.id() == claim.sessionId())
                .isPresent();
    }

    private OpenFiring next(HookClaim claim, OpenFiring firing, Result result) {
        Hook hook = firing.hook();
        if (result instanceof Result.CutOff) {
            return firing.with(hasItsSession(claim) ? hook.released() : hook.crashed());
        }
        if (result instanceof Result.NotBegun) {
            return firing.with(new Hook(null, hook.attempt() - 1, hook.crashes()));
        }
        return ((Result.Over) result)
                .failure()
                .map(failure -> firing.refused(failure, scope.registryTime().now()))
                .orElseGet(
                        () -> firing.in(Phase.ITEMS, hook, scope.registryTime().now()));
    }

    /** The listeners' call after the last item ends the firing. */
    private CompletionStage<RegistryCommit> afterOver(
            HookClaim claim, Result.Over over, FiringsView view, boolean locked, RegistryAnswer answer) {
        RegistryNode sharding = answer.node(tree.sharding()).orElse(null);
        if (sharding == null) {
            // The job is being removed.
            return CompletableFuture.completedFuture(RegistryCommit.builder().build());
        }
        FiringPlan plan =
                NodeCodec.readAssignment(tree.sharding(), sharding.data()).firings();
        FiringOutcomes outcomes = claim.outcomes().orElseThrow();
        boolean success = outcomes.isSuccess() && over.failure().isEmpty();
        return further(plan, claim.firing(), outcomes, success)
                .thenApply(more ->
                        transactions.end(sharding.version(), Optional.empty(), view, claim.firing(), locked, more));
    }

    private CompletionStage<List<Operation>> further(
            @Nullable FiringPlan plan, OpenFiring ended, FiringOutcomes outcomes, boolean success) {
        return plan == null || plan.followers().isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : entries.of(plan, ended, outcomes, success);
    }

    // ------------------------------------------------------------------ ends of firings

    /** Ends a firing that needs no call of listeners any more. */
    CompletionStage<CommitOutcome> end(Ownership own, FiringsView view, EndedFiring over) {
        return end(own, view, over, over.outcomes().isSuccess());
    }

    /** Ends one whose listeners are not called again. */
    CompletionStage<CommitOutcome> endFailed(Ownership own, FiringsView view, EndedFiring over) {
        return end(own, view, over, false);
    }

    private CompletionStage<CommitOutcome> end(Ownership own, FiringsView view, EndedFiring over, boolean success) {
        FiringPlan plan = own.assignment().firings();
        boolean tell = over.outcomes().mayHaveBegun() || over.firing().refused() != null;
        CompletionStage<List<Operation>> further = tell
                ? further(plan, over.firing(), over.outcomes(), success)
                : CompletableFuture.completedFuture(List.of());
        return further.thenCompose(more -> scope.connection()
                        .commit(
                                own.session(),
                                transactions.end(
                                        own.epoch(),
                                        Optional.of(own.definitionVersion()),
                                        view,
                                        over.firing(),
                                        false,
                                        more)))
                .thenApply(outcome -> {
                    if (outcome.isCommitted()) {
                        entries.committed(over.firing().id());
                    }
                    return outcome;
                });
    }

    /** Has records say that what was interrupted belongs to the firing, before its end is told. */
    CompletionStage<CommitOutcome> mark(Ownership own, FiringsView view, List<ItemView> interrupted) {
        return scope.connection().commit(own.session(), transactions.mark(own.epoch(), view, interrupted));
    }

    /** Changes the open firings under the epoch and configuration of the ownership. */
    CompletionStage<CommitOutcome> change(Ownership own, FiringsView view, OpenFirings next) {
        RegistryCommit commit = RegistryCommit.builder()
                .check(tree.sharding(), own.epoch())
                .addAll(own.definitionVersion().check())
                .addAll(transactions.change(view, next))
                .build();
        return scope.connection().commit(own.session(), commit);
    }
}
