package dev.elasticjob.job;

import java.time.Instant;

/** What a {@link JobErrorHandler} hears when this machine's clock is too far from the registry's to claim firings. */
public final class ClockDifferenceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ClockDifferenceException(Instant here, Instant registry) {
        super(
                ("this machine's clock says %s, the registry's says %s: firings are left to others until the clocks agree."
                                + " Set this clock, or allow for more with \"maxTimeDiffSeconds\"")
                        .formatted(here, registry));
    }
}
