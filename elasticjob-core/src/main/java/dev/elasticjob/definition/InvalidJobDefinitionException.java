package dev.elasticjob.definition;

import java.util.List;
import java.util.stream.Collectors;

/** The definition of a job is invalid. The message lists all violations. */
public final class InvalidJobDefinitionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String jobName;
    private final transient List<Violation> violations;

    public InvalidJobDefinitionException(String jobName, List<Violation> violations) {
        super(message(jobName, violations));
        this.jobName = jobName;
        this.violations = List.copyOf(violations);
    }

    public String jobName() {
        return jobName;
    }

    /** The violations, in the order of the settings; never empty. */
    public List<Violation> violations() {
        return violations;
    }

    private static String message(String jobName, List<Violation> violations) {
        return violations.stream()
                .map(violation -> System.lineSeparator() + "  - " + violation)
                .collect(Collectors.joining("", "The definition of job \"%s\" is invalid:".formatted(jobName), ""));
    }

    /**
     * One invalid setting.
     *
     * @param setting the name of a row of {@link JobSettings}, or of a part of it
     * @param found its value, as text
     * @param expected what the value should be, or what to do
     */
    public record Violation(String setting, String found, String expected) {
        @Override
        public String toString() {
            return "%s is \"%s\": %s".formatted(setting, found, expected);
        }
    }
}
