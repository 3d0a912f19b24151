package dev.elasticjob.engine;

/**
 * What becomes of running executions when this process can no longer rely on its registry session, which is a little
 * before the servers may hand its items on. In both cases their contexts report {@code isLeaseLost()}, and nothing new
 * is claimed until this process has a session to rely on again.
 *
 * <p>The end of an engine is something else: what outlives its shutdown timeout is interrupted whatever is set here.
 */
public enum SessionLoss {
    /** Their threads are interrupted, so that an item which runs elsewhere doesn't run here too. */
    INTERRUPT,
    /**
     * They go on. An item may then be executing twice at a time, here and where it was handed on to: this gives up the
     * promise "one at a time" for the length of a lost session, and is for jobs that compare their fencing token where
     * they write. What they did counts if nobody has taken the item over meanwhile.
     */
    CONTINUE
}
