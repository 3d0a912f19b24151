package dev.elasticjob.simulation;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.CommitOutcome.Reason;
import dev.elasticjob.registry.CommitOutcome.Refused;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The ensemble's one truth: the log of transactions, the tree they make, and the sessions as its leader knows them. A
 * refused transaction has its place in the log too: that is why its answer brings a server up to date.
 */
final class Quorum {
    /** Within that time, everything is right again after the clock is. */
    private static final Duration CORRECTED = Duration.ofMinutes(2);

    private static final Duration TOLERANCE = Duration.ofSeconds(31);

    private final Clock clock;
    private final Duration sessionTimeout;
    private Replica tree = new Replica();
    private final List<List<Change>> log = new ArrayList<>();
    private final Map<Long, Instant> lastHeard = new LinkedHashMap<>();
    private final Map<Long, Object> clients = new HashMap<>();
    private final Map<String, Deque<SimulatedLatch>> latches = new HashMap<>();
    private final List<Witness> witnesses = new ArrayList<>();
    private final List<Reader> readers = new ArrayList<>();
    private long lastSession;
    private Duration ahead = Duration.ZERO;
    /** When its clock was ahead for the first time; the far future if it never was. */
    private Instant aheadSince = Instant.MAX;

    private Instant rightSince = Instant.MIN;

    Quorum(Clock clock, Duration sessionTimeout) {
        this.clock = clock;
        this.sessionTimeout = sessionTimeout;
    }

    /** Sees each transaction that changes something, right after it. */
    interface Witness {
        void changed(long session, List<Change> changes);
    }

    /** Sees each node that a client is shown. */
    interface Reader {
        void read(long session, String path, RegistryNode node);
    }

    void addReader(Reader reader) {
        readers.add(reader);
    }

    void read(long session, String path, RegistryNode node) {
        readers.forEach(reader -> reader.read(session, path, node));
    }

    void addWitness(Witness witness) {
        witnesses.add(witness);
    }

    Replica tree() {
        return tree;
    }

    /** How many transactions there have been: the number of the last one. */
    int logged() {
        return log.size();
    }

    List<Change> transaction(int zxid) {
        return log.get(zxid - 1);
    }

    Duration sessionTimeout() {
        return sessionTimeout;
    }

    // ------------------------------------------------------------------ its clock

    /** Sets the clock by which transactions are stamped. Sessions are measured by another. */
    void isAhead(Duration now) {
        aheadSince = aheadSince.isBefore(clock.instant()) ? aheadSince : clock.instant();
        rightSince = now.isZero() ? clock.instant() : Instant.MAX;
        ahead = now;
    }

    boolean isAhead() {
        return !ahead.isZero();
    }

    /** Whether its clock is ahead, or was until a moment ago: what was written meanwhile may be wrong, and not corrected. */
    boolean isPardoned() {
        return !clock.instant().isBefore(aheadSince) && pardonedUntil().isAfter(clock.instant());
    }

    /** Whether a firing came in such a time. */
    boolean pardons(Instant firing) {
        return hasBeenAheadBy(firing) && !firing.isAfter(pardonedUntil());
    }

    /** Whether its clock was ahead before that; an instance's may be ahead of that moment itself. */
    boolean hasBeenAheadBy(Instant firing) {
        return aheadSince.isBefore(Instant.MAX) && !firing.isBefore(aheadSince.minus(TOLERANCE));
    }

    /** A leader takes its time from when the clock is right, or from its own election if that is later. */
    Instant pardonedUntil() {
        return rightSince.equals(Instant.MAX) || rightSince.equals(Instant.MIN)
                ? rightSince
                : rightSince.plus(CORRECTED);
    }

    // ------------------------------------------------------------------ transactions

    CommitOutcome commit(long session, RegistryCommit commit) {
        long zxid = log.size() + 1;
        Instant time = clock.instant().plus(ahead).truncatedTo(ChronoUnit.MILLIS);
        Draft draft = new Draft(tree, session, zxid, time);
        for (RegistryCommit.Operation operation : commit.operations()) {
            Optional<Reason> refusal = draft.step(operation);
            if (refusal.isPresent()) {
                append(session, List.of());
                return new Refused(refusal.get(), operation.path());
            }
        }
        append(session, draft.changes());
        return draft.isStamped()
                ? new Committed(OptionalLong.of(zxid), Optional.of(time))
                : new Committed(OptionalLong.empty(), Optional.empty());
    }

