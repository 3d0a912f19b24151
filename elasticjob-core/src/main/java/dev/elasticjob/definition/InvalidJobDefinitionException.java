package dev.elasticjob.definition;

import java.util.List;
import java.util.stream.Collectors;

/** A job can't be defined like this. Names everything that is wrong at once. */
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

    /** What is wrong, in the order of the settings; never empty. */
    public List<Violation> violations() {
        return violations;
    }

    private static String message(String jobName, List<Violation> violations) {
        return violations.stream()
                .map(violation -> System.lineSeparator() + "  - " + violation)
                .collect(Collectors.joining("", "The definition of job \"%s\" is invalid:".formatted(jobName), ""));
    }

    /**
     * One wrong setting.
     *
     * @param setting its name, as the components of {@link JobDefinition} are called
     * @param found its value, as text
     * @param expected what it should be, or what to do
     */
    public record Violation(String setting, String found, String expected) {
        @Override
        public String toString() {
            return "%s is \"%s\": %s".formatted(setting, found, expected);
        }
    }
}
