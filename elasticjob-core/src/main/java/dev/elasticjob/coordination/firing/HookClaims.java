package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.firing.HookClaim.Result;
import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * The calls of listeners that this instance claims: one claim after the other, then the call, and the local lock until its
 * end is written. Confined to the coordination executor.
 */
final class HookClaims {
    private final JobScope scope;
    private final JobTree tree;
    private final FiringTransactions transactions;
    private final EndedFirings endedFirings;
    private final LocalItemLocks locks;
    private final FiringHooks.Calls calls;
    private final BiConsumer<HookClaim, Result> ended;
    /** Whose end this object owes. */
    private final Map<String, HookClaim> owed = new HashMap<>();

    /** A claim was sent by this ownership, and it is not known yet whether it was carried out. */
    private Optional<Ownership> undecided = Optional.empty();

    private boolean stopped;

    /**
     * @param locks what this process holds of the job
     * @param ended receives claims that are not called
     */
    HookClaims(
            JobScope scope,
            EndedFirings endedFirings,
            LocalItemLocks locks,
            FiringHooks.Calls calls,
            BiConsumer<HookClaim, Result> ended) {
        this.scope = scope;
        this.tree = scope.tree();
        this.transactions = new FiringTransactions(tree);
        this.endedFirings = endedFirings;
        this.locks = locks;
        this.calls = calls;
        this.ended = ended;
    }

    /** What is claimed from now on is given back. */
    void stop() {
        stopped = true;
    }

    boolean isIdle() {
        return owed.isEmpty() && undecided.isEmpty();
    }

    /**
     * The calls before the first item that were claimed in this session, and whose end this instance owes. What a former
     * session has claimed is interrupted with it, and others go on with it.
     */
    List<HookClaim> before(RegistrySession session) {
        return owed.values().stream()
                .filter(claim -> claim.isBefore() && claim.sessionId() == session.id())
                .toList();
    }

    /** By which ownership the claim was sent whose answer is not known. */
    Optional<Ownership> undecided() {
        return undecided;
    }

    /** The answer is known by now, or doesn't matter any more. */
    void decided() {
        undecided = Optional.empty();
    }

    /** The lock of another session goes with it. */
    void keepUndecidedOf(RegistrySession session) {
        undecided = undecided.filter(sent -> sent.session().id() == session.id());
    }

    /** Whether this process has it, or a former call of it still runs here. */
    boolean isHeld(OpenFiring firing) {
        return locks.isHeld(firing.call());
    }

    /** Whether this instance has claimed the call, and the answer was lost. */
    boolean isOurs(Ownership now, OpenFiring firing, RegistryNode lock) {
        return firing.awaitsHook()
                && !isHeld(firing)
                && now.session().owns(lock)
                && now.instance().equals(firing.hook().instance());
    }

    /** Takes what was cut off, or never begun. @return as of {@link #claim} */
    CompletionStage<Optional<CommitOutcome>> take(Ownership now, FiringsView view, OpenFiring firing) {
        OpenFiring taken = firing.with(firing.hook().claimedBy(now.instance()));
        return claim(now, view, view.value().changed(firing.id(), before -> taken), taken);
    }

    /** Claims a call with a change of the open firings. @return empty if it was claimed, and begins; otherwise, why not */
    CompletionStage<Optional<CommitOutcome>> claim(
            Ownership now, FiringsView view, OpenFirings next, OpenFiring claimed) {
        RegistryCommit commit = RegistryCommit.builder()
                .addAll(now.guard(tree))
                .addAll(scope.startGuard(now.instance()))
                .addAll(transactions.changeAndLock(view, next, claimed, now.instance()))
                .build();
        undecided = Optional.of(now);
        return scope.connection()
                .start(now.session(), commit)
                .thenCompose(outcome -> outcome instanceof CommitOutcome.Committed committed
                                && committed.zxid().isPresent()
                        ? begin(now, claimed, committed.zxid().getAsLong()).thenApply(begun -> Optional.empty())
                        : known(outcome).thenApply(looked -> Optional.of(outcome)));
    }

    /** With another base of tokens than the registry's, the next claim would be refused too. */
    private CompletionStage<Void> known(CommitOutcome outcome) {
        return outcome instanceof CommitOutcome.Refused refused
                        && refused.path().equals(JobTree.registry())
                ? scope.connection().lookAtRegistry()
                : CompletableFuture.completedFuture(null);
    }

    /** Has the listeners called for what this instance has claimed. */
    CompletionStage<?> begin(Ownership now, OpenFiring firing, long token) {
        decided();
        HookClaim claim = new HookClaim(
                firing,
                now.instance(),
                token,
                scope.connection().fencing().base(),
                now.session().id(),
                now.definition(),
                Optional.empty());
        owed.put(firing.call(), claim);
        locks.hold(firing.call());
        if (stopped) {
            ended.accept(claim, new Result.NotBegun());
            return CompletableFuture.completedFuture(null);
        }
        if (claim.isBefore()) {
            calls.begin(claim);
            return CompletableFuture.completedFuture(null);
        }
        return scope.connection()
                .retrying(error -> !stopped, () -> endedFirings.outcomes(now, firing))
                .handle((outcomes, error) -> {
                    if (error == null) {
                        HookClaim known = claim.with(outcomes);
                        owed.put(firing.call(), known);
                        calls.begin(known);
                    } else {
                        ended.accept(claim, new Result.NotBegun());
                    }
                    return null;
                });
    }

    /** The end of a call is written, or another instance has gone on with it. */
    void release(HookClaim claim) {
        owed.remove(claim.firing().call());
        locks.release(claim.firing().call());
    }
}
