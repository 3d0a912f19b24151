package dev.elasticjob.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
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

    private static final List<ChronoUnit> UNITS =
            List.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES, ChronoUnit.SECONDS);
    private static final int NANOS_OF_A_MILLISECOND = 1_000_000;
    private static final int SECONDS_IN_MILLIS = 10_000;
    private static final int DIGITS_OF_MILLISECONDS = 4;

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
            throw new IllegalArgumentException(expected(text), e);
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

    /** The shortest text that {@link #parse} and Spring read as this duration, in one unit: {@code 90s}, {@code 2m}. */
    public static String of(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        long seconds = duration.toSeconds();
        if (duration.toNanosPart() != 0) {
            boolean isWhole =
                    duration.toNanosPart() % NANOS_OF_A_MILLISECOND == 0 && Math.abs(seconds) < SECONDS_IN_MILLIS;
            return isWhole ? duration.toMillis() + "ms" : duration.toString();
        }
        return UNITS.stream()
                .filter(unit -> seconds % unit.getDuration().toSeconds() == 0)
                .findFirst()
                .map(unit -> seconds / unit.getDuration().toSeconds() + letter(unit))
                .orElseThrow();
    }

    private static String letter(ChronoUnit unit) {
        return unit.name().substring(0, 1).toLowerCase(Locale.ROOT);
    }

    /**
     * What was expected of the text, if it is a number without a unit; empty otherwise. Numbers from 1,000 on are taken for
     * the milliseconds that other tools expect.
     */
    public static Optional<String> problem(String text) {
        String number = text.strip();
        if (!WITHOUT_UNIT.matcher(number).matches() || ZERO.matcher(number).matches()) {
            return Optional.empty();
        }
        String other = number.replaceAll("\\D", "").length() < DIGITS_OF_MILLISECONDS ? "m" : "ms";
        return Optional.of(
                "expected a duration with a unit: %1$s what? Write %1$ss or %1$s%2$s".formatted(number, other));
    }

    /** What was expected of a text that {@link #parse} refuses. */
    public static String expected(String text) {
        return problem(text).orElse("expected a duration such as 60s or PT60S");
    }
}
