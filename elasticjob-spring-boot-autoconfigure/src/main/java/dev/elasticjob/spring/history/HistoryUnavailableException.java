package dev.elasticjob.spring.history;

/** The database of the event trace gives no answer, or not in time. The message says why. */
public final class HistoryUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HistoryUnavailableException(String message) {
        super(message);
    }

    HistoryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
