package dev.elasticjob.engine;

import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.GroupEventListener;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.RegistryRequestListener;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of one run of an engine, each kind in order. */
record Listeners(
        List<ElasticJobListener> ofJobs,
        List<JobEventListener> ofEvents,
        List<RegistryRequestListener> ofRequests,
        List<GroupEventListener> ofGroups,
        ExecutionObserver observer) {
    private static final Logger log = LoggerFactory.getLogger(ElasticJobEngine.class);

    Listeners {
        ofJobs = List.copyOf(ofJobs);
        ofEvents = List.copyOf(ofEvents);
        ofRequests = List.copyOf(ofRequests);
        ofGroups = List.copyOf(ofGroups);
    }

    List<ElasticJobListener> of(String jobName) {
        return ofJobs.stream().filter(listener -> applies(listener, jobName)).toList();
    }

    private static boolean applies(ElasticJobListener listener, String jobName) {
        try {
            return listener.appliesTo(jobName);
        } catch (Throwable e) {
            throw new IllegalStateException(
                    ("Job \"%s\": expected the listener \"%s\" to return from \"appliesTo\" whether it applies to the"
                                    + " job, but it failed with \"%s\": fix the listener, or remove it")
                            .formatted(jobName, listener.getClass().getName(), Failures.text(e)),
                    Failures.printable(e));
        }
    }

    void tell(JobEvent event) {
        for (JobEventListener listener : ofEvents) {
            tell("Job", event.jobName(), event, () -> listener.onEvent(event));
        }
    }

    void tell(GroupEvent event) {
        for (GroupEventListener listener : ofGroups) {
            tell("Group", event.group(), event, () -> listener.onEvent(event));
        }
    }

    private static void tell(String subject, String name, Object event, Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            log.error(
                    "{} \"{}\": a listener failed to handle {}; other listeners are not affected",
                    subject,
                    name,
                    event.getClass().getSimpleName(),
                    Failures.printable(e));
        }
    }
}
