package dev.elasticjob.coordination.session;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a process has seen of the registry so far.
 *
 * @param incarnation its data; empty before the first look
 * @param former the ids of other data that it has followed before
 * @param zxid the highest number of a transaction in this data
 * @param token the highest fencing token that an execution may have got, in whatever data
 */
record KnownData(Optional<Incarnation> incarnation, Set<String> former, long zxid, long token) {
    static final KnownData NOTHING = new KnownData(Optional.empty(), Set.of(), 0, 0);

    /** A transaction was carried out. */
    KnownData and(long number) {
        return number <= zxid ? this : new KnownData(incarnation, former, number, Math.max(token, base() + number));
    }

    long base() {
        return incarnation.map(Incarnation::base).orElse(0L);
    }

    /** Whether it has followed this data once, and other data since. */
    boolean hasLeft(String id) {
        return former.contains(id);
    }

    /** @param now a number that was given later than all others in this data, but for those that are known of it already */
    KnownData follow(Incarnation next, long now) {
        boolean same =
                incarnation.filter(before -> before.id().equals(next.id())).isPresent();
        Set<String> left = new HashSet<>(former);
        incarnation.map(Incarnation::id).ifPresent(left::add);
        left.remove(next.id());
        long highest = same ? Math.max(zxid, now) : now;
        return new KnownData(Optional.of(next), Set.copyOf(left), highest, Math.max(token, next.base() + highest));
    }
}
