package dev.elasticjob.definition.text;

import java.util.List;

/**
 * Some of all names: those that match one of the patterns, and none of the exceptions. Immutable.
 *
 * @param chosen of none, all names are chosen
 * @param except of none, nothing is left out
 */
public record NameSelection(NamePatterns chosen, NamePatterns except) {
    /** All names. */
    public static final NameSelection ALL = of(List.of(), List.of());

    /** @throws IllegalArgumentException that names each pattern that can't match any job */
    public static NameSelection of(List<String> chosen, List<String> except) {
        return new NameSelection(NamePatterns.ofJobs(chosen), NamePatterns.ofJobs(except));
    }

    public boolean includes(String name) {
        return (chosen.patterns().isEmpty() || chosen.matches(name)) && !except.matches(name);
    }
}
