package dev.elasticjob.coordination.item;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * The items of one job that this process holds, from before they start until their end is written. All executions of
 * the job in this process share it: recorded and unrecorded ones, and those of consecutive runs of the engine. Only one
 * execution at a time can hold an item. So code that ignores its interruption never runs at the same time as its
 * successor here, whatever the registry says.
 *
 * <p>Confined to the coordination executor.
 */
public final class LocalItemLocks {
    private final Map<Integer, ClaimedItem> held = new HashMap<>();
    private final Map<Integer, Set<IntConsumer>> waiting = new HashMap<>();
    /** The calls of cluster listeners that run here, in the same way. */
    private final Set<String> calls = new HashSet<>();

    private final InstanceCapacity capacity;

    /** @param capacity of the engine, of which the items take their weight */
    public LocalItemLocks(InstanceCapacity capacity) {
        this.capacity = capacity;
    }

    /** Of the engine. Each claim has its own room of it. */
    public InstanceCapacity capacity() {
        return capacity;
    }

    public NavigableSet<Integer> items() {
        return new TreeSet<>(held.keySet());
    }

    /** Returns the claim that holds the item. */
    public Optional<ClaimedItem> holder(int item) {
        return Optional.ofNullable(held.get(item));
    }

    /** Holds the item of a claim. If the item is already held, returns false and changes nothing. */
    public boolean hold(ClaimedItem claim) {
        return held.putIfAbsent(claim.item(), claim) == null;
    }

    /** The end of the claim is written. Has no effect if the claim doesn't hold its item. */
    public void release(ClaimedItem claim) {
        if (held.remove(claim.item(), claim)) {
            Set<IntConsumer> woken = waiting.remove(claim.item());
            if (woken != null) {
                woken.forEach(each -> each.accept(claim.item()));
            }
        }
    }

    /** A call of cluster listeners begins; until {@link #release(String)}, it doesn't begin here again. */
    public void hold(String call) {
        calls.add(call);
    }

    public boolean isHeld(String call) {
        return calls.contains(call);
    }

    /** They have returned, and that is written. */
    public void release(String call) {
        calls.remove(call);
    }

    public void forget(IntConsumer waiter) {
        waiting.values().removeIf(each -> each.remove(waiter) && each.isEmpty());
    }

    /** Calls back once when the item, which is held now, is released. Repeated calls don't add callbacks. */
    public void whenReleased(int item, IntConsumer once) {
        waiting.computeIfAbsent(item, any -> new LinkedHashSet<>()).add(once);
    }
}
