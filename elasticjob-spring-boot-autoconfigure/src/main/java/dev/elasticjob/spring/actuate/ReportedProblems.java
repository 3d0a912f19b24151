package dev.elasticjob.spring.actuate;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.JobState;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Why jobs start nothing on this instance, from the events that reported it. Safe for use by any thread. */
final class ReportedProblems implements JobEventListener {
    private final Map<String, String> byJob = new ConcurrentHashMap<>();

    /** The latest reason that still holds. */
    Optional<String> of(String jobName) {
        return Optional.ofNullable(byJob.get(jobName));
    }

    @Override
    public void onEvent(JobEvent event) {
        if (event instanceof JobEvent.JobRefused refused) {
            byJob.put(refused.jobName(), refused.reason());
        } else if (event instanceof JobEvent.DefinitionUnreadable unreadable) {
            byJob.put(unreadable.jobName(), unreadable.reason());
        } else if (event instanceof JobEvent.AssignmentUnreadable unreadable) {
            byJob.put(unreadable.jobName(), unreadable.reason());
        } else if (event instanceof JobEvent.ForeignInstances foreign) {
            byJob.put(foreign.jobName(), "instances of other software take part in the job: " + foreign.instances());
        } else if (event instanceof JobEvent.StateChanged changed && isWell(changed.to())) {
            byJob.remove(changed.jobName());
        }
    }

    private static boolean isWell(JobState state) {
        return switch (state) {
            case ACTIVE, DISABLED, DRAINED, UNMATCHED, PAUSED, REGISTERING -> true;
            case LATENT, SUSPENDED, STOPPED -> false;
        };
    }
}
