package dev.elasticjob.coordination.completion;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * The items of one job that this process holds: from before they begin until their end is written. There is one for
 * each job, shared by all its executions in this process: recorded ones and others, and those of one run of the engine
 * after the other. An item has to be held to be executed, by one execution at a time: so code that ignores its
 * interruption never runs beside its successor here, whatever the registry says by then.
 *
 * <p>Confined to the coordination executor.
 */
public final class LocalItemLocks {
    private final Map<Integer, ClaimedItem> held = new HashMap<>();
    private final Map<Integer, Set<IntConsumer>> waiting = new HashMap<>();

    /** The items that are held now. */
    public NavigableSet<Integer> items() {
        return new TreeSet<>(held.keySet());
    }

    /** The claim that holds the item. */
    public Optional<ClaimedItem> holder(int item) {
        return Optional.ofNullable(held.get(item));
    }

    /** Holds the item of a claim; false, and nothing happens, where it is held already. */
    public boolean hold(ClaimedItem claim) {
        return held.putIfAbsent(claim.item(), claim) == null;
    }

    /** The end of the claim is written. A claim that doesn't hold its item changes nothing. */
    public void release(ClaimedItem claim) {
        if (held.remove(claim.item(), claim)) {
            Set<IntConsumer> woken = waiting.remove(claim.item());
            if (woken != null) {
                woken.forEach(each -> each.accept(claim.item()));
            }
        }
    }

    /** Calls back no more. */
    public void forget(IntConsumer waiter) {
        waiting.values().removeIf(each -> each.remove(waiter) && each.isEmpty());
    }

    /** Calls back once when the item, which is held now, is released, however often it was asked to. */
    public void whenReleased(int item, IntConsumer once) {
        waiting.computeIfAbsent(item, any -> new LinkedHashSet<>()).add(once);
    }
}
