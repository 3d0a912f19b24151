package dev.elasticjob.registry.memory;

import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.registry.memory.MemoryConnection.Effect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The changes, absences and latches that one client waits for. Guarded by the ensemble's lock; events are messages of
 * the connection.
 */
final class MemoryWatches {
    private final InMemoryEnsemble ensemble;
    private final MemoryConnection connection;
    /** The client's subscriptions. */
    private final Map<Key, List<Runnable>> subscribers = new LinkedHashMap<>();
    /** The subscriptions that the ensemble knows, from the requests that have arrived. */
    private final Set<Key> placed = new HashSet<>();

    private final Map<String, List<CompletableFuture<Void>>> absences = new LinkedHashMap<>();
    private final Set<MemoryLatch> latches = new LinkedHashSet<>();
    private boolean closed;

    private record Key(String path, WatchScope scope) {}

    MemoryWatches(InMemoryEnsemble ensemble, MemoryConnection connection) {
        this.ensemble = ensemble;
        this.connection = connection;
    }

    Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        var key = new Key(path, scope);
        // Each subscription is a separate object, even if callers pass the same callback twice.
        Runnable subscriber = () -> lookAgain.run();
        ensemble.run(() -> {
            List<Runnable> sharing = subscribers.computeIfAbsent(key, any -> new CopyOnWriteArrayList<>());
            sharing.add(subscriber);
            if (sharing.size() == 1) {
                connection.sendUnanswered(() -> placed.add(key));
            }
        });
        return () -> ensemble.run(() -> unsubscribe(key, subscriber));
    }

    /** How many subscriptions and awaited absences this client has. */
    int count() {
        return Stream.concat(subscribers.values().stream(), absences.values().stream())
                .mapToInt(List::size)
                .sum();
    }

    /** Answered at once if the node is absent, otherwise when it is deleted. */
    CompletableFuture<Void> awaitAbsence(String path) {
        var absent = new CompletableFuture<Void>();
        absent.whenComplete((done, failure) -> {
            if (absent.isCancelled()) {
                ensemble.run(() -> forget(path, absent));
            }
        });
        connection
                .send(Effect.READS, path, () -> {
                    boolean isAbsent = ensemble.node(path).isEmpty();
                    if (!isAbsent && !absent.isDone()) {
                        absences.computeIfAbsent(path, any -> new ArrayList<>()).add(absent);
                    }
                    return isAbsent;
                })
                .whenComplete((isAbsent, failure) -> {
                    if (failure != null) {
                        absent.completeExceptionally(failure);
                    } else if (isAbsent) {
                        absent.complete(null);
                    }
                });
        return absent;
    }

    void add(MemoryLatch latch) {
        ensemble.run(() -> {
            latches.removeIf(MemoryLatch::isOver);
            latches.add(latch);
        });
    }

    // The following methods are called within the ensemble's lock.

    boolean isClosed() {
        return closed;
    }

    void changed(MemoryTree.Change change) {
        String parent = MemoryTree.parent(change.path());
        for (WatchScope scope : WatchScope.values()) {
            tell(new Key(change.path(), scope));
        }
        if (change.kind() != MemoryTree.Kind.SET) {
            tell(new Key(parent, WatchScope.NODE));
        }
        for (String above = parent; !above.equals(MemoryTree.ROOT); above = MemoryTree.parent(above)) {
            tell(new Key(above, WatchScope.SUBTREE));
        }
        tell(new Key(MemoryTree.ROOT, WatchScope.SUBTREE));
        if (change.kind() == MemoryTree.Kind.DELETED) {
            tellAbsence(change.path());
        }
    }

    /** The watches that report a change are looked up, because a client may have many thousands. */
    private void tell(Key key) {
        if (placed.contains(key)) {
            connection.event(() -> call(key));
        }
    }

    /** Sets watches on a new connection, and reports what happened to absences and latches in the meantime. */
    void renew() {
        placed.clear();
        placed.addAll(subscribers.keySet());
        List.copyOf(absences.keySet()).stream()
                .filter(path -> ensemble.node(path).isEmpty())
                .forEach(this::tellAbsence);
        List.copyOf(latches).forEach(MemoryLatch::renew);
    }

    void sessionEnded() {
        absences.values().stream()
                .flatMap(List::stream)
                .toList()
                .forEach(absent -> connection.message(() -> fail(absent)));
        absences.clear();
        List.copyOf(latches).forEach(latch -> connection.message(() -> latch.fail("the session has ended")));
        latches.clear();
        placed.clear();
    }

    void close() {
        closed = true;
        subscribers.clear();
        sessionEnded();
    }

    private void unsubscribe(Key key, Runnable subscriber) {
        List<Runnable> sharing = subscribers.getOrDefault(key, new ArrayList<>());
        if (sharing.remove(subscriber) && sharing.isEmpty()) {
            subscribers.remove(key);
            connection.sendUnanswered(() -> placed.remove(key));
        }
    }

    private void tellAbsence(String path) {
        // Kept until it is reported, because the message may be lost with the connection.
        List.copyOf(absences.getOrDefault(path, List.of()))
                .forEach(absent -> connection.event(() -> {
                    ensemble.run(() -> forget(path, absent));
                    absent.complete(null);
                }));
    }

    private void forget(String path, CompletableFuture<Void> absent) {
        absences.computeIfPresent(path, (any, waiting) -> {
            waiting.removeIf(each -> each == absent);
            return waiting.isEmpty() ? null : waiting;
        });
    }

    private void call(Key key) {
        List<Runnable> sharing = ensemble.exclusively(() -> subscribers.getOrDefault(key, List.of()));
        sharing.forEach(Runnable::run);
    }

    private static void fail(CompletableFuture<Void> absent) {
        absent.completeExceptionally(
                new RegistryUnavailableException("The session ended while the node existed; read again"));
    }
}
