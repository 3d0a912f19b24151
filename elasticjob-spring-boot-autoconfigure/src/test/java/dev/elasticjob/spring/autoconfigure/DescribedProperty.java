package dev.elasticjob.spring.autoconfigure;

import java.util.Locale;
import java.util.Map;

/**
 * A setting as the configuration metadata tells it.
 *
 * @param name in kebab case
 * @param standard what holds where nothing is set; empty when the description says that
 */
record DescribedProperty(String name, String type, String standard, String description) {
    static DescribedProperty of(Map<?, ?> metadata) {
        return new DescribedProperty(
                text(metadata, "name"),
                text(metadata, "type"),
                text(metadata, "defaultValue"),
                text(metadata, "description"));
    }

    private static String text(Map<?, ?> metadata, String key) {
        Object value = metadata.get(key);
        return value == null ? "" : value.toString();
    }

    DescribedProperty withStandard(String other) {
        return new DescribedProperty(name, type, other, description);
    }

    DescribedProperty withDescription(String other) {
        return new DescribedProperty(name, type, standard, other);
    }

    DescribedProperty below(String prefix) {
        return new DescribedProperty(prefix + name, type, standard, description);
    }

    /** Where no value can be given, words are. */
    boolean saysWhatHoldsByDefault() {
        return !standard.isEmpty() || description.contains("by default") || description.contains("Required");
    }

    /** For people who don't write Java. */
    String kind() {
        if (type.equals("java.util.List<java.lang.String>")) {
            return "list";
        }
        return switch (type.replaceAll("<.*", "")) {
            case "java.lang.Boolean" -> "`true` or `false`";
            case "java.lang.Integer" -> "whole number";
            case "java.lang.Double" -> "number";
            case "java.time.Duration" -> "duration";
            case "java.time.Instant" -> "time";
            case "java.time.ZoneId" -> "time zone";
            case "java.nio.file.Path" -> "path";
            case "java.util.Set" -> "list";
            case "java.util.List" -> "list of classes";
            case "java.util.Map" -> "map";
            case "java.lang.String" -> "text";
            default -> "name";
        };
    }

    static String kebab(String camelCase) {
        return camelCase.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The name in Java: of the annotation's attribute, and of what is stored. */
    String camelCase() {
        var name = new StringBuilder();
        boolean upper = false;
        for (char letter : this.name.toCharArray()) {
            if (letter != '-') {
                name.append(upper ? Character.toUpperCase(letter) : letter);
            }
            upper = letter == '-';
        }
        return name.toString();
    }
}
