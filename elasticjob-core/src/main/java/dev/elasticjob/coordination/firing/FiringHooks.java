package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.firing.HookClaim.Result;
import dev.elasticjob.coordination.item.LocalItemLocks;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Hook;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Opens firings whose listeners are called before the first item, has the listeners called by this instance, and ends
 * firings. All of it is one loop that reads the open firings and takes one step: so this instance never tries two at the
 * same time, and what a lost answer leaves open is seen in the next round.
 *
 * <p>Confined to the coordination executor.
 */
public final class FiringHooks {
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(1);

    private final JobScope scope;
    private final JobTree tree;
    private final Calls calls;
    private final EndedFirings endedFirings;
    private final HookEnds ends;
    private final HookClaims claims;
    private final Runnable moved;
    private final Runnable outOfDate;
    private final ReconcileLoop loop;
    private final UncalledHooks uncalledHooks;
    private final BrokenRequests requests;
    private final UnreadableFirings unreadable;
    private final CancelledCalls cancelledCalls;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();

    private Optional<Instant> wanted = Optional.empty();
    private Optional<Integer> seen = Optional.empty();
    private @Nullable Ownership own;
    private @Nullable Subscription watch;
    private boolean resting;
    /** A step was refused because the ownership was out of date. */
    private boolean refusedBefore;

    private boolean stopped;

    /** The listeners of this instance. Called on the coordination executor. */
    public interface Calls {
        /** Whether this instance has listeners for the job. */
        boolean exist();

        /** Calls them, and reports the end to {@link FiringHooks#ended}. */
        void begin(HookClaim claim);

        /** Ends a call that was begun, and that nothing waits for any more. */
        void cancel(HookClaim claim, String reason);

        /** They are not called again for a firing, which fails because of that. */
        void failed(String jobName, Throwable failure);
    }

    /**
     * @param locks what this process holds of the job
     * @param moved called when what keeps items from beginning may be gone
     * @param outOfDate called when the registry has another assignment or configuration than this instance
     */
    public FiringHooks(
            JobScope scope,
            EndedFirings endedFirings,
            LocalItemLocks locks,
            FollowUps entries,
            Calls calls,
            Runnable moved,
            Runnable outOfDate) {
        this.scope = scope;
        this.tree = scope.tree();
        this.endedFirings = endedFirings;
        this.calls = calls;
        this.moved = moved;
        this.outOfDate = outOfDate;
        this.claims = new HookClaims(scope, endedFirings, locks, calls, this::ended);
        this.ends = new HookEnds(scope, entries, this::done);
        this.loop = scope.loop("firings of the cluster", this::round);
        this.uncalledHooks = new UncalledHooks(scope, endedFirings, ends, calls, loop::again);
        this.requests = new BrokenRequests(scope, this::lookAgain);
        this.unreadable = new UnreadableFirings(scope, this::corrected);
        this.cancelledCalls = new CancelledCalls(scope, endedFirings, claims, calls, () -> Optional.ofNullable(own));
    }

    /** Takes part by this ownership from now on. */
    public void follow(Ownership next) {
        own = next;
        cancelledCalls.look();
        if (refusedBefore) {
            refusedBefore = false;
            moved.run();
        }
        if (next.assignment().firings() != null) {
            if (next.assignment().firings().listener() && watch == null) {
                watch = scope.registry().watch(tree.firings(), WatchScope.NODE, loop::again);
            }
            lookAgain();
        }
    }

    public void suspend() {
        own = null;
    }

    /** An item may have ended an open firing. */
    public void lookAgain() {
        if (own != null && own.assignment().firings() != null) {
            endedFirings.mayHaveEnded();
            loop.again();
        }
    }

    /** Operators may have cancelled what waits for a call of this instance. */
    public void lookForCancelled() {
        cancelledCalls.look();
    }

    /**
     * Open firings that were read with items. A request that breaks off changes nothing any more: it has to be watched.
     *
     * @return empty if they can be read; otherwise, nothing may begin, and what follows
     */
    public Optional<Next> seen(FiringsView firings) {
        if (!unreadable.isReadable(firings)) {
            return Optional.of(unreadable.next());
        }
        if (BrokenRequests.isAsking(firings.value())) {
            lookAgain();
        }
        return Optional.empty();
    }

