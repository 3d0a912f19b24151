package dev.elasticjob.migration.output;

import dev.elasticjob.migration.conversion.ConvertedJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of an {@code @ElasticJob}. */
final class Annotation {
    private static final int LINE = 100;
    /** A constant may have 65,535 bytes. */
    private static final int MAX_LENGTH = 16_000;

    private static final Pattern DASH = Pattern.compile("-([a-z])");
    private static final String FREE = "job-properties.[";

    /** Attributes that hold no text, so no placeholder either. */
    private static final Set<String> NO_TEXT = Set.of(
            "sharding-total-count",
            "failover",
            "misfire",
            "monitor-execution",
            "max-time-diff-seconds",
            "monitor-port",
            "reconcile-interval-minutes",
            "disabled",
            "overwrite",
            "streaming-process",
            "concurrency");

    private Annotation() {}

    /** Whether the annotation has an attribute for it that can hold the value. */
    static boolean canHold(String property, Object value) {
        if (property.equals("enabled") || (property.contains(".") && !property.startsWith(FREE))) {
            return false;
        }
        if (!(value instanceof String text)) {
            return true;
        }
        // In an annotation, Spring evaluates expressions, and Java limits the length.
        return !NO_TEXT.contains(property)
                && !text.contains("#{")
                && !property.contains("=")
                && text.length() <= MAX_LENGTH;
    }

    /** With the name only. */
    static String ofName(String job) {
        return "@ElasticJob(name = %s)".formatted(literal(job));
    }

    /** With all settings that it can hold. */
    static String ofSettings(ConvertedJob job) {
        List<String> attributes = new ArrayList<>();
        List<String> free = new ArrayList<>();
        attributes.add("name = " + literal(job.name()));
        for (Map.Entry<String, Object> setting : job.settings().entrySet()) {
            String property = setting.getKey();
            Object value = setting.getValue();
            if (!canHold(property, value)) {
                continue;
            }
            if (property.startsWith(FREE)) {
                free.add(literal(property.substring(FREE.length(), property.length() - 1) + "=" + value));
            } else {
                attributes.add(attribute(property) + " = " + (value instanceof String text ? literal(text) : value));
            }
        }
        if (!free.isEmpty()) {
            attributes.add("jobProperties = {%s}".formatted(String.join(", ", free)));
        }
        String line = "@ElasticJob(%s)".formatted(String.join(", ", attributes));
        return line.length() <= LINE
                ? line
                : "@ElasticJob(\n        %s)".formatted(String.join(",\n        ", attributes));
    }

    private static String attribute(String property) {
        return DASH.matcher(property)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1).toUpperCase(Locale.ROOT)));
    }

    private static String literal(String text) {
        StringBuilder literal = new StringBuilder("\"");
        text.chars().forEach(c -> {
            switch (c) {
                case '"', '\\' -> literal.append('\\').append((char) c);
                case '\n' -> literal.append("\\n");
                case '\r' -> literal.append("\\r");
                case '\t' -> literal.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || Character.isSurrogate((char) c)) {
                        literal.append("\\u%04x".formatted(c));
                    } else {
                        literal.append((char) c);
                    }
                }
            }
        });
        return literal.append('"').toString();
    }
}
