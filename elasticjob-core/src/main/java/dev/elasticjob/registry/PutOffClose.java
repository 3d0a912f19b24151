package dev.elasticjob.registry;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A close that waits for those who still need what is to be closed: {@link Registry#keepOpen()} for its implementations.
 *
 * <p>Safe for use by any thread. Nobody waits: the last one to let go closes.
 */
public final class PutOffClose {
    private final Runnable close;
    private int holders;
    private boolean wanted;
    private boolean closed;

    /** @param close called once, by whoever closes or lets go last */
    public PutOffClose(Runnable close) {
        this.close = close;
    }

    /** Puts the close off until the subscription is closed. */
    public synchronized Subscription keepOpen() {
        holders++;
        AtomicBoolean held = new AtomicBoolean(true);
        return () -> {
            if (held.compareAndSet(true, false)) {
                letGo();
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
