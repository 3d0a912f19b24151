package dev.elasticjob.job.event;

/** Which call of a job's cluster listeners. */
public enum HookKind {
    /** Before the first item of a firing begins. */
    BEFORE,
    /** After the last item of a firing has ended. */
    AFTER
}
