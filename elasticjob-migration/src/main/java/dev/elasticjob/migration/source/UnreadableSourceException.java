package dev.elasticjob.migration.source;

/** A source can't be read. The message names the place, what was expected, and what to do. */
public final class UnreadableSourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableSourceException(SourceLocation place, String message) {
        super(place + ": " + message);
    }

    public UnreadableSourceException(SourceLocation place, String message, Throwable cause) {
        super(place + ": " + message, cause);
    }
}
