package dev.elasticjob.console.history;

/** The database of the trace gives no answer, or not in time. Nothing else of the console is affected. */
public final class HistoryAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HistoryAwayException(String message) {
        super(message);
    }

    public HistoryAwayException(String message, Throwable cause) {
        super(message, cause);
    }
}
