package dev.elasticjob.engine;

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
        ExecutionObserver observer) {
    private static final Logger log = LoggerFactory.getLogger(ElasticJobEngine.class);

    Listeners {
        ofJobs = List.copyOf(ofJobs);
        ofEvents = List.copyOf(ofEvents);
        ofRequests = List.copyOf(ofRequests);
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
            try {
                listener.onEvent(event);
            } catch (Throwable e) {
                log.error(
                        "Job \"{}\": a listener failed to handle {}; other listeners are not affected",
                        event.jobName(),
                        event.getClass().getSimpleName(),
                        Failures.printable(e));
            }
        }
    }
}
