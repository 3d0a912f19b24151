package dev.elasticjob.registry;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who uses a registry: {@link Registry#keepOpen()} and {@link Registry#reserve} for its implementations. A close takes place
 * once nobody needs the registry any more; no thread waits for that.
 *
 * <p>Safe for use by any thread.
 */
public final class RegistryUse {
    private final Runnable close;
    private final Set<String> reserved = ConcurrentHashMap.newKeySet();
    private int holders;
    private boolean wanted;
    private boolean closed;

    /** @param close called once, by whoever closes or lets go last */
    public RegistryUse(Runnable close) {
        this.close = close;
    }

    /** Puts the close off until the subscription is closed. */
    public synchronized Subscription keepOpen() {
        holders++;
        return once(this::letGo);
    }

    /** Reserves a name until the subscription is closed; empty where it is taken. */
    public Optional<Subscription> reserve(String name) {
        return reserved.add(name) ? Optional.of(once(() -> reserved.remove(name))) : Optional.empty();
    }

    private static Subscription once(Runnable end) {
        AtomicBoolean held = new AtomicBoolean(true);
        return () -> {
            if (held.compareAndSet(true, false)) {
                end.run();
            }
        };
    }

    /** Closes now, or when nobody needs it any more. */
    public void close() {
        synchronized (this) {
            wanted = true;
        }
        closeIfFree();
    }

    private void letGo() {
        synchronized (this) {
            holders--;
        }
        closeIfFree();
    }

    private void closeIfFree() {
        synchronized (this) {
            if (!wanted || closed || holders > 0) {
                return;
            }
            closed = true;
        }
        close.run();
    }
}
