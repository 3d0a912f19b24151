package dev.elasticjob.definition;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.zip.CRC32;

/**
 * How much later than a firing each of its items starts: by a time within a window that the names of both decide, so it is
 * the same on all instances, after a take-over and after a restart. It is a whole number of milliseconds: the CRC-32 of
 * {@code job/item/T}, with T in seconds since 1970, modulo the window. Immutable.
 *
 * @param window zero for none
 */
public record Jitter(String jobName, Duration window) {
    public static Jitter of(JobDefinition job) {
        return new Jitter(job.jobName(), job.jitter());
    }

    public boolean isNone() {
        return window.isZero();
    }

    /** When the item is due for the firing. */
    public Instant dueAt(int item, Instant firing) {
        return isNone() ? firing : firing.plus(delay(item, firing));
    }

    private Duration delay(int item, Instant firing) {
        var hash = new CRC32();
        hash.update("%s/%d/%d".formatted(jobName, item, firing.getEpochSecond()).getBytes(StandardCharsets.UTF_8));
        return Duration.ofMillis(hash.getValue() % window.toMillis());
    }
}
