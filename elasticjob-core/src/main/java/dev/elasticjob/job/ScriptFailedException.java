package dev.elasticjob.job;

/** A script job's process ended with another exit code than 0. */
public final class ScriptFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String errors;

    /** @param errors the last lines of what the process wrote to its standard error; bounded by the caller */
    public ScriptFailedException(int exitCode, String errors) {
        super("The script ended with exit code %d; %s"
                .formatted(
                        exitCode,
                        errors.isEmpty() ? "it wrote nothing to stderr" : "the end of its stderr: " + errors));
        this.exitCode = exitCode;
        this.errors = errors;
    }

    public int exitCode() {
        return exitCode;
    }

    /** The last lines of what the process wrote to its standard error; empty when there were none. */
    public String errors() {
        return errors;
    }
}
