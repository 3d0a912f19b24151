package dev.elasticjob.job.event;

/** Why an execution of an item started. */
public enum ExecutionTrigger {
    /** Its firing was due. */
    SCHEDULE,
    /** Somebody requested a run. */
    MANUAL,
    /** An earlier execution of the same firing or manual run was interrupted, and this one repeats it. */
    FAILOVER,
    /**
     * Its firing could not start in time: it is later than the job's {@code misfireThreshold}, makes up for earlier firings,
     * or met its own item still running.
     */
    MISFIRE
}
