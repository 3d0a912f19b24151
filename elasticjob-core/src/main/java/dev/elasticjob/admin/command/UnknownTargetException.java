package dev.elasticjob.admin.command;

/** There is no such job, item or server. The message names it. */
public final class UnknownTargetException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public UnknownTargetException(String message) {
        super(message);
    }
}
