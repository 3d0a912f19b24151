package dev.elasticjob.kubernetes.cluster;

/**
 * The API server doesn't allow what was asked for: a quota, a missing right, an object that it takes for wrong, or a name that
 * is taken.
 */
public final class ClusterRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    public ClusterRefusedException(String message, Throwable cause) {
        super(message, cause);
        this.code = "Refused";
    }

    ClusterRefusedException(String code, String message) {
        super(message);
        this.code = code;
    }

    /** One word for programs. */
    public String code() {
        return code;
    }
}
