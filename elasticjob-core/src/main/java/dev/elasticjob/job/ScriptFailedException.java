package dev.elasticjob.job;

/** A script job's process ended with an exit code other than 0. */
public final class ScriptFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String errors;

    /**
     * @param program what was started, without its arguments
     * @param errors the last lines that the process wrote to standard error; the caller limits their length
     */
    public ScriptFailedException(String program, int exitCode, String errors) {
        super("The script \"%s\" ended with exit code %d; %s"
                .formatted(
                        program,
                        exitCode,
                        errors.isEmpty() ? "it wrote nothing to stderr" : "the end of its stderr: " + errors));
        this.exitCode = exitCode;
        this.errors = errors;
    }

    public int exitCode() {
        return exitCode;
    }

    /** The last lines that the process wrote to standard error; empty if there were none. */
    public String errors() {
        return errors;
    }
}
