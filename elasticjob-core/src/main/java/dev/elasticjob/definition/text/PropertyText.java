package dev.elasticjob.definition.text;

import java.util.Locale;
import java.util.Optional;

/** How names and values stand in the properties of a Spring Boot application. Pure. */
public final class PropertyText {
    private static final String OPEN = "${";

    private PropertyText() {}

    /** The name of a setting, such as {@code max-attempts} for {@code maxAttempts}. */
    public static String name(String setting) {
        return setting.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    /** The text that Spring reads as this value, whatever looks like a placeholder in it. */
    public static String escaped(String value) {
        StringBuilder escaped = new StringBuilder();
        for (int at = 0; at < value.length(); at++) {
            escaped.append(isPlaceholder(value, at) ? "\\" : "").append(value.charAt(at));
        }
        return escaped.toString();
    }

    /** The value that Spring reads; empty if it would have to resolve a placeholder. */
    public static Optional<String> value(String text) {
        StringBuilder value = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            boolean escaped = text.charAt(at) == '\\' && isPlaceholder(text, at + 1);
            if (escaped) {
                value.append(OPEN);
                at += OPEN.length();
            } else if (isPlaceholder(text, at)) {
                return Optional.empty();
            } else {
                value.append(text.charAt(at));
            }
        }
        return Optional.of(value.toString());
    }

    /** Only with an end it is one for Spring, and its escape is taken away. */
    private static boolean isPlaceholder(String text, int begin) {
        if (!text.startsWith(OPEN, begin)) {
            return false;
        }
        int open = 1;
        for (int at = begin + OPEN.length(); at < text.length() && open > 0; at++) {
            open += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
        }
        return open == 0;
    }
}
