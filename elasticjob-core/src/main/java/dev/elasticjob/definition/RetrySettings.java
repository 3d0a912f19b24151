package dev.elasticjob.definition;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.List;

/**
 * Whether and when a failed execution is tried again on the same instance, within its claim. Durations count in
 * milliseconds.
 *
 * @param maxAttempts how often it is tried in all, at least 1; 1: never again
 * @param delay the pause after the first failure
 * @param multiplier by what the pause grows from one failure to the next, at least 1
 * @param maxDelay the longest pause; zero: as long as it grows
 * @param jitter by how much a pause may be shorter or longer, at random
 * @param includes class names of the failures that are tried again, subclasses too; none: all
 * @param excludes class names of the failures that are not, subclasses too; they go before {@code includes}
 */
public record RetrySettings(
        int maxAttempts,
        Duration delay,
        double multiplier,
        Duration maxDelay,
        Duration jitter,
        List<String> includes,
        List<String> excludes) {
    /** Nothing is tried again. */
    public static final RetrySettings NONE = of(1, Duration.ofSeconds(1));

    public RetrySettings {
        includes = List.copyOf(includes);
        excludes = List.copyOf(excludes);
    }

    /** Any failure is tried again, after the same pause each time. */
    public static RetrySettings of(int maxAttempts, Duration delay) {
        return new RetrySettings(maxAttempts, delay, 1, Duration.ZERO, Duration.ZERO, List.of(), List.of());
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
