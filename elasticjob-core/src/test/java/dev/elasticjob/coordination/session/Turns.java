package dev.elasticjob.coordination.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** An executor that does nothing until it is told to: then all that is there, and all that comes of it. */
public final class Turns implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    public void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }
}