    /** The node may be corrected, by which neither a claim nor a leader's step would be woken. */
    private void corrected() {
        moved.run();
        outOfDate.run();
        lookAgain();
        loop.again();
    }

    /** An item is due for a firing before which the listeners are called. */
    public void open(Instant firing) {
        wanted = Optional.of(firing);
        loop.again();
    }

    /** The listeners have returned, or will never be called. */
    public void ended(HookClaim claim, Result result) {
        ends.add(claim, result);
        if (result instanceof Result.NotBegun && !stopped) {
            rest();
        }
        loop.again();
    }

    /** What can't begin here is left to others for a while. */
    private void rest() {
        resting = true;
        scope.connection().later(BEFORE_NEXT_TRY, () -> {
            resting = false;
            loop.again();
        });
    }

    private void done(HookClaim claim) {
        claims.release(claim);
        lookIfNotOwed(claim.firing());
        tellIdle();
    }

    /** No item will end a firing that is not owed any more: it may be over as soon as its listeners have returned. */
    private void lookIfNotOwed(OpenFiring firing) {
        Instant scheduledAt = firing.scheduledAt();
        if (own != null && scheduledAt != null && !own.assignment().owes(scheduledAt)) {
            lookAgain();
        }
    }

    public boolean isIdle() {
        return claims.isIdle();
    }

    /** Claims no more calls. @return completes when the ends of those that were claimed are written */
    public CompletionStage<Void> stop() {
        stopped = true;
        claims.stop();
        if (watch != null) {
            watch.close();
        }
        if (isIdle()) {
            unreadable.close();
        }
        loop.again();
        tellIdle();
        return idle;
    }

    private void tellIdle() {
        if (stopped && isIdle()) {
            idle.complete(null);
        }
    }

    // ------------------------------------------------------------------ rounds

    private CompletionStage<Next> round() {
        Optional<RegistrySession> session = scope.connection().session();
        if (session.isEmpty()) {
            return ends.isEmpty() && claims.undecided().isEmpty()
                    ? Next.WAIT.stage()
                    : scope.connection().whenConnected().thenApply(connected -> Next.AGAIN);
        }
        if (!ends.isEmpty()) {
            return ends.write(session.get(), this::seen);
        }
        claims.keepUndecidedOf(session.get());
        tellIdle();
        Ownership now = stopped ? claims.undecided().orElse(null) : own;
        if (now == null
                || now.assignment().firings() == null
                || !scope.connection().isIn(now.session())) {
            return Next.WAIT.stage();
        }
        return scope.registry()
                .read(List.of(RegistryRead.data(tree.firings()), RegistryRead.children(tree.firings())))
                .thenCompose(answer -> {
                    FiringsView view = FiringsView.orProblem(tree, answer);
                    if (!unreadable.isReadable(view)) {
                        return unreadable.next().stage();
                    }
                    List<String> paths = answer.children(tree.firings()).stream()
                            .map(tree::firingLock)
                            .toList();
                    return paths.isEmpty()
                            ? act(now, view, Map.of())
                            : scope.registry().read(RegistryRead.allData(paths)).thenCompose(locks -> {
                                Map<String, RegistryNode> found = new LinkedHashMap<>();
                                paths.forEach(path -> locks.node(path).ifPresent(node -> found.put(path, node)));
                                return act(now, view, found);
                            });
                });
    }

    private CompletionStage<Next> act(Ownership now, FiringsView view, Map<String, RegistryNode> locked) {
        for (OpenFiring firing : view.value().open()) {
            RegistryNode lock = locked.get(tree.firingLock(firing.id()));
            if (lock != null && claims.isOurs(now, firing, lock)) {
                return claims.begin(now, firing, lock.czxid()).thenApply(begun -> {
                    cancelledCalls.lookIfTouched();
                    return Next.AGAIN;
                });
            }
        }
        claims.decided();
        if (stopped || !now.equals(own)) {
            tellIdle();
            return Next.againIf(!stopped).stage();
        }
        if (!view.version().equals(seen)) {
            seen = view.version();
            moved.run();
        }
        List<OpenFiring> uncalled = view.value().open().stream()
                .filter(firing -> firing.awaitsHook() && !claims.isHeld(firing))
                .filter(firing -> !locked.containsKey(tree.firingLock(firing.id())))
                .toList();
        Optional<CompletionStage<Optional<CommitOutcome>>> completed = requests.settle(now, view, ends);
        if (completed.isPresent()) {
            endedFirings.mayHaveEnded();
            return begun(now, completed.get());
        }
        Optional<CompletionStage<CommitOutcome>> settled = uncalledHooks.settle(now, view, uncalled, mayCall(now));
        if (settled.isPresent()) {
            endedFirings.mayHaveEnded();
            return settled.get().thenApply(outcome -> after(now, outcome));
        }
        if (mayCall(now) && !resting && !uncalled.isEmpty()) {
            return begun(now, claims.take(now, view, uncalled.get(0)));
        }
        return wanted.isPresent() ? openWanted(now, view) : look(now, view);
    }

