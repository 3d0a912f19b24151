package dev.elasticjob.job;

/** How a manual run of an item has ended. */
public enum RunEnd {
    COMPLETED,
    FAILED,
    /** Interrupted, or its instance died. Because failover is off, the execution is not repeated. */
    INTERRUPTED,
    /** Not run, because the item was disabled before the run could start. */
    DROPPED,
    /** Ended, but the result is no longer known: later runs have overwritten the record, or the item was removed. */
    OVERTAKEN
}
