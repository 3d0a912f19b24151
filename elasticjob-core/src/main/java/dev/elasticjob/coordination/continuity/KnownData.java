package dev.elasticjob.coordination.continuity;

import java.util.Optional;

/**
 * What a process has seen of the registry so far.
 *
 * @param incarnation its data; empty before the first look
 * @param zxid the highest number of a transaction in this data
 * @param token the highest fencing token that an execution may have got, in whatever data
 */
record KnownData(Optional<Incarnation> incarnation, long zxid, long token) {
    static final KnownData NOTHING = new KnownData(Optional.empty(), 0, 0);

    /** A transaction was carried out. */
    KnownData and(long number) {
        return number <= zxid ? this : new KnownData(incarnation, number, Math.max(token, base() + number));
    }

    long base() {
        return incarnation.map(Incarnation::base).orElse(0L);
    }

    /** @param now a number that was given later than all others in this data */
    KnownData follow(Incarnation next, long now) {
        return new KnownData(Optional.of(next), now, Math.max(token, next.base() + now));
    }
}
