package dev.elasticjob.coordination.continuity;

import java.util.Optional;

/**
 * What a process has seen of the registry so far.
 *
 * @param incarnation its data; empty before the first look
 * @param zxid the highest number of a transaction in this data
 * @param token the highest fencing token that an execution may have got, in whatever data
 */
record Known(Optional<Incarnation> incarnation, long zxid, long token) {
    static final Known NOTHING = new Known(Optional.empty(), 0, 0);

    /** A transaction was carried out. */
    Known and(long number) {
        return number <= zxid ? this : new Known(incarnation, number, Math.max(token, base() + number));
    }

    long base() {
        return incarnation.map(Incarnation::base).orElse(0L);
    }

    /** @param now a number that was given later than all others in this data */
    Known follow(Incarnation next, long now) {
        return new Known(Optional.of(next), now, Math.max(token, next.base() + now));
    }
}