    private boolean mayCall(Ownership now) {
        return calls.exist() && now.enabled();
    }

    private CompletionStage<Next> openWanted(Ownership now, FiringsView view) {
        Instant firing = wanted.orElseThrow();
        wanted = Optional.empty();
        OpenFirings open = view.value();
        if (!mayOpen(now, open, firing)) {
            moved.run();
            return Next.AGAIN.stage();
        }
        OpenFiring opened = OpenFiring.scheduled(
                firing,
                now.assignment().owners().navigableKeySet(),
                Phase.BEFORE,
                Hook.NONE,
                scope.registryTime().now());
        if (!mayCall(now)) {
            // Others may have listeners, and own no item that is due.
            return ends.change(now, view, open.with(opened)).thenApply(outcome -> after(now, outcome));
        }
        OpenFiring claimed = opened.with(Hook.NONE.claimedBy(now.instance()));
        return begun(now, claims.claim(now, view, open.with(claimed), claimed));
    }

    /**
     * Decided again: the plan and the open firings may be others than those by which the item was found due. Under a plan
     * without owners, the firing would be opened without items, and nothing would end it.
     */
    private boolean mayOpen(Ownership now, OpenFirings open, Instant firing) {
        FiringPlan plan = Objects.requireNonNull(now.assignment().firings());
        Instant registryNow = scope.registryTime().now();
        return now.assignment().opensFirings()
                && plan.listener()
                && now.enabled()
                && !now.items().isEmpty()
                && firing.isAfter(plan.from())
                && now.assignment().owes(firing)
                && open.mayOpen(firing, moment -> Assignment.mayBeClaimed(moment, registryNow))
                && open.open().stream()
                        .noneMatch(other -> other.phase() == Phase.BEFORE && other.scheduledAt() != null);
    }

    /** After a step that has not necessarily been refused. */
    private CompletionStage<Next> begun(Ownership now, CompletionStage<Optional<CommitOutcome>> step) {
        return step.thenApply(refusal -> {
            cancelledCalls.lookIfTouched();
            return refusal.map(outcome -> after(now, outcome)).orElse(Next.AGAIN);
        });
    }

    /** If it was refused because of another epoch or configuration, the next ownership brings another round. */
    private Next after(Ownership now, CommitOutcome outcome) {
        boolean isOutOfDate =
                outcome instanceof CommitOutcome.Refused refused && now.isOutOfDateAt(tree, refused.path());
        if (!isOutOfDate) {
            moved.run();
            return Next.AGAIN;
        }
        refusedBefore = true;
        if (now.equals(own)) {
            outOfDate.run();
        }
        return Next.againIf(!now.equals(own));
    }

    // ------------------------------------------------------------------ ends of firings

    private CompletionStage<Next> look(Ownership now, FiringsView view) {
        return endedFirings
                .find(now, view)
                .thenCompose(found -> found.map(over -> {
                            OpenFiring firing = over.firing();
                            if (!over.unmarked().isEmpty()) {
                                return ends.mark(now, view, over.unmarked()).thenApply(outcome -> after(now, outcome));
                            }
                            if (!firing.owesAfter()) {
                                return ends.end(now, view, over).thenApply(outcome -> after(now, outcome));
                            }
                            Hook hook = mayCall(now) ? Hook.NONE.claimedBy(now.instance()) : Hook.NONE;
                            OpenFiring after = firing.in(
                                    Phase.AFTER, hook, scope.registryTime().now());
                            OpenFirings next = view.value().changed(firing.id(), before -> after);
                            return mayCall(now)
                                    ? begun(now, claims.claim(now, view, next, after))
                                    : ends.change(now, view, next).thenApply(outcome -> after(now, outcome));
                        })
                        .orElseGet(Next.WAIT::stage));
    }
}
