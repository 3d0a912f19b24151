package dev.elasticjob.simulation;

import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A place in the queue that the ensemble keeps for a latch. */
final class SimulatedLatch implements Latch {
    private final Quorum quorum;
    private final Connection connection;
    private final String path;
    private final CompletableFuture<Void> acquired = new CompletableFuture<>();
    private long session;
    private boolean left;

    SimulatedLatch(Quorum quorum, Connection connection, String path) {
        this.quorum = quorum;
        this.connection = connection;
        this.path = path;
    }

    @Override
    public CompletionStage<Void> acquired() {
        return acquired;
    }

    @Override
    public void close() {
        left = true;
        fail("it was closed");
        if (connection.isConnected()) {
            connection.send(true, path, at -> {
                quorum.leave(this);
                return true;
            });
        }
    }

    String path() {
        return path;
    }

    long session() {
        return session;
    }

    void enter() {
        connection
                .send(true, path, at -> {
                    if (!left) {
                        session = connection.sessionId();
                        quorum.queue(this);
                    }
                    return true;
                })
                .whenComplete((queued, failure) -> {
                    if (failure != null) {
                        close();
                    }
                });
    }

    void fail(String reason) {
        acquired.completeExceptionally(
                new RegistryUnavailableException("Can't acquire the latch \"%s\": %s".formatted(path, reason)));
    }

    /** It is first now. */
    void grant() {
        connection.event(this, () -> acquired.complete(null));
    }

    /** The connection is back, in the same session. */
    void renew() {
        if (left) {
            quorum.leave(this);
        } else if (quorum.isFirst(this)) {
            grant();
        }
    }
}
