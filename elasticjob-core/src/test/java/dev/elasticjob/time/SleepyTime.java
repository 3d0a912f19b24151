package dev.elasticjob.time;

import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Virtual time of a process that stands still as a whole when it is told to: what was due meanwhile it does on waking. */
public final class SleepyTime implements TaskTimer {
    private final ManualTime time;
    private final List<Runnable> overdue = new ArrayList<>();
    private boolean asleep;

    public SleepyTime(ManualTime time) {
        this.time = time;
    }

    public void standStill(Duration duration) {
        asleep = true;
        time.advance(duration);
        asleep = false;
    }

    /** Who has just woken up does something else first, or this. */
    public void catchUp() {
        List<Runnable> all = List.copyOf(overdue);
        overdue.clear();
        all.forEach(Runnable::run);
    }

    @Override
    public Cancellable after(Duration delay, Runnable task) {
        return time.after(delay, () -> {
            if (asleep) {
                overdue.add(task);
            } else {
                task.run();
            }
        });
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }
}
