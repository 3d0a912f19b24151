package dev.elasticjob.definition;

import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
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

    static RetrySettings read(SettingSource source) {
        RetrySettings other = source.base().map(JobDefinition::retry).orElse(NONE);
        return new RetrySettings(
                source.number("retry.maxAttempts").orElse(other.maxAttempts),
                source.duration("retry.delay").orElse(other.delay),
                source.decimal("retry.multiplier").orElse(other.multiplier),
                source.duration("retry.maxDelay").orElse(other.maxDelay),
                source.duration("retry.jitter").orElse(other.jitter),
                source.names("retry.includes").orElse(other.includes),
                source.names("retry.excludes").orElse(other.excludes));
    }

    @Override
    public String toString() {
        return "maxAttempts=%d, delay=%s, multiplier=%s, maxDelay=%s, jitter=%s, includes=%s, excludes=%s"
                .formatted(
                        maxAttempts,
                        WrittenDuration.of(delay),
                        multiplier,
                        WrittenDuration.of(maxDelay),
                        WrittenDuration.of(jitter),
                        includes,
                        excludes);
    }
}
