package dev.elasticjob.registry.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Handles entries one by one in the order of their arrival, each in a task of the executor: whichever task runs first
 * handles the oldest entry.
 */
final class Inbox {
    private final Executor executor;
    /** Guarded by this object, like the counters. */
    private final Deque<Runnable> entries = new ArrayDeque<>();

    private int due;
    private boolean busy;

    Inbox(Executor executor) {
        this.executor = executor;
    }

    /** Adds an entry. Its task is passed to the executor by {@link #announce}, outside of all locks. */
    synchronized void add(Runnable entry) {
        entries.add(entry);
    }

    /** Passes one task to the executor, for one entry. */
    void announce() {
        executor.execute(this::handleOne);
    }

    private void handleOne() {
        synchronized (this) {
            due++;
            if (busy) {
                return;
            }
            busy = true;
        }
        Runnable next = next();
        while (next != null) {
            try {
                next.run();
            } catch (RuntimeException | Error e) {
                synchronized (this) {
                    busy = false;
                }
                throw e;
            }
            next = next();
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable next = due > 0 ? entries.poll() : null;
        if (next == null) {
            due = 0;
            busy = false;
        } else {
            due--;
        }
        return next;
    }
}
