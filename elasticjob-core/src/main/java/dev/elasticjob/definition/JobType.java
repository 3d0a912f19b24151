package dev.elasticjob.definition;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The name of a kind of jobs, spelled as in the registry. Besides those that are named here, applications bring their own:
 * see {@link dev.elasticjob.definition.kind.JobKind}.
 */
public final class JobType {
    private static final Pattern NAME = Pattern.compile("[A-Z][A-Z0-9_]*");

    public static final JobType SIMPLE = new JobType("SIMPLE");
    public static final JobType DATAFLOW = new JobType("DATAFLOW");
    public static final JobType SCRIPT = new JobType("SCRIPT");
    public static final JobType HTTP = new JobType("HTTP");

    private final String name;

    /** @throws IllegalArgumentException if the name has other characters than upper-case letters, digits and underscores */
    public JobType(String name) {
        this.name = name;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "expected the name of a kind of jobs, which begins with a letter and has only letters, digits and underscores, but it is \"%s\""
                            .formatted(name));
        }
    }

    /**
     * A type as people write it: {@code script}, {@code my-kind} and {@code MY_KIND} are possible.
     *
     * @throws IllegalArgumentException if it is no name of a type
     */
    public static JobType of(String written) {
        return new JobType(written.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** In upper case. */
    public String name() {
        return name;
    }

    /** Whether the definition alone describes the work, so that the application contains no code for each such job. */
    public boolean isWithoutCode() {
        return KindRules.of(this).isWithoutCode();
    }

    /** As people write it in properties: {@code my-kind}. */
    public String kebab() {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JobType type && name.equals(type.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
