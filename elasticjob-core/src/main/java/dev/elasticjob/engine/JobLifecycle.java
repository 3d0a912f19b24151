package dev.elasticjob.engine;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import java.util.function.Consumer;

/** The state of one job on this instance. Changed on the coordination executor, and read by any thread. */
final class JobLifecycle {
    private final String jobName;
    private final Consumer<JobEvent> events;
    private volatile JobState state = JobState.LATENT;

    JobLifecycle(String jobName, Consumer<JobEvent> events) {
        this.jobName = jobName;
        this.events = events;
    }

    JobState state() {
        return state;
    }

    /**
     * Changes to a state. Has no effect if it is the present one.
     *
     * @throws IllegalStateException if this state may not follow the present one
     */
    void become(JobState next) {
        JobState from = state;
        if (from == next) {
            return;
        }
        if (!from.successors().contains(next)) {
            throw new IllegalStateException("Job \"%s\" can't go from %s to %s".formatted(jobName, from, next));
        }
        state = next;
        events.accept(new JobEvent.StateChanged(jobName, from, next));
    }
}
