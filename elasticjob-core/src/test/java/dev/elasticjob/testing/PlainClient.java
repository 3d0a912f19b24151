package dev.elasticjob.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** A connected client of a server, for what is done to the server before or beside a test. Safe for use by any thread. */
final class PlainClient implements AutoCloseable {
    /** An attempt to connect takes as long at most: there is time for several. */
    private static final int SESSION_MILLIS = 6_000;

    private static final int LIMIT_SECONDS = 60;
    /** What a server derives a session's password from, beside the session's id. */
    private static final long SERVER_SECRET = 0XB3415C00L;

    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private final Watcher watcher = event -> {
        if (event.getState() == KeeperState.SyncConnected) {
            connected.complete(null);
        } else if (event.getState() == KeeperState.Expired) {
            connected.completeExceptionally(new IllegalStateException("The session was expected to be there"));
        }
    };

    private final ZooKeeper client;

    private interface Connector {
        ZooKeeper connect(Watcher watcher) throws IOException;
    }

    private PlainClient(Connector connector) {
        try {
            client = connector.connect(watcher);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connected.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    static PlainClient of(String server) {
        return new PlainClient(watcher -> new ZooKeeper(server, SESSION_MILLIS, watcher));
    }

    /** Takes over somebody else's session. */
    static PlainClient of(String server, long sessionId) {
        var password = new byte[16];
        new Random(sessionId ^ SERVER_SECRET).nextBytes(password);
        return new PlainClient(watcher -> new ZooKeeper(server, SESSION_MILLIS, watcher, sessionId, password));
    }

    void create(String path) {
        try {
            client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException e) {
            throw new IllegalStateException("\"" + path + "\" was expected to be created but wasn't", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Closes its session too. */
    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("Interrupted while the server was asked", e);
    }
}
