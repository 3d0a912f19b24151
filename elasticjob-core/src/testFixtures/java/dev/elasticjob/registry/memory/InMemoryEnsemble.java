package dev.elasticjob.registry.memory;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tree that several {@link InMemoryRegistry} share, with ZooKeeper's versions, transaction numbers, sessions,
 * ephemeral nodes, watches and latches. Thread-safe. Each request takes effect at one moment.
 *
 * <p>A session ends only with its client or by {@link #expire}, never by time.
 */
public final class InMemoryEnsemble {
    private static final long NEW_LEADER = 1L << 32;

    private final Duration sessionTimeout;
    /** Guarded by this object, as is everything below. */
    private final MemoryTree tree;

    private final Map<Long, MemoryConnection> sessions = new LinkedHashMap<>();
    private final Map<String, List<MemoryLatch>> latches = new TreeMap<>();
    private final List<Inbox> announcements = new ArrayList<>();
    private long lastSession;
    private long requests;

    /** @param clock the registry's time */
    public InMemoryEnsemble(Clock clock) {
        this(clock, Duration.ofSeconds(20));
    }

    /**
     * @param clock the registry's time
     * @param sessionTimeout the timeout reported to clients as granted; it never elapses here
     */
    public InMemoryEnsemble(Clock clock, Duration sessionTimeout) {
        this.tree = new MemoryTree(clock);
        this.sessionTimeout = sessionTimeout;
    }

    /**
     * Ends a session, as after its timeout. Its ephemeral nodes are gone when this method returns. A connected client
     * receives SUSPENDED and LOST, then connects again in a new session; a disconnected one learns of the end when it
     * reconnects. Has no effect on a session that has already ended.
     */
    public void expire(RegistrySession session) {
        run(() -> {
            MemoryConnection connection = sessions.get(session.id());
            if (connection != null) {
                connection.cutByExpiry();
                end(session.id());
            }
        });
    }

    /** A copy of the data, as an operator makes one of a server's data directory. Without the nodes of sessions. */
    public synchronized Copy copy() {
        return new Copy(tree.copy());
    }

    /**
     * The servers are restarted with the data of a copy. All sessions end, and transactions are numbered as on a single
     * server: from the copy's last one on.
     */
    public void restore(Copy copy) {
        restart(copy.tree(), copy.tree().number());
    }

    /** The same with the servers of an ensemble: a new leader numbers transactions above all that it may have had before. */
    public void restoreUnderNewLeader(Copy copy) {
        restart(copy.tree(), tree.number() + NEW_LEADER);
    }

    /** The servers are restarted with empty disks. */
    public void empty() {
        restart(MemoryTree.Copy.empty(), 0);
    }

    private void restart(MemoryTree.Copy copy, long number) {
        run(() -> {
            for (MemoryConnection connection : List.copyOf(sessions.values())) {
                long session = connection.sessionId();
                connection.cutByExpiry();
                end(session);
            }
            tree.restore(copy, number);
        });
    }

    /** The data at one moment. */
    public static final class Copy {
        private final MemoryTree.Copy tree;

        private Copy(MemoryTree.Copy tree) {
            this.tree = tree;
        }

        private MemoryTree.Copy tree() {
            return tree;
        }
    }

    /** The number of requests that have reached the ensemble. */
    public synchronized long requests() {
        return requests;
    }

    /** The tree and the queues of its latches as text, one line each, for the messages of failing tests. */
    public synchronized String render() {
        var text = new StringBuilder(tree.render());
        latches.forEach((path, queue) -> text.append("latch ")
                .append(path)
                .append(": ")
                .append(String.join(", ", queue.stream().map(MemoryLatch::id).toList()))
                .append('\n'));
        return text.toString();
    }

    @Override
    public String toString() {
        return render();
    }

    /** Runs an action on the ensemble at one moment. Resulting tasks are handed out afterwards. Not nested. */
    <T extends @Nullable Object> T exclusively(Supplier<T> action) {
        T result;
        List<Inbox> due;
        synchronized (this) {
            result = action.get();
            due = List.copyOf(announcements);
            announcements.clear();
        }
        due.forEach(Inbox::announce);
        return result;
    }

    void run(Runnable action) {
        exclusively(() -> {
            action.run();
            return true;
        });
    }

    // The following methods are called within exclusively() only.

    void enqueue(Inbox inbox, Runnable entry) {
        inbox.add(entry);
        announcements.add(inbox);
    }

    void countRequest() {
        requests++;
    }

    RegistrySession open(MemoryConnection connection) {
        var session = new RegistrySession(++lastSession, sessionTimeout);
        sessions.put(session.id(), connection);
        return session;
    }

    boolean lives(long session) {
        return sessions.containsKey(session);
    }

    /** Ends a session: deletes its ephemeral nodes, and removes it from queues. */
    void end(long session) {
        if (sessions.remove(session) == null) {
            return;
        }
        report(tree.deleteEphemerals(session));
        latches.values().stream()
                .flatMap(List::stream)
                .filter(latch -> latch.session() == session)
                .toList()
                .forEach(this::leave);
    }

    Optional<RegistryNode> node(String path) {
        return tree.node(path);
    }

    Optional<List<String>> children(String path) {
        return tree.children(path);
    }

    CommitOutcome commit(long session, RegistryCommit commit) {
        MemoryTree.Applied applied = tree.apply(session, commit);
        report(applied.changes());
        return applied.outcome();
    }

    void queue(MemoryLatch latch) {
        List<MemoryLatch> queue = latches.computeIfAbsent(latch.path(), any -> new ArrayList<>());
        queue.add(latch);
        queue.get(0).grant();
    }

    boolean isFirst(MemoryLatch latch) {
        List<MemoryLatch> queue = latches.getOrDefault(latch.path(), List.of());
        return !queue.isEmpty() && queue.get(0) == latch;
    }

    void leave(MemoryLatch latch) {
        List<MemoryLatch> queue = latches.getOrDefault(latch.path(), new ArrayList<>());
        boolean first = isFirst(latch);
        if (!queue.remove(latch)) {
            return;
        }
        if (queue.isEmpty()) {
            latches.remove(latch.path());
        } else if (first) {
            queue.get(0).grant();
        }
    }

    private void report(List<MemoryTree.Change> changes) {
        changes.forEach(change -> sessions.values().forEach(connection -> connection.changed(change)));
    }
}
