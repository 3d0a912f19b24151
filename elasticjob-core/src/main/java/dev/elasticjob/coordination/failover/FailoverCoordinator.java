package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.session.Capacity;
import dev.elasticjob.coordination.session.JobScope;
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
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes part in sharing out interrupted executions, also those of items that others own. Whoever has a free slot takes:
 * first the instance whose turn it is by rank, after a moment everybody. A latch keeps them from refusing each other's
 * transactions; nothing that is promised depends on it, so nobody waits long for it, and the only instance not at all.
 *
 * <p>Confined to the coordination executor.
 */
public final class FailoverCoordinator {
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);
    private static final Duration OTHERS_TURN = Duration.ofMillis(200);
    private static final Duration LATCH_PATIENCE = Duration.ofSeconds(1);

    private final JobScope scope;
    private final Capacity slots;
    private final Function<NavigableSet<Integer>, CompletionStage<Void>> taking;
    private final StaleFailoverNodes strays;
    private final ReconcileLoop loop;
    private final Set<Integer> tried = new HashSet<>();
    private final Set<Integer> overdue = new HashSet<>();
    private final Set<Integer> waited = new HashSet<>();
    /** The end of the wait for the latch, where there is one. */
    private CompletableFuture<Void> patience = CompletableFuture.completedFuture(null);

    private @Nullable Subscription bells;
    private @Nullable Ownership ownership;

    /** @param taking tries to take items; completes when that has succeeded, has failed, or is not to be tried now */
    public FailoverCoordinator(
            JobScope scope, Capacity slots, Function<NavigableSet<Integer>, CompletionStage<Void>> taking) {
        this.scope = scope;
        this.slots = slots;
        this.taking = taking;
        this.strays = new StaleFailoverNodes(scope);
        this.loop = new ReconcileLoop(
                "Failover of job \"" + scope.jobName() + "\"", scope.connection(), scope.executor(), this::round);
    }

    /** Takes over by this ownership from now on, if its definition says so. */
    public void follow(Ownership next) {
        Ownership before = ownership;
        ownership = next;
        if (!next.definition().failover()) {
            unsubscribe();
        } else if (bells == null) {
            bells = scope.registry()
                    .watch(
                            scope.tree().failoverItems(),
                            WatchScope.NODE,
                            () -> scope.executor().execute(this::lookAgain));
            lookAgain();
        } else if (before == null || !before.enabled() || !tried.isEmpty()) {
            // What could not be taken by what was known then, perhaps can be now, and no bell will ring for it.
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
        if (bells != null) {
            bells.close();
            bells = null;
        }
    }

    /** The bell rings, or what didn't succeed may do so now. */
    public void lookAgain() {
        tried.clear();
        loop.again();
    }

    private CompletionStage<Boolean> round() {
        Ownership own = ownership;
        if (own == null || !own.enabled() || bells == null) {
            return NOTHING_MORE;
        }
        JobTree tree = scope.tree();
        return scope.registry()
                .read(List.of(RegistryRead.children(tree.failoverItems()), RegistryRead.children(tree.instances())))
                .thenComposeAsync(answer -> share(own, answer), scope.executor());
    }

    private CompletionStage<Boolean> share(Ownership own, RegistryAnswer answer) {
        if (bells == null) {
            return NOTHING_MORE;
        }
        strays.look(
                answer.children(scope.tree().failoverItems()),
                own.assignment().owners().keySet());
        NavigableSet<Integer> waiting = waiting(own, answer);
        waited.retainAll(waiting);
        overdue.retainAll(waiting);
        if (waiting.isEmpty()) {
            return NOTHING_MORE;
        }
        if (slots.free() == 0) {
            slots.whenFree(() -> scope.executor().execute(loop::again));
            return NOTHING_MORE;
        }
        List<String> ranks =
                answer.children(scope.tree().instances()).stream().sorted().toList();
        int share = Math.min(slots.free(), (waiting.size() + ranks.size() - 1) / Math.max(1, ranks.size()));
        NavigableSet<Integer> ours = waiting.stream()
                .filter(item -> overdue.contains(item) || isOurTurn(own, ranks, item))
                .limit(share)
                .collect(Collectors.toCollection(TreeSet::new));
        if (ours.isEmpty()) {
            letOthersGoFirst(waiting);
            return NOTHING_MORE;
        }
        tried.addAll(ours);
        boolean alone = ranks.size() == 1;
        CompletionStage<Void> taken = alone ? taking.apply(ours) : underLatch(own, () -> taking.apply(ours));
        return taken.thenApply(done -> true);
    }

    private NavigableSet<Integer> waiting(Ownership own, RegistryAnswer answer) {
        NavigableSet<Integer> waiting = new TreeSet<>();
        answer.children(scope.tree().failoverItems())
                .forEach(name -> JobTree.itemNumber(name).ifPresent(waiting::add));
        waiting.retainAll(own.assignment().owners().keySet());
        waiting.removeAll(tried);
        return waiting;
    }

    private static boolean isOurTurn(Ownership own, List<String> ranks, int item) {
        return ranks.isEmpty() || ranks.get(item % ranks.size()).equals(own.instance());
    }

    private void letOthersGoFirst(Set<Integer> waiting) {
        Set<Integer> fresh = new HashSet<>(waiting);
        fresh.removeAll(waited);
        if (fresh.isEmpty()) {
            return;
        }
        waited.addAll(fresh);
        scope.connection().later(OTHERS_TURN, () -> {
            overdue.addAll(fresh);
            loop.again();
        });
    }

    private CompletionStage<Void> underLatch(Ownership own, Supplier<CompletionStage<Void>> action) {
        Latch latch = scope.registry().enterLatch(scope.tree().failoverLatch(), own.instance());
        CompletableFuture<Void> enough = new CompletableFuture<>();
        patience = enough;
        latch.acquired().whenCompleteAsync((ours, error) -> enough.complete(null), scope.executor());
        TaskTimer.Cancellable tooLong = scope.connection().later(LATCH_PATIENCE, () -> enough.complete(null));
        return enough.thenComposeAsync(now -> action.get(), scope.executor())
                .whenCompleteAsync(
                        (done, error) -> {
                            tooLong.cancel();
                            latch.close();
                        },
                        scope.executor());
    }
}
