package dev.elasticjob.registry;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts the users of a registry: {@link Registry#keepOpen()} and {@link Registry#reserve} for its implementations. The
 * registry closes when the last user has finished; no thread waits for that. Thread-safe.
 */
public final class RegistryUse {
    private final Runnable close;
    private final Set<String> reserved = ConcurrentHashMap.newKeySet();
    /** Guarded by this. The owner of the registry is the first holder. */
    private int holders = 1;

    private final Subscription owner = once(this::release);

    /** @param close called once, by the last one to close or release the registry */
    public RegistryUse(Runnable close) {
        this.close = close;
    }

    /** Delays the close until the subscription is closed. */
    public synchronized Subscription keepOpen() {
        if (holders == 0) {
            return () -> {};
        }
        holders++;
        return once(this::release);
    }

    /** Reserves a name until the subscription is closed; empty if it is taken. */
    public Optional<Subscription> reserve(String name) {
        return reserved.add(name) ? Optional.of(once(() -> reserved.remove(name))) : Optional.empty();
    }

    /** Closes now, or when the last user has finished. */
    public void close() {
        owner.close();
    }

    private void release() {
        synchronized (this) {
            holders--;
            if (holders > 0) {
                return;
            }
        }
        close.run();
    }

    private static Subscription once(Runnable end) {
        AtomicBoolean held = new AtomicBoolean(true);
        return () -> {
            if (held.compareAndSet(true, false)) {
                end.run();
            }
        };
    }
}
