package dev.elasticjob.group;

/** What the leader of a group does if an instance has not stopped its work within the stop-timeout. Either is reported. */
public enum OnStopTimeout {
    /** Waits until the instance has stopped, or its session is over. No index is ever held twice, but nobody works meanwhile. */
    WAIT,
    /**
     * Assigns the indexes to the others, without that instance. What it still does is then protected by the epoch only;
     * when it has stopped, it gets an index again.
     */
    PROCEED
}
