package dev.elasticjob.job;

import java.time.Instant;

/**
 * Passed to a {@link JobErrorHandler} when this machine's clock differs too much from the registry's to claim firings.
 */
public final class ClockDifferenceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ClockDifferenceException(Instant here, Instant registry) {
        super(("this machine's clock is at %s, but the registry's is at %s. This instance claims no firings until"
                        + " the clocks agree, and others get its items. Synchronize this machine's clock, or"
                        + " allow a larger difference with \"maxTimeDiffSeconds\"")
                .formatted(here, registry));
    }
}
