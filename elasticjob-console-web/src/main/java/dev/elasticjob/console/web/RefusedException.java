package dev.elasticjob.console.web;

/** The state of a job doesn't allow a command. Nothing was changed. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
