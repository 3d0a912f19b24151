package dev.elasticjob.definition.text;

import java.util.List;
import java.util.regex.Pattern;
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

    /** Whether one of them matches the whole name. */
    public boolean matches(String name) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
        String expression = pattern.replaceAll("\\*+", "*")
                .codePoints()
                .mapToObj(Character::toString)
                .map(one -> one.equals("*") ? ".*" : one.equals("?") ? "." : Pattern.quote(one))
                .collect(Collectors.joining());
        return Pattern.compile(expression, Pattern.DOTALL).matcher(name).matches();
    }
}
