package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether and when a failed execution is retried on the same instance, within its claim. Durations have a precision of
 * milliseconds.
 *
 * @param maxAttempts the maximum number of attempts, including the first; 1 means no retry
 * @param delay the pause after the first failure
 * @param multiplier the factor by which the pause grows with each failure, at least 1
 * @param maxDelay the longest pause; zero means no limit
 * @param jitter the maximum random deviation of a pause
 * @param includes class names of the exceptions that are retried, including subclasses; none means all
 * @param excludes class names of the exceptions that are not retried, including subclasses; they override {@code
 *     includes}
 */
public record RetrySettings(
        int maxAttempts,
        Duration delay,
        double multiplier,
        Duration maxDelay,
        Duration jitter,
        List<String> includes,
        List<String> excludes) {
    /** No retry. */
    public static final RetrySettings NONE = of(1, Duration.ofSeconds(1));

    public RetrySettings {
        includes = List.copyOf(includes);
        excludes = List.copyOf(excludes);
    }

    /** Retries every failure, always after the same pause. */
    public static RetrySettings of(int maxAttempts, Duration delay) {
        return new RetrySettings(maxAttempts, delay, 1, Duration.ZERO, Duration.ZERO, List.of(), List.of());
    }

    List<Violation> violations() {
        List<Violation> found = new ArrayList<>();
        if (maxAttempts < 1) {
            String expected = "expected at least 1, the first attempt; 1 means no retry";
            found.add(new Violation("retry.maxAttempts", String.valueOf(maxAttempts), expected));
        }
        JobSettings.durationFault("retry.delay", delay).ifPresent(found::add);
        JobSettings.durationFault("retry.maxDelay", maxDelay).ifPresent(found::add);
        JobSettings.durationFault("retry.jitter", jitter).ifPresent(found::add);
        if (!(multiplier >= 1)) {
            String expected = "expected at least 1; with 1, all pauses are equal";
            found.add(new Violation("retry.multiplier", String.valueOf(multiplier), expected));
        }
        return found;
    }

    @Override
    public String toString() {
        return "maxAttempts=%d, delay=%s, multiplier=%s, maxDelay=%s, jitter=%s, includes=%s, excludes=%s"
                .formatted(
                        maxAttempts,
                        DurationText.of(delay),
                        multiplier,
                        DurationText.of(maxDelay),
                        DurationText.of(jitter),
                        includes,
                        excludes);
    }
}
