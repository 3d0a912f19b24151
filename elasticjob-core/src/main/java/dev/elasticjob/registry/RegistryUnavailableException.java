package dev.elasticjob.registry;

/**
 * The registry could not be asked, or did not answer: nothing is known of what is there. The way on is to look again
 * when the connection is back.
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

    /** Whether a transaction may have been carried out all the same; false when it was never sent. */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
