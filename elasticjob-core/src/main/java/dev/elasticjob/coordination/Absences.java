package dev.elasticjob.coordination;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * Waits until what stands in an item's way is gone, one wait for each node: the lock that others hold, or an operator's
 * {@code disabled}. Then the item is looked at. Confined to the coordination executor.
 */
final class Absences {
    private final JobScope scope;
    private final IntConsumer gone;
    private final Set<String> awaited = new TreeSet<>();

    /** @param gone hears of an item whose way is free, or of which that can't be known now */
    Absences(JobScope scope, IntConsumer gone) {
        this.scope = scope;
        this.gone = gone;
    }

    /** Waits for the end of an execution. */
    void ofLock(int item) {
        await(item, scope.tree().running(item));
    }

    /** Waits until an item is enabled again. */
    void ofDisabled(int item) {
        await(item, scope.tree().disabled(item));
    }

    private void await(int item, String path) {
        if (awaited.add(path)) {
            scope.registry()
                    .awaitAbsence(path)
                    .whenCompleteAsync(
                            (absent, unavailable) -> {
                                awaited.remove(path);
                                gone.accept(item);
                            },
                            scope.executor());
        }
    }
}
