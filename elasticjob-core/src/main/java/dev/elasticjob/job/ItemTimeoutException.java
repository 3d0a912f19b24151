package dev.elasticjob.job;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at an item took longer than the job's {@code timeout} and was interrupted. The cause is the exception that
 * the job threw then. There is no cause if the job returned normally; the attempt counts as failed even so, because the
 * job may have skipped work.
 */
public final class ItemTimeoutException extends Exception {
    private static final long serialVersionUID = 1;

    private final Duration timeout;

    public ItemTimeoutException(Duration timeout, @Nullable Throwable thrown) {
        super(
                "The execution did not finish within %s, the job's timeout; its thread was interrupted"
                        .formatted(DurationText.of(timeout)),
                thrown);
        this.timeout = timeout;
    }

    /** The job's timeout, not how long the attempt took. */
    public Duration timeout() {
        return timeout;
    }
}
