package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far an execution has come on this instance.
 *
 * @param elapsed the time since the beginning of its first attempt here, by the monotonic clock
 * @param stack where its thread stands; empty between two attempts
 */
public record ExecutionProgress(Duration elapsed, List<StackTraceElement> stack) {
    public ExecutionProgress {
        stack = List.copyOf(stack);
    }

    /**
     * @param began the beginning, on the timer's clock
     * @param thread of the present attempt, if there is one
     */
    public static ExecutionProgress since(long began, TaskTimer timer, @Nullable Thread thread) {
        Duration elapsed = Duration.ofNanos(timer.nanoTime() - began);
        return new ExecutionProgress(elapsed, thread == null ? List.of() : List.of(thread.getStackTrace()));
    }
}
