package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.SessionTooShortException;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.PauseDetector;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The time for which this process may rely on its session, by its own monotonic clock: always a little less than the
 * servers do, so that executions are stopped before their items can be given to others.
 *
 * <p>Only commits prolong the lease: a quorum answers them, while a read may come from a server that has been cut off.
 * An answered commit alone does not prove that the servers count the session from it on, because the leader learns of a
 * client only with the follower's next report. So the lease counts from the sending of the newest commit that was
 * followed, at least one server tick later, by another answered one. If there is none, it counts from the longest
 * silence before the newest commit for which the ZooKeeper client keeps its connection; pauses of the process don't
 * count as silence. See "Sessions" in {@code docs/internals/protocol.md}.
 *
 * <p>Written on the coordination executor; {@link #holds} is thread-safe.
 */
public final class SessionLease implements AutoCloseable {
    /** The minimum number of ticks in a session: with fewer, no lease is left after one tick is subtracted. */
    private static final int FEWEST_TICKS = 3;

    /** The client closes a connection on which it has received nothing for two thirds of the timeout. */
    private static final int SILENT_THIRDS = 2;

    /**
     * The lease of a first answer is at least this part of the timeout: a beat of the {@link LeaseKeeper}, and its
     * answer.
     */
    private static final int SHORTEST_LEASE_PARTS = 5;

    /** The number of ticks in the shortest timeout that servers grant. */
    private static final int TICKS_OF_MINIMUM = 2;

    private final TaskTimer time;
    private final Duration serverTick;
    private final PauseDetector detector;
    private final long origin;
    private final Deque<Answered> unconfirmed = new ArrayDeque<>();

    private volatile Term term = new Term(0, 0);
    private long lastSent;

    /** @param serverTick the registry servers' tick: their precision in expiring sessions */
    public SessionLease(TaskTimer time, Duration serverTick) {
        this.time = time;
        this.serverTick = serverTick;
        // A tick is subtracted from each lease. Half of it covers the time until the leader is told of a client.
        this.detector = time.detectPauses(serverTick.dividedBy(2));
        this.origin = time.nanoTime();
    }

    /** The reason why the session can't be relied on: it is too short to hold a lease. */
    public Optional<SessionTooShortException> objection(RegistrySession session) {
        Duration shortest = serverTick.multipliedBy(FEWEST_TICKS);
        return session.timeout().compareTo(shortest) < 0
                ? Optional.of(new SessionTooShortException(session, shortest, serverTick))
                : Optional.empty();
    }

    /**
     * A reason to doubt the tick that leases rely on, for operators: servers raise a timeout to their minimum, which is
     * two ticks by default.
     */
    Optional<String> doubt(RegistrySession session) {
        Duration granted = session.timeout();
        Duration tick = granted.dividedBy(TICKS_OF_MINIMUM);
        if (granted.compareTo(session.asked()) <= 0 || tick.compareTo(serverTick) <= 0) {
            return Optional.empty();
        }
        return Optional.of(
                ("This application requested a session timeout of %s, but the ZooKeeper servers granted %s, the"
                                + " shortest they grant. Unless their \"minSessionTimeout\" is set, that is two of their"
                                + " ticks, so their tick is %s, but \"elasticjob.registry.server-tick\" is %s. With"
                                + " too short a tick, an execution might be interrupted only after another instance has"
                                + " started its item. Set the property to the servers' \"tickTime\".")
                        .formatted(
                                DurationText.of(session.asked()),
                                DurationText.of(granted),
                                DurationText.of(tick),
                                DurationText.of(serverTick)));
    }

    /** Notes the moment at which a commit is sent. */
    Sending sending(RegistrySession session) {
        lastSent = now();
        return new Sending(session, lastSent);
    }

    /** A commit was answered, with success or refusal. */
    void answered(Sending sending) {
        long id = sending.session().id();
        if (term.sessionId() != id) {
            unconfirmed.clear();
            term = new Term(id, sending.at());
        }
        long timeout = sending.session().timeout().toNanos();
        long usable = timeout - Math.max(timeout / 10, serverTick.toNanos());
        long silent = Math.max(0, Math.min(timeout / 3 * SILENT_THIRDS, usable - timeout / SHORTEST_LEASE_PARTS));
        long lastSign = detector.awakeSince(sending.at() + origin, Duration.ofNanos(silent)) - origin;
        long base = Math.max(confirmedBy(sending.at()).orElse(Long.MIN_VALUE), lastSign);
        if (base + usable > term.end()) {
            term = new Term(id, base + usable);
        }
    }

    /**
     * The sending time of the newest commit that this one follows by a tick; this one is remembered for later ones.
     * Counted from the answer: after a network stall, both may reach the server at the same moment.
     */
    private OptionalLong confirmedBy(long at) {
        OptionalLong confirmed = OptionalLong.empty();
        while (!unconfirmed.isEmpty() && at - unconfirmed.getFirst().at() >= serverTick.toNanos()) {
            confirmed = OptionalLong.of(unconfirmed.removeFirst().sent());
        }
        unconfirmed.addLast(new Answered(at, now()));
        return confirmed;
    }

    /** Whether executions claimed in this session may continue. */
    public boolean holds(long sessionId) {
        Term current = term;
        return current.sessionId() == sessionId && current.end() > now();
    }

    /** The remaining lease of the session; zero or less if it is over. */
    Duration left(long sessionId) {
        Term current = term;
        return current.sessionId() == sessionId ? Duration.ofNanos(current.end() - now()) : Duration.ZERO;
    }

    /** The remaining lease; zero if it is over, or before the first one. Thread-safe. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, term.end() - now()));
    }

    /** The time since the last commit was sent. */
    Duration sinceLastSending() {
        return Duration.ofNanos(now() - lastSent);
    }

    /** Called when nothing is sent any more. */
    @Override
    public void close() {
        detector.close();
    }

    /** Nanoseconds since this object was created: small numbers, which can be compared safely. */
    private long now() {
        return time.nanoTime() - origin;
    }

    /** A commit on its way. */
    record Sending(RegistrySession session, long at) {}

    private record Answered(long sent, long at) {}

    private record Term(long sessionId, long end) {}
}
