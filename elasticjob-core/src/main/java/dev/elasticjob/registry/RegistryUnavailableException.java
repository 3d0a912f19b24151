package dev.elasticjob.registry;

/**
 * The registry could not be reached, or did not answer: the state of its nodes is unknown. Read again when the connection
 * is back.
 */
public final class RegistryUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;

    public RegistryUnavailableException(String message, boolean outcomeUnknown, Throwable cause) {
        super(message, cause);
        this.outcomeUnknown = outcomeUnknown;
    }

    public RegistryUnavailableException(String message) {
        super(message);
        this.outcomeUnknown = false;
    }

    /** Whether a transaction may have been committed nevertheless; false if it was never sent. */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
