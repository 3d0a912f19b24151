package dev.elasticjob.coordination.session;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * Waits until what stands in an item's way is gone, one wait for each node: the lock that others hold, or an operator's
 * {@code disabled}. Then the item is looked at. Confined to the coordination executor.
 */
public final class DeletionWaiter implements AutoCloseable {
    private final JobScope scope;
    private final IntConsumer gone;
    private final Map<String, CompletableFuture<Void>> awaited = new TreeMap<>();

    /** @param gone hears of an item whose way is free, or of which that can't be known now */
    public DeletionWaiter(JobScope scope, IntConsumer gone) {
        this.scope = scope;
        this.gone = gone;
    }

    /** Waits for the end of an execution. */
    public void ofLock(int item) {
        await(item, scope.tree().running(item));
    }

    /** Waits until an item is enabled again. */
    public void ofDisabled(int item) {
        await(item, scope.tree().disabled(item));
    }

    private void await(int item, String path) {
        if (awaited.containsKey(path)) {
            return;
        }
        CompletableFuture<Void> absence = scope.registry().awaitAbsence(path).toCompletableFuture();
        awaited.put(path, absence);
        absence.whenCompleteAsync(
                (absent, unavailable) -> {
                    if (awaited.remove(path, absence)) {
                        gone.accept(item);
                    }
                },
                scope.executor());
    }

    /** Waits for nothing any more. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> all = List.copyOf(awaited.values());
        awaited.clear();
        all.forEach(absence -> absence.cancel(false));
    }
}
