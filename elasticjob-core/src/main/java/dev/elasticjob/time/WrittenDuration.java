package dev.elasticjob.time;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rule for durations that people write, in properties and annotations alike: with a unit, because each tool reads a
 * number without one in another way. Only 0 needs none. Pure.
 */
public final class WrittenDuration {
    private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?\\d+");
    private static final Pattern ZERO = Pattern.compile("[+-]?0+");

    private WrittenDuration() {}

    /** What was expected of the text, if it is a number without a unit; empty otherwise. */
    public static Optional<String> problem(String text) {
        String number = text.strip();
        return WITHOUT_UNIT.matcher(number).matches() && !ZERO.matcher(number).matches()
                ? Optional.of(
                        "expected a duration with a unit: %1$s what? Write %1$ss, %1$sms or %1$sm".formatted(number))
                : Optional.empty();
    }
}
