package dev.elasticjob.console.web;

/** The caller would overwrite what others have changed in the meantime. Nothing was written. */
public final class OutdatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Object theirs;

    /** @param theirs what is there now; becomes JSON */
    public OutdatedException(String message, Object theirs, Throwable cause) {
        super(message, cause);
        this.theirs = theirs;
    }

    Object theirs() {
        return theirs;
    }
}
