package dev.elasticjob.definition.text;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Patterns of names, of which one has to match: {@code *} stands for any characters, {@code ?} for one. Names may be in any
 * language, and their case counts. Immutable.
 *
 * @param patterns none match nothing
 */
public record NamePatterns(List<String> patterns) {
    public NamePatterns {
        patterns = List.copyOf(patterns);
    }

    /** @param text patterns, separated by commas; blanks around them don't count, and an empty text is {@code *} */
    public static NamePatterns of(String text) {
        List<String> parts = Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
        return new NamePatterns(parts.isEmpty() ? List.of("*") : parts);
    }

    /**
     * Patterns of jobs' names, as somebody has listed them.
     *
     * @throws IllegalArgumentException that names each pattern that can't match the name of any job
     */
    public static NamePatterns ofJobs(List<String> listed) {
        List<String> patterns = listed.stream().map(String::strip).toList();
        String problems = patterns.stream()
                .flatMap(pattern -> problem(pattern).map(found -> "\"%s\": %s".formatted(pattern, found)).stream())
                .collect(Collectors.joining("; "));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems);
        }
        return new NamePatterns(patterns);
    }

    private static Optional<String> problem(String pattern) {
        return pattern.isEmpty()
                ? Optional.of(
                        "expected the name of a job, in which * stands for any characters and ? for one; remove it, or write *")
                : NodeName.problem(pattern);
    }

    /** Whether one of them matches the whole name. */
    public boolean matches(String name) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /** In at most as many steps as both are long, multiplied: after a mismatch, only the last {@code *} takes one more. */
    private static boolean matches(String pattern, String name) {
        int[] expected = pattern.codePoints().toArray();
        int[] found = name.codePoints().toArray();
        int star = -1;
        int taken = 0;
        int at = 0;
        int place = 0;
        while (place < found.length) {
            if (at < expected.length && expected[at] == '*') {
                star = at++;
                taken = place;
            } else if (at < expected.length && (expected[at] == '?' || expected[at] == found[place])) {
                at++;
                place++;
            } else if (star >= 0) {
                at = star + 1;
                place = ++taken;
            } else {
                return false;
            }
        }
        while (at < expected.length && expected[at] == '*') {
            at++;
        }
        return at == expected.length;
    }
}
