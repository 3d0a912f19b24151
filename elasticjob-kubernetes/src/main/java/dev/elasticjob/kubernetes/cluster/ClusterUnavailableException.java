package dev.elasticjob.kubernetes.cluster;

/** The API server didn't answer, or not with what was asked for. Passes by itself. */
public final class ClusterUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ClusterUnavailableException(String message) {
        super(message);
    }

    public ClusterUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
