package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Checked;

/** What a job is to a person; each job is exactly one of these. The worst first. */
public enum JobCondition {
    /** Something in it needs a person: it has an {@link Attention} finding. */
    TROUBLED,
    /** Nothing of it starts, because people have decided so, or because it isn't ready yet. */
    STOPPED,
    /** An item is executing. */
    RUNNING,
    /** It waits for its first execution. */
    NEW,
    /** Its last executions have succeeded, or nobody need mind how they ended. */
    HEALTHY;

    static JobCondition of(Checked job) {
        if (!job.findings().isEmpty()) {
            return TROUBLED;
        }
        if (job.job().status() != JobStatus.READY) {
            return STOPPED;
        }
        return switch (job.items().state()) {
            case RUNNING -> RUNNING;
            case NEW -> NEW;
            default -> HEALTHY;
        };
    }
}
