package dev.elasticjob.definition;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The definition of a job in the registry can't be used. A person has to correct it there. */
public final class UnreadableDefinitionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String jobName;
    private final Part part;
    private final String reason;

    public UnreadableDefinitionException(String jobName, Part part, String reason, @Nullable Throwable cause) {
        super(message(jobName, part, reason), cause);
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

    /** What was expected and what was found, without advice on what to do. */
    public String reason() {
        return reason;
    }

    private static String message(String jobName, Part part, String reason) {
        return ("The %s of job \"%s\" in the registry can't be used: %s. Correct it there, repair it"
                        + " in the console or with JobAdmin.repair, delete it and start the job again, or set overwrite=true for one start, which"
                        + " also replaces what operators have changed")
                .formatted(part.name().toLowerCase(Locale.ROOT), jobName, reason);
    }

    /** The two nodes of a definition. */
    public enum Part {
        CONFIG,
        EXTENSION
    }
}
