package dev.elasticjob.console.web;

/** Nothing may be changed in this registry, whoever asks. */
public final class ReadOnlyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ReadOnlyException(String message) {
        super(message);
    }
}
