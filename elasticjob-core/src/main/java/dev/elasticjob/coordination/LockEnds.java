package dev.elasticjob.coordination;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * Waits for the ends of executions that others hold, one wait for each item: whoever lets go of a lock, its item is
 * looked at then. Confined to the coordination executor.
 */
final class LockEnds {
    private final JobScope scope;
    private final IntConsumer ended;
    private final Set<Integer> awaited = new TreeSet<>();

    /** @param ended hears of an item whose lock is gone, or of which that can't be known now */
    LockEnds(JobScope scope, IntConsumer ended) {
        this.scope = scope;
        this.ended = ended;
    }

    void await(int item) {
        if (awaited.add(item)) {
            scope.registry()
                    .awaitAbsence(scope.tree().running(item))
                    .whenCompleteAsync(
                            (gone, unavailable) -> {
                                awaited.remove(item);
                                ended.accept(item);
                            },
                            scope.executor());
        }
    }
}
