package dev.elasticjob.definition;

import java.util.Locale;

/** What the registry holds as a job's definition can't be used. It takes a person to correct it there. */
public final class UnreadableDefinitionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String jobName;
    private final Part part;
    private final String reason;

    public UnreadableDefinitionException(String jobName, Part part, String reason, Throwable cause) {
        super(message(jobName, part, reason), cause);
        this.jobName = jobName;
        this.part = part;
        this.reason = reason;
    }

    public UnreadableDefinitionException(String jobName, Part part, String reason) {
        super(message(jobName, part, reason));
        this.jobName = jobName;
        this.part = part;
        this.reason = reason;
    }

    public String jobName() {
        return jobName;
    }

    public Part part() {
        return part;
    }

    /** What was expected and found, without what to do. */
    public String reason() {
        return reason;
    }

    private static String message(String jobName, Part part, String reason) {
        return ("The %s of job \"%s\" in the registry can't be used: %s. Correct it there or with"
                        + " JobAdmin.repair, delete it and start the job again, or set overwrite=true for one start, which"
                        + " also replaces what operators have changed")
                .formatted(part.name().toLowerCase(Locale.ROOT), jobName, reason);
    }

    /** Which of the two nodes of a definition. */
    public enum Part {
        CONFIG,
        EXTENSION
    }
}
