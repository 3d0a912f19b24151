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
 * How long this process may rely on its session, by its own monotonic clock: always a little less long than the
 * servers do, so that executions are stopped before their items can be handed on.
 *
 * <p>Only commits prolong it: a quorum answers them, while a read may come from a server that has been cut off. An
 * answered commit alone does not prove that the servers count the session from it on, because the leader learns of a
 * client with the follower's next report only. So the lease counts from the sending of the newest commit whose answer
 * was followed, a server's tick later or more, by another answered one. Where there is none, it counts from the longest
 * silence before the newest commit at which the ZooKeeper client keeps its connection; time in which the process stood
 * still does not count for that silence. See "Sessions" in {@code docs/internals/protocol.md}.
 *
 * <p>Written on the coordination executor; {@link #holds} may be asked by any thread.
 */
public final class SessionLease implements AutoCloseable {
    /** The number of ticks that a session has to last: with fewer, a lease leaves nothing beside the tick it leaves out. */
    private static final int FEWEST_TICKS = 3;

    /** The client gives up a connection on which it has received nothing for two thirds of the timeout. */
    private static final int SILENT_THIRDS = 2;

    /** A first answer is good for at least one of so many parts of the timeout: a beat of the {@link LeaseKeeper}, and its answer. */
    private static final int SHORTEST_LEASE_PARTS = 5;

    /** Of the shortest timeout that servers grant. */
    private static final int TICKS_OF_MINIMUM = 2;

    private final TaskTimer time;
    private final Duration serverTick;
    private final PauseDetector detector;
    private final long origin;
    private final Deque<Answered> unconfirmed = new ArrayDeque<>();

    private volatile Term term = new Term(0, 0);
    private long lastSent;

    /** @param serverTick of the registry's servers: how exact they are about the end of a session */
    public SessionLease(TaskTimer time, Duration serverTick) {
        this.time = time;
        this.serverTick = serverTick;
        // A tick is left out of each lease. Half of it is the time until the leader is told of a client.
        this.detector = time.detectPauses(serverTick.dividedBy(2));
        this.origin = time.nanoTime();
    }

    /** What speaks against relying on a session: that it is too short to hold a lease. */
    public Optional<SessionTooShortException> objection(RegistrySession session) {
        Duration shortest = serverTick.multipliedBy(FEWEST_TICKS);
        return session.timeout().compareTo(shortest) < 0
                ? Optional.of(new SessionTooShortException(session.timeout(), shortest, serverTick))
                : Optional.empty();
    }

    /**
     * What makes the tick doubtful that leases rely on, for operators: servers raise a timeout to their minimum, which is
     * two ticks where they aren't told otherwise.
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
     * The sending of the newest commit whose answer this one follows by a tick; remembers this one for those that follow
     * it. From the answer: after a stall of the network, both may reach the server in one moment.
     */
    private OptionalLong confirmedBy(long at) {
        OptionalLong confirmed = OptionalLong.empty();
        while (!unconfirmed.isEmpty() && at - unconfirmed.getFirst().at() >= serverTick.toNanos()) {
            confirmed = OptionalLong.of(unconfirmed.removeFirst().sent());
        }
        unconfirmed.addLast(new Answered(at, now()));
        return confirmed;
    }

    /** Whether executions that were claimed in this session may go on. */
    public boolean holds(long sessionId) {
        Term current = term;
        return current.sessionId() == sessionId && current.end() > now();
    }

    /** What is left of the lease of the session; zero or less when it is over. */
    Duration left(long sessionId) {
        Term current = term;
        return current.sessionId() == sessionId ? Duration.ofNanos(current.end() - now()) : Duration.ZERO;
    }

    /** What is left of the lease; zero when it is over, or before there was one. Safe for use by any thread. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, term.end() - now()));
    }

    /** How long ago the last commit was sent. */
    Duration sinceLastSending() {
        return Duration.ofNanos(now() - lastSent);
    }

    /** For when nothing is sent any more. */
    @Override
    public void close() {
        detector.close();
    }

    /** Nanoseconds since this object was made: small numbers, which compare as one expects. */
    private long now() {
        return time.nanoTime() - origin;
    }

    /** A commit on its way. */
    record Sending(RegistrySession session, long at) {}

    private record Answered(long sent, long at) {}

    private record Term(long sessionId, long end) {}
}
