package dev.elasticjob.job;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at an item took longer than the job's {@code timeout} and was interrupted. The cause is what the job threw
 * then; there is none where it returned in spite of it, which counts as failed too: nobody knows what it left out.
 */
public final class ItemTimeoutException extends Exception {
    private static final long serialVersionUID = 1;

    private final Duration timeout;

    public ItemTimeoutException(Duration timeout, @Nullable Throwable thrown) {
        super(
                "not done within %s, the job's timeout; its thread was interrupted".formatted(DurationText.of(timeout)),
                thrown);
        this.timeout = timeout;
    }

    /** The job's timeout, not how long the attempt took. */
    public Duration timeout() {
        return timeout;
    }
}
