package dev.elasticjob.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * A real ZooKeeper server in this JVM, on a free loopback port, with a data directory of its own that is deleted at the
 * end. Its tick is half a second, so that it grants sessions from 1 s. Not safe for use by several threads.
 */
public final class ZooKeeperTestServer implements TestZooKeeper {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    static {
        // Read once, when ZooKeeper's classes are loaded.
        System.setProperty("zookeeper.4lw.commands.whitelist", "*");
        System.setProperty("zookeeper.forceSync", "no");
        System.setProperty("zookeeper.preAllocSize", "1024");
        System.setProperty("zookeeper.admin.enableServer", "false");
    }

    private final Path directory;
    private final boolean ownsDirectory;
    private int port;
    private FileTxnSnapLog storage;
    private ZooKeeperServer server;
    private NIOServerCnxnFactory connections;

    private ZooKeeperTestServer(Path directory, boolean ownsDirectory, int port) {
        this.directory = directory;
        this.ownsDirectory = ownsDirectory;
        this.port = port;
        begin();
    }

    public static ZooKeeperTestServer start() {
        try {
            return new ZooKeeperTestServer(Files.createTempDirectory("zookeeper"), true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With data that outlives it. */
    static ZooKeeperTestServer startAt(Path directory, int port) {
        return new ZooKeeperTestServer(directory, false, port);
    }

    @Override
    public String connectString() {
        return "127.0.0.1:" + port;
    }

    @Override
    public String chroot() {
        return "";
    }

    public int port() {
        return port;
    }

    @Override
    public long packetsReceived() {
        return server.serverStats().getPacketsReceived();
    }

    /** How many it keeps for all its clients. */
    public int watches() {
        return server.getZKDatabase().getDataTree().getWatchCount();
    }

    /** The paths, in order, that have a watch on their data; each persistent watch is one on data too. */
    public List<String> watchedPaths() {
        return server.getZKDatabase().getDataTree().getWatchesByPath().toMap().keySet().stream()
                .sorted()
                .toList();
    }

    public int nodes() {
        return server.getZKDatabase().getNodeCount();
    }

    @Override
    public void expire(long sessionId) {
        server.closeSession(sessionId);
    }

    /** Keeps port and data. */
    public void stop() {
        connections.shutdown();
        try {
            server.getZKDatabase().close();
            storage.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** After {@link #stop()}: on the same port, with the same data. */
    public void restart() {
        begin();
    }

    /** After {@link #stop()}: on the same port, with an empty disk. */
    public void restartWithoutData() {
        deleteContent();
        begin();
    }

    @Override
    public void close() {
        stop();
        if (ownsDirectory) {
            deleteContent();
        }
    }

    private void begin() {
        // A missing class makes a server wait forever, hence the limit.
        try {
            CompletableFuture.runAsync(this::startServer)
                    .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException("ZooKeeper was expected to start within " + LIMIT + " but didn't", e);
        }
    }

    private void startServer() {
        try {
            storage = new FileTxnSnapLog(directory.toFile(), directory.toFile());
            server = new ZooKeeperServer(storage, (int) TICK.toMillis(), "");
            server.setMaxSessionTimeout((int) Duration.ofMinutes(2).toMillis());
            connections = new NIOServerCnxnFactory();
            connections.configure(new InetSocketAddress("127.0.0.1", port), 0);
            connections.startup(server);
            port = connections.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while ZooKeeper was starting", e);
        }
    }

    private void deleteContent() {
        deleteRecursively(directory);
    }

    static void deleteRecursively(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
