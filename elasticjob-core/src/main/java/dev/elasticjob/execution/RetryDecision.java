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
 * Whether one execution is tried again, and after which pause, by Spring's policy. Counts the failures, so there is one
 * for each execution. Not thread-safe.
 */
final class RetryDecision {
    /** As long as any setting may be: a pause that grows has an end. */
    private static final Duration MAX_DELAY = Duration.ofDays(365);
    /** Deeper is a circle. */
    private static final int MAX_CAUSES = 100;

    private final RetryPolicy policy;
    private final BackOffExecution pauses;

    RetryDecision(RetrySettings settings) {
        Duration longest = settings.maxDelay().isZero() ? MAX_DELAY : settings.maxDelay();
        // By name: a definition may come from a process with classes that this one doesn't have.
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

    /** Empty when the failure is final. */
    Optional<Duration> pauseAfter(Throwable failure) {
        if (!policy.shouldRetry(failure)) {
            return Optional.empty();
        }
        long millis = pauses.nextBackOff();
        return millis == BackOffExecution.STOP ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    /** Whether it, or one of its causes, is of one of the classes or of a subclass, as Spring's own filters see it. */
    private static boolean isOneOf(List<String> classNames, Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(failure, cause -> cause != null, RetryDecision::cause)
                .limit(MAX_CAUSES)
                .flatMap(
                        cause -> Stream.<Class<?>>iterate(cause.getClass(), type -> type != null, Class::getSuperclass))
                .anyMatch(type -> classNames.contains(type.getName()));
    }

    /** This calls foreign code, which may fail: then there is none. */
    private static @Nullable Throwable cause(Throwable failure) {
        try {
            return failure.getCause();
        } catch (Throwable untold) {
            return null;
        }
    }
}
