package dev.elasticjob.job;

/** How a manual run of an item has ended. */
public enum RunEnd {
    COMPLETED,
    FAILED,
    /** It was broken off or its instance died, and with failover off nobody repeats it. */
    INTERRUPTED,
    /** It did not run: the item was disabled before it began. */
    DROPPED,
    /** It is over, but how is not known any more: later runs have gone over the record, or the item was removed. */
    OVERTAKEN
}
