package dev.elasticjob.coordination.session;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * Waits for the deletion of nodes that keep items from starting, once for each node: the lock of another instance, or
 * an operator's {@code disabled}. Confined to the coordination executor.
 */
public final class DeletionWaiter implements AutoCloseable {
    private final JobScope scope;
    private final IntConsumer gone;
    private final Map<String, CompletableFuture<Void>> awaited = new TreeMap<>();

    /** @param gone receives the item when its node is gone, or can no longer be observed */
    public DeletionWaiter(JobScope scope, IntConsumer gone) {
        this.scope = scope;
        this.gone = gone;
    }

    public void ofLock(int item) {
        await(item, scope.tree().running(item));
    }

    public void ofDisabled(int item) {
        await(item, scope.tree().disabled(item));
    }

    private void await(int item, String path) {
        if (awaited.containsKey(path)) {
            return;
        }
        CompletableFuture<Void> absence = scope.registry().awaitAbsence(path).toCompletableFuture();
        awaited.put(path, absence);
        absence.whenComplete((absent, unavailable) -> {
            if (awaited.remove(path, absence)) {
                gone.accept(item);
            }
        });
    }

    @Override
    public void close() {
        List<CompletableFuture<Void>> all = List.copyOf(awaited.values());
        awaited.clear();
        all.forEach(absence -> absence.cancel(false));
    }
}
