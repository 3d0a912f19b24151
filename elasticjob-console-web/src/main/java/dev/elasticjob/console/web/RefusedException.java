package dev.elasticjob.console.web;

/** The state of a job, or of the application, doesn't allow what was asked for. Nothing was changed. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
        super(message);
    }

    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
