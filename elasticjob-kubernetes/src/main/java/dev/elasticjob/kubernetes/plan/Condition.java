package dev.elasticjob.kubernetes.plan;

/** A condition of an application, as its status shows it. */
public record Condition(Kind kind, boolean holds, String reason, String message) {
    /** Their names are those of Kubernetes' conditions. */
    public enum Kind {
        /** Whether workers are started as the demand asks. */
        Ready,
        /** Whether workers that are started don't get to work. */
        WorkersBlocked,
        /** Whether there is none when there is nothing to do. */
        ScalesToZero
    }
}
