package dev.elasticjob.migration.conversion;

import dev.elasticjob.migration.source.Dialect;
import dev.elasticjob.migration.source.SourceSetting;
import dev.elasticjob.migration.source.UnreadableSourceException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the values of settings. A placeholder stays a text. */
final class SettingValues {
    private static final Set<String> TRUE = Set.of("true", "on", "yes", "1");
    private static final Set<String> FALSE = Set.of("false", "off", "no", "0");

    private SettingValues() {}

    static boolean isPlaceholder(String value) {
        return value.contains("${");
    }

    /** Whether it is an expression that Spring XML evaluates, and properties don't. */
    static boolean isExpression(SourceSetting setting, Dialect dialect) {
        return dialect.hasExpressions() && setting.value().contains("#{");
    }

    /** Whether Spring reads the text differently today: Spring 5 knew no escaped placeholders. */
    static boolean isEscaped(SourceSetting setting, Dialect dialect) {
        return dialect.hasPlaceholders() && setting.value().contains("\\${");
    }

    /** The text for a property, in which <code>${</code> is a placeholder. */
    static String text(SourceSetting setting, Dialect dialect) {
        return dialect.hasPlaceholders() ? setting.value() : setting.value().replace("${", "\\${");
    }

    static Object flag(SourceSetting setting, Dialect dialect) {
        Optional<String> placeholder = placeholder(setting, dialect);
        if (placeholder.isPresent()) {
            return placeholder.get();
        }
        String word = setting.value().strip().toLowerCase(Locale.ROOT);
        if (!TRUE.contains(word) && !FALSE.contains(word)) {
            throw unexpected(setting, "true or false");
        }
        return TRUE.contains(word);
    }

    static Object number(SourceSetting setting, Dialect dialect) {
        Optional<String> placeholder = placeholder(setting, dialect);
        if (placeholder.isPresent()) {
            return placeholder.get();
        }
        try {
            return Integer.parseInt(setting.value().strip());
        } catch (NumberFormatException e) {
            throw unexpected(setting, "a whole number");
        }
    }

    /** Also a placeholder has the unit behind it. */
    static String millis(SourceSetting setting, Dialect dialect) {
        return number(setting, dialect) + "ms";
    }

    private static Optional<String> placeholder(SourceSetting setting, Dialect dialect) {
        return Optional.of(setting.value())
                .filter(value -> dialect.hasPlaceholders() && isPlaceholder(value))
                .map(String::strip);
    }

    private static UnreadableSourceException unexpected(SourceSetting setting, String expected) {
        return new UnreadableSourceException(
                setting.place(),
                "expected %s for \"%s\", but was \"%s\". Correct the value"
                        .formatted(expected, setting.key(), setting.value()));
    }
}
