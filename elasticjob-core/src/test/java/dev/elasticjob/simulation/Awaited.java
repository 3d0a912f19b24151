package dev.elasticjob.simulation;

import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What one client waits for: changes, absences, latches. */
final class Awaited {
    private final Connection connection;
    private final Map<Key, List<Runnable>> subscribers = new LinkedHashMap<>();
    /** What the server knows of it, by the present connection: what went astray with another one changes nothing here. */
    private Set<Key> placed = new LinkedHashSet<>();

    private final Map<String, List<CompletableFuture<Void>>> absences = new LinkedHashMap<>();
    private final List<SimulatedLatch> latches = new ArrayList<>();

    private record Key(String path, WatchScope scope) {
        boolean covers(Change change) {
            if (change.path().equals(path)) {
                return true;
            }
            return switch (scope) {
                case DATA -> false;
                case NODE ->
                    change.kind() != Kind.SET && Replica.parent(change.path()).equals(path);
                case SUBTREE -> change.path().startsWith(path + "/");
            };
        }
    }

    Awaited(Connection connection) {
        this.connection = connection;
    }

    Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        Key key = new Key(path, scope);
        Runnable own = lookAgain::run;
        List<Runnable> sharing = subscribers.computeIfAbsent(key, any -> new ArrayList<>());
        sharing.add(own);
        if (sharing.size() == 1 && connection.isConnected()) {
            Set<Key> here = placed;
            connection.send(false, path, server -> here.add(key));
        }
        return () -> {
            sharing.remove(own);
            if (sharing.isEmpty() && subscribers.remove(key, sharing) && connection.isConnected()) {
                Set<Key> here = placed;
                connection.send(false, path, server -> here.remove(key));
            }
        };
    }

    CompletableFuture<Void> absence(String path) {
        CompletableFuture<Void> absent = new CompletableFuture<>();
        absent.whenComplete((done, failure) -> {
            if (absent.isCancelled()) {
                absences.values().removeIf(waiting -> waiting.remove(absent) && waiting.isEmpty());
            }
        });
        connection
                .send(false, path, server -> {
                    boolean isAbsent = server.replica().node(path).isEmpty();
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

    void add(SimulatedLatch latch) {
        latches.add(latch);
    }

    void changed(Change change) {
        placed.stream()
                .filter(key -> key.covers(change))
                .forEach(key -> connection.event(
                        key,
                        () -> List.copyOf(subscribers.getOrDefault(key, List.of()))
                                .forEach(Runnable::run)));
        if (change.kind() == Kind.DELETED && absences.containsKey(change.path())) {
            tellAbsence(change.path());
        }
    }

    /** A new connection: watches are put on it, and what happened meanwhile to absences and latches is told. */
    void renew(Server server) {
        placed = new LinkedHashSet<>(subscribers.keySet());
        List.copyOf(absences.keySet()).stream()
                .filter(path -> server.replica().node(path).isEmpty())
                .forEach(this::tellAbsence);
        latches.removeIf(latch -> latch.acquired().toCompletableFuture().isCompletedExceptionally());
        List.copyOf(latches).forEach(SimulatedLatch::renew);
    }

    void sessionEnded() {
        absences.values().stream()
                .flatMap(List::stream)
                .toList()
                .forEach(absent -> connection.tell(() -> absent.completeExceptionally(
                        new RegistryUnavailableException("The session ended while the node existed"))));
        absences.clear();
        List.copyOf(latches).forEach(latch -> connection.tell(() -> latch.fail("the session has ended")));
        latches.clear();
        placed = new LinkedHashSet<>();
    }

    private void tellAbsence(String path) {
        // Kept until it is told: the event may be lost with the connection.
        connection.event("absence of " + path, () -> {
            List<CompletableFuture<Void>> waiting = absences.remove(path);
            if (waiting != null) {
                waiting.forEach(absent -> absent.complete(null));
            }
        });
    }
}
