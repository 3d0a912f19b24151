package dev.elasticjob.execution;

import dev.elasticjob.definition.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Decides whether one execution is retried, and after which pause, by Spring's policy. Counts the failures, so each
 * execution has its own. Not thread-safe.
 */
final class RetryDecision {
    /** The maximum of any setting: a growing pause needs a limit. */
    private static final Duration MAX_DELAY = Duration.ofDays(365);
    /** A longer chain of causes is a circle. */
    private static final int MAX_CAUSES = 100;

    private final RetryPolicy policy;
    private final BackOffExecution pauses;

    RetryDecision(RetrySettings settings) {
        Duration longest = settings.maxDelay().isZero() ? MAX_DELAY : settings.maxDelay();
        // Compared by name: a definition may come from a process with classes that this one doesn't have.
        policy = RetryPolicy.builder()
                .maxRetries(settings.maxAttempts() - 1L)
                .delay(settings.delay())
                .multiplier(settings.multiplier())
                .maxDelay(longest)
                .jitter(settings.jitter())
                .predicate(failure -> (settings.includes().isEmpty() || isOneOf(settings.includes(), failure))
                        && !isOneOf(settings.excludes(), failure))
                .build();
        pauses = policy.getBackOff().start();
    }

    /** The pause; empty if the failure is final. */
    Optional<Duration> pauseAfter(Throwable failure) {
        if (!policy.shouldRetry(failure)) {
            return Optional.empty();
        }
        long millis = pauses.nextBackOff();
        return millis == BackOffExecution.STOP ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    /**
     * Whether the failure, or one of its causes, is an instance of one of the classes or a subclass, like Spring's own
     * filters.
     */
    private static boolean isOneOf(List<String> classNames, Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, cause -> cause != null, RetryDecision::cause)
                .limit(MAX_CAUSES)
                .flatMap(
                        cause -> Stream.<Class<?>>iterate(cause.getClass(), type -> type != null, Class::getSuperclass))
                .anyMatch(type -> classNames.contains(type.getName()));
    }

    /** Calls foreign code, which may fail; then there is no cause. */
    private static @Nullable Throwable cause(Throwable failure) {
        try {
            return failure.getCause();
        } catch (Throwable untold) {
            return null;
        }
    }
}
