package dev.elasticjob.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rule for durations that people write, in properties and annotations alike: with a unit, because each tool reads a
 * number without one in another way. Only 0 needs none. Pure.
 */
public final class WrittenDuration {
    private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?\\d+");
    private static final Pattern ZERO = Pattern.compile("[+-]?0+");

    /** A number and its unit. */
    private static final Pattern SHORT = Pattern.compile("([+-]?\\d+)(ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

    private WrittenDuration() {}

    /**
     * Reads {@code 500ms}, {@code 20s}, {@code 10m}, {@code 6h}, {@code 2d}, {@code PT1H30M} and {@code 0}.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static Duration parse(String text) {
        String written = text.strip();
        Matcher parts = SHORT.matcher(written);
        try {
            if (parts.matches()) {
                return Duration.of(Long.parseLong(parts.group(1)), unit(parts.group(2)));
            }
            return ZERO.matcher(written).matches() ? Duration.ZERO : Duration.parse(written);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("expected a duration such as 60s or PT60S", e);
        }
    }

    private static ChronoUnit unit(String written) {
        return switch (written.toLowerCase(Locale.ROOT)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }

    /** What was expected of the text, if it is a number without a unit; empty otherwise. */
    public static Optional<String> problem(String text) {
        String number = text.strip();
        return WITHOUT_UNIT.matcher(number).matches() && !ZERO.matcher(number).matches()
                ? Optional.of(
                        "expected a duration with a unit: %1$s what? Write %1$ss, %1$sms or %1$sm".formatted(number))
                : Optional.empty();
    }
}
