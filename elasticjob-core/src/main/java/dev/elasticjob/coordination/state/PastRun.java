package dev.elasticjob.coordination.state;

import dev.elasticjob.job.RunEnd;

/** A manual run that an item's record remembers beside what the item last did: for whoever awaits its end. */
record PastRun(String runId, RunEnd end) {
    /** How many requests a record remembers. They cost their bytes with each read of the record. */
    static final int REMEMBERED = 2;
}
