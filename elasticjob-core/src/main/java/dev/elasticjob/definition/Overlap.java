package dev.elasticjob.definition;

/** What becomes of a firing that comes due while its item still executes. Immutable. */
public enum Overlap {
    /** It waits, and runs afterwards if the job makes up for missed firings. Otherwise, it is lost. */
    WAIT,
    /** The item doesn't run it. */
    SKIP,
    /** It cancels the execution, if that is one of an earlier firing, and runs as soon as that has ended. */
    CANCEL_RUNNING
}
