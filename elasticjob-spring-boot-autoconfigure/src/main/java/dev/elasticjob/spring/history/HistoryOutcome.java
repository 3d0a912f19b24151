package dev.elasticjob.spring.history;

/** How an execution ended, or why a firing did not run. */
public enum HistoryOutcome {
    /** Not ended yet; or its end was not recorded, because the database was unavailable for too long. */
    RUNNING,
    COMPLETED,
    FAILED,
    /** The last attempt took longer than the job's timeout. */
    TIMEOUT,
    /** The session was lost, the process stopped, or its instance died. */
    INTERRUPTED,
    /** The job gave up with a {@link java.util.concurrent.CancellationException}. */
    CANCELLED,
    /** Did not run, and is not repeated. */
    LOST,
    /** Did not run; the execution for a later firing makes up for it. */
    FOLDED,
    /** Did not run, because the item was executing an earlier firing, in a job with {@code overlap=SKIP}. */
    SKIPPED,
    /** A manual run that was accepted and did not take place. */
    DROPPED,
    /** No item had begun the firing within {@code expectWithin}. It may have begun later: see the entries of its items. */
    OVERDUE
}
