package dev.elasticjob.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link Sweep} over the whole namespace has read until now. Immutable.
 *
 * @param entries ordered by name
 * @param progress how much that is, and how old
 */
public record Swept<T>(List<Entry<T>> entries, Progress progress) {
    public Swept {
        entries = List.copyOf(entries);
    }

    /** One value, as it was at a time. */
    public record Entry<T>(T value, Instant readAt) {}

    /**
     * How far a sweep is.
     *
     * @param jobs how many have been read
     * @param of how many there are
     * @param complete whether each of them has been read at least once
     * @param oldest when the one that was read first was read; empty if there is none
     */
    public record Progress(int jobs, int of, boolean complete, Optional<Instant> oldest) {}
}
