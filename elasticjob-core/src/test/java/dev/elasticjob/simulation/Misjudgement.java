package dev.elasticjob.simulation;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;

/** A rule about time, taken out of the time that engines are given. */
enum Misjudgement implements Flaw {
    /** A thread that is about to begin an item finds its lease as it was at the first moment of all. */
    BEGINNING_WITHOUT_ASKING_THE_LEASE {
        @Override
        public TaskTimer timer(TaskTimer timer) {
            long origin = timer.nanoTime();
            return new TaskTimer() {
                @Override
                public Cancellable after(Duration delay, Runnable task) {
                    return timer.after(delay, task);
                }

                @Override
                public long nanoTime() {
                    return Thread.currentThread() instanceof BodyThread ? origin : timer.nanoTime();
                }
            };
        }
    };

    @Override
    public Registry apply(Registry registry) {
        return registry;
    }
}
