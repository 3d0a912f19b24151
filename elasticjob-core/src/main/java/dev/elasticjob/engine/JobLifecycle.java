package dev.elasticjob.engine;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import java.util.function.Consumer;

/**
 * The state of one job on this instance. Changes on the coordination executor; any thread may read it.
 */
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
     * Goes to a state; nothing happens when it is the one we have.
     *
     * @throws IllegalStateException when that state may not follow this one
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
