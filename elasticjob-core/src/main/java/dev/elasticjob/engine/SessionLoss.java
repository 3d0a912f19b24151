package dev.elasticjob.engine;

/**
 * What happens to running executions when this process can no longer rely on its registry session, which is shortly
 * before the servers may expire it. In both cases, their contexts report {@code isLeaseLost()}, and nothing new is
 * claimed until this process can rely on a session again.
 *
 * <p>This does not apply to the shutdown of an engine: executions that outlast the shutdown timeout are always
 * interrupted.
 */
public enum SessionLoss {
    /** The threads are interrupted, so that an item that another instance runs doesn't run on this one too. */
    INTERRUPT,
    /**
     * The executions continue. An item may then run on two instances at the same time. This gives up the guarantee "one
     * at a time" while a session is lost, and is meant for jobs that compare their fencing token when they write. The
     * result counts if no other instance has taken over the item in the meantime.
     */
    CONTINUE
}
