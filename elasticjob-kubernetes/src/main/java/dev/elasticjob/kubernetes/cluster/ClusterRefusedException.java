package dev.elasticjob.kubernetes.cluster;

/** The API server doesn't allow what was asked for: a quota, a missing right, or an object that it takes for wrong. */
public final class ClusterRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClusterRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
