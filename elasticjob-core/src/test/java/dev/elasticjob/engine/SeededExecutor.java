package dev.elasticjob.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/** Runs what it is given when it is told to, in an order that its seed decides. For one thread. */
final class SeededExecutor implements Executor {
    private final Random random;
    private final List<Runnable> tasks = new ArrayList<>();

    SeededExecutor(long seed) {
        this.random = new Random(seed);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs one of the waiting tasks; false when there is none. */
    boolean runOne() {
        if (tasks.isEmpty()) {
            return false;
        }
        tasks.remove(random.nextInt(tasks.size())).run();
        return true;
    }

    int choose(int bound) {
        return random.nextInt(bound);
    }
}
