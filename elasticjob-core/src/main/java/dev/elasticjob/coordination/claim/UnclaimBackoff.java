package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.item.ExecutionResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How long an item rests here after its claim was undone. The pause grows each time the executor rejects the item,
 * until the job gets a thread again. Each attempt costs a claim and an unclaim.
 *
 * <p>Confined to the coordination executor.
 */
final class UnclaimBackoff {
    private static final Duration MIN = Duration.ofMillis(400);
    /** At most 25.6 seconds. */
    private static final int MAX_DOUBLINGS = 6;

    private final Map<Integer, Integer> refusals = new HashMap<>();

    Duration after(int item, ExecutionResult.Unclaimed ending) {
        if (ending.reason() != ExecutionResult.Unclaimed.Reason.NO_THREAD) {
            return MIN;
        }
        int doublings = refusals.merge(item, 1, Integer::sum) - 1;
        return MIN.multipliedBy(1L << Math.min(doublings, MAX_DOUBLINGS));
    }

    /** An item of the job got a thread, so the others are tried again sooner. */
    void threadGiven() {
        refusals.clear();
    }
}
