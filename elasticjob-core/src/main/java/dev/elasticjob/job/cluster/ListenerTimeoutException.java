package dev.elasticjob.job.cluster;

import dev.elasticjob.time.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call of a job's cluster listeners took longer than the job's {@code beforeFirstTimeout} or {@code afterLastTimeout}, and was
 * interrupted. The cause is the exception that the listeners threw then, if they had returned by the time of the report.
 */
public final class ListenerTimeoutException extends Exception {
    private static final long serialVersionUID = 1;

    private final Duration timeout;

    /** @param setting the name of the setting that limits the call */
    public ListenerTimeoutException(String setting, Duration timeout, @Nullable Throwable thrown) {
        super(
                "The job's cluster listeners did not return within %s, the job's \"%s\"; their thread was interrupted"
                        .formatted(DurationText.of(timeout), setting),
                thrown);
        this.timeout = timeout;
    }

    /** The limit, not how long the call took. */
    public Duration timeout() {
        return timeout;
    }
}
