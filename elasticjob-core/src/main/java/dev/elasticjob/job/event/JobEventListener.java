package dev.elasticjob.job.event;

/**
 * Receives the events of jobs. Called on a thread of the engine, in order for each job: return quickly, and pass longer
 * work to a thread of your own. An exception is logged and otherwise ignored.
 */
@FunctionalInterface
public interface JobEventListener {
    void onEvent(JobEvent event);
}
