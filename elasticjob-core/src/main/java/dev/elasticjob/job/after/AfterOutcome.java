package dev.elasticjob.job.after;

/** How a firing of the jobs that another job follows has to end, so that the other one runs. */
public enum AfterOutcome {
    /** At least one item completed, and each other item completed or was skipped because it was disabled. */
    SUCCESS,
    /** Any other end. */
    FAILURE,
    /** Every end. */
    ANY;

    /** Whether such an end makes the other job run. */
    public boolean matches(boolean success) {
        return this == ANY || (this == SUCCESS) == success;
    }
}
