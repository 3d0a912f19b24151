package dev.elasticjob.registry.memory;

import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A place in the queue that the ensemble keeps for a latch. */
final class MemoryLatch implements Latch {
    private final InMemoryEnsemble ensemble;
    private final MemoryConnection connection;
    private final String path;
    private final String id;
    private final CompletableFuture<Void> acquired = new CompletableFuture<>();
    /** Within the ensemble's lock: 0 until it is queued. */
    private long session;
    /** Within the ensemble's lock. */
    private boolean left;
    /** Within the ensemble's lock: the ensemble has recorded that it was left. */
    private boolean over;

    MemoryLatch(InMemoryEnsemble ensemble, MemoryConnection connection, String path, String id) {
        this.ensemble = ensemble;
        this.connection = connection;
        this.path = path;
        this.id = id;
    }

    @Override
    public CompletionStage<Void> acquired() {
        return acquired;
    }

    @Override
    public void close() {
        ensemble.run(() -> {
            left = true;
            connection.sendUnanswered(this::leave);
        });
        fail("it was closed");
    }

    String path() {
        return path;
    }

    String id() {
        return id;
    }

    long session() {
        return session;
    }

    MemoryLatch enter() {
        connection
                .send(MemoryConnection.Effect.WRITES, path, () -> {
                    if (!left) {
                        session = connection.sessionId();
                        ensemble.queue(this);
                    }
                    return true;
                })
                .whenComplete((queued, failure) -> {
                    if (failure != null) {
                        close();
                    }
                });
        return this;
    }

    void fail(String reason) {
        acquired.completeExceptionally(
                new RegistryUnavailableException("Can't acquire the latch \"%s\": %s".formatted(path, reason)));
    }

    /** Within the ensemble's lock: it is first now. */
    void grant() {
        connection.event(() -> acquired.complete(null));
    }

    /** Within the ensemble's lock: the connection is back, in the same session. */
    void renew() {
        if (left) {
            leave();
        } else if (ensemble.isFirst(this)) {
            grant();
        }
    }

    boolean isOver() {
        return over;
    }

    private void leave() {
        over = true;
        ensemble.leave(this);
    }
}
