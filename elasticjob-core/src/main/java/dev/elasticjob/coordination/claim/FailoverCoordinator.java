package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates with other instances which of them takes over which interrupted execution, of any owner. Any instance
 * with a free slot may take one: first the instance whose turn it is by rank, a moment later all of them. A latch keeps
 * the instances from refusing each other's transactions. No guarantee depends on it, so no instance waits long for it,
 * and a single instance doesn't wait at all.
 *
 * <p>Confined to the coordination executor.
 */
final class FailoverCoordinator {
    private static final Duration OTHERS_TURN = Duration.ofMillis(200);
    private static final Duration LATCH_PATIENCE = Duration.ofSeconds(1);

    private final JobScope scope;
    private final Capacity capacity;
    private final Function<NavigableSet<Integer>, CompletionStage<Void>> taking;
    private final Consumer<Set<Integer>> interrupted;
    private final StaleFailoverNodes staleNodes;
    private final ReconcileLoop loop;
    /** Items that this instance has tried to take since the last change. */
    private final Set<Integer> tried = new HashSet<>();
    /** Items that are left to other instances for a moment. */
    private final Set<Integer> leftToOthers = new HashSet<>();
    /** Those whose moment is over. */
    private final Set<Integer> overdue = new HashSet<>();
    /** The end of a wait for the latch. */
    private CompletableFuture<Void> patience = CompletableFuture.completedFuture(null);

    private @Nullable Subscription signals;
    private @Nullable Ownership ownership;

    /**
     * @param taking tries to take items; completes when this has succeeded, failed or been postponed
     * @param interrupted receives the items that wait for an instance to take them
     */
    public FailoverCoordinator(
            JobScope scope,
            Capacity capacity,
            Function<NavigableSet<Integer>, CompletionStage<Void>> taking,
            Consumer<Set<Integer>> interrupted) {
        this.interrupted = interrupted;
        this.scope = scope;
        this.capacity = capacity;
        this.taking = taking;
        this.staleNodes = new StaleFailoverNodes(scope);
        this.loop = scope.loop("failovers", this::round);
    }

    /** Takes over items according to this ownership from now on, if its definition allows failover. */
    public void follow(Ownership next) {
        Ownership before = ownership;
        ownership = next;
        if (!next.definition().failover()) {
            unsubscribe();
        } else if (signals == null) {
            signals = scope.registry().watch(scope.tree().failoverItems(), WatchScope.NODE, this::lookAgain);
            lookAgain();
        } else if (before == null || !before.enabled() || !tried.isEmpty()) {
            // An item that the former ownership could not take may be available now, and no signal announces it.
            lookAgain();
        }
    }

    public void suspend() {
        ownership = null;
    }

    public void stop() {
        suspend();
        unsubscribe();
        patience.complete(null);
        loop.stop();
    }

    private void unsubscribe() {
        if (signals != null) {
            signals.close();
            signals = null;
        }
    }

    /** A signal has changed, or a failed attempt may succeed now. */
    public void lookAgain() {
        tried.clear();
        loop.again();
    }

    private CompletionStage<Next> round() {
        Ownership own = ownership;
        if (own == null || !own.enabled() || signals == null) {
            return Next.WAIT.stage();
        }
        JobTree tree = scope.tree();
        return scope.registry()
                .read(List.of(RegistryRead.children(tree.failoverItems()), RegistryRead.children(tree.instances())))
                .thenCompose(answer -> share(own, answer));
    }

    private CompletionStage<Next> share(Ownership own, RegistryAnswer answer) {
        if (signals == null) {
            return Next.WAIT.stage();
        }
        List<String> names = answer.children(scope.tree().failoverItems());
        Set<Integer> owned = own.assignment().owners().keySet();
        staleNodes.look(names, owned);
        NavigableSet<Integer> waiting = JobTree.itemNumbers(names);
        waiting.retainAll(owned);
        interrupted.accept(Set.copyOf(waiting));
        waiting.removeAll(tried);
        leftToOthers.retainAll(waiting);
        overdue.retainAll(waiting);
        if (waiting.isEmpty()) {
            return Next.WAIT.stage();
        }
        if (capacity.free() == 0) {
            capacity.whenFree(() -> scope.executor().execute(loop::again));
            return Next.WAIT.stage();
        }
        List<String> ranks = Ranks.of(own, answer.children(scope.tree().instances()));
        NavigableSet<Integer> ours = ourShare(own, waiting, ranks);
        if (ours.isEmpty()) {
            letOthersGoFirst(waiting);
            return Next.WAIT.stage();
        }
        tried.addAll(ours);
        return (ranks.size() == 1 ? taking.apply(ours) : takeUnderLatch(own, ours)).thenApply(done -> Next.AGAIN);
    }

    private NavigableSet<Integer> ourShare(Ownership own, NavigableSet<Integer> waiting, List<String> ranks) {
        int share = (waiting.size() + ranks.size() - 1) / Math.max(1, ranks.size());
        return waiting.stream()
                .filter(item -> overdue.contains(item) || isOurTurn(own, ranks, item))
                .limit(Math.min(capacity.free(), share))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOurTurn(Ownership own, List<String> ranks, int item) {
        return ranks.isEmpty() || ranks.get(item % ranks.size()).equals(own.instance());
    }

    private void letOthersGoFirst(Set<Integer> waiting) {
        Set<Integer> fresh = new HashSet<>(waiting);
        fresh.removeAll(leftToOthers);
        if (!fresh.isEmpty()) {
            leftToOthers.addAll(fresh);
            scope.connection().later(OTHERS_TURN, () -> {
                overdue.addAll(fresh);
                loop.again();
            });
        }
    }

    private CompletionStage<Void> takeUnderLatch(Ownership own, NavigableSet<Integer> items) {
        Latch latch = scope.registry().enterLatch(scope.tree().failoverLatch(), own.instance());
        CompletableFuture<Void> enough = new CompletableFuture<>();
        patience = enough;
        latch.acquired().whenComplete((ours, error) -> enough.complete(null));
        TaskTimer.Cancellable tooLong = scope.connection().later(LATCH_PATIENCE, () -> enough.complete(null));
        return enough.thenCompose(now -> taking.apply(items)).whenComplete((done, error) -> {
            tooLong.cancel();
            latch.close();
        });
    }
}