    private void append(long session, List<Change> changes) {
        log.add(List.copyOf(changes));
        for (Change change : changes) {
            if (elects(change) && isPardoned() && !isAhead()) {
                rightSince = clock.instant();
            }
            tree.apply(change);
        }
        if (!changes.isEmpty()) {
            witnesses.forEach(witness -> witness.changed(session, changes));
        }
    }

    private static boolean elects(Change change) {
        return change.kind() == Kind.CREATED && change.path().endsWith("/leader/election/instance");
    }

    // ------------------------------------------------------------------ loss of its data

    /** How far the log had got at some moment, and which sessions lived. */
    record Backup(int zxid, Set<Long> sessions) {
        static final Backup OF_NOTHING = new Backup(0, Set.of());
    }

    Backup backup() {
        return new Backup(logged(), Set.copyOf(lastHeard.keySet()));
    }

    /**
     * Everything is as it was then; what has happened since is forgotten. Sessions of then go on counting from now.
     *
     * @param next the number that the next transaction gets at least: a new leader may begin above all that there were
     */
    void restore(Backup backup, int next) {
        log.subList(backup.zxid(), log.size()).clear();
        tree = new Replica();
        log.forEach(changes -> changes.forEach(tree::apply));
        while (log.size() + 1 < next) {
            log.add(List.of());
        }
        lastHeard.clear();
        backup.sessions().forEach(session -> lastHeard.put(session, clock.instant()));
        latches.clear();
    }

    // ------------------------------------------------------------------ sessions

    /** @param client whose session it is */
    RegistrySession open(Object client) {
        RegistrySession session = new RegistrySession(++lastSession, sessionTimeout);
        clients.put(session.id(), client);
        lastHeard.put(session.id(), clock.instant());
        append(session.id(), List.of());
        return session;
    }

    /** Whether one client has or had both sessions. */
    boolean areOfOneClient(long one, long other) {
        return one == other || (clients.containsKey(one) && clients.get(one) == clients.get(other));
    }

    /** Whether the session is or was this client's. */
    boolean isOf(Object client, long session) {
        return clients.get(session) == client;
    }

    boolean lives(long session) {
        return lastHeard.containsKey(session);
    }

    /** A server has reported a sign of life. */
    void touch(long session) {
        lastHeard.computeIfPresent(session, (id, before) -> clock.instant());
    }

    /** Sessions that nobody has heard of for their timeout. */
    List<Long> overdue() {
        Instant limit = clock.instant().minus(sessionTimeout);
        return lastHeard.entrySet().stream()
                .filter(session -> !session.getValue().isAfter(limit))
                .map(Map.Entry::getKey)
                .toList();
    }

    void end(long session) {
        if (lastHeard.remove(session) == null) {
            return;
        }
        List<Change> changes = new ArrayList<>();
        for (String path : tree.ephemerals(session)) {
            changes.add(new Change(path, Kind.DELETED, tree.node(path), Optional.empty()));
        }
        append(session, changes);
        List.copyOf(latches.values()).stream()
                .flatMap(queue -> List.copyOf(queue).stream())
                .filter(latch -> latch.session() == session)
                .forEach(this::leave);
    }

    // ------------------------------------------------------------------ latches

    void queue(SimulatedLatch latch) {
        Deque<SimulatedLatch> queue = latches.computeIfAbsent(latch.path(), any -> new ArrayDeque<>());
        queue.add(latch);
        queue.element().grant();
    }

    boolean isFirst(SimulatedLatch latch) {
        Deque<SimulatedLatch> queue = latches.get(latch.path());
        return queue != null && queue.peek() == latch;
    }

    void leave(SimulatedLatch latch) {
        Deque<SimulatedLatch> queue = latches.getOrDefault(latch.path(), new ArrayDeque<>());
        boolean first = isFirst(latch);
        queue.remove(latch);
        if (first && !queue.isEmpty()) {
            queue.element().grant();
        }
    }
}
