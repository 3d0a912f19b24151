package dev.elasticjob.job.event;

/**
 * Hears what happens. Called on a thread of the engine, in order for each job: be quick, and hand longer work to a
 * thread of your own. An exception is logged and harms nobody.
 */
@FunctionalInterface
public interface JobEventListener {
    void onEvent(JobEvent event);
}
