package dev.elasticjob.spring.embedded;

import dev.elasticjob.time.DurationText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.ClassUtils;
import org.springframework.util.FileSystemUtils;

/**
 * A real ZooKeeper server in this process. It stops with the process, so it is for development only. Started and closed
 * once. Thread-safe.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
    private static final String LOOPBACK = "127.0.0.1";

    private final ZooKeeperServerEmbedded server;
    private final String connectString;
    private final @Nullable Path temporary;

    private EmbeddedZooKeeper(ZooKeeperServerEmbedded server, String connectString, @Nullable Path temporary) {
        this.server = server;
        this.connectString = connectString;
        this.temporary = temporary;
    }

    /**
     * Starts a server.
     *
     * @param address the address to listen on
     * @param port the port to listen on; 0 for any free port
     * @param dataDirectory the directory for its data; null for a temporary directory that is deleted at the end
     * @param tick its {@code tickTime}; it grants sessions of 2 to 20 ticks
     * @param timeout the maximum time to wait for its start
     * @throws FailureAnalyzedException if its jars are missing, the port is taken, or it doesn't start in time
     */
    public static EmbeddedZooKeeper start(
            String address, int port, @Nullable Path dataDirectory, Duration tick, Duration timeout) {
        // A missing class would make the server hang instead of fail.
        requireJars(EmbeddedZooKeeper.class.getClassLoader());
        requireFreePort(address, port);
        Path temporary = dataDirectory == null ? temporaryDirectory() : null;
        Path directory = dataDirectory == null ? temporary : dataDirectory;
        try {
            Files.createDirectories(directory);
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(directory)
                    .configuration(configuration(address, port, tick))
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(timeout.toMillis());
            String host = address.equals("0.0.0.0") ? LOOPBACK : address;
            String connectString = host + ":" + server.getClientPort();
            log.warn(
                    "An embedded ZooKeeper listens on \"{}\" and keeps its data in \"{}\". It is for development, not"
                            + " for production: the registry stops with this process",
                    connectString,
                    directory);
            return new EmbeddedZooKeeper(server, connectString, temporary);
        } catch (Exception e) {
            throw new FailureAnalyzedException(
                    "The embedded ZooKeeper did not start on %s:%d within %s: %s"
                            .formatted(address, port, DurationText.of(timeout), e),
                    "See the log above for the reason, or use a separate server: set"
                            + " \"elasticjob.registry.connect-string\".",
                    e);
        }
    }

    /** The connect string for this machine. */
    public String connectString() {
        return connectString;
    }

    @Override
    public void close() {
        server.close();
        if (temporary != null) {
            delete(temporary);
        }
    }

    static void requireJars(@Nullable ClassLoader classes) {
        List<String> missing = List.of(
                        new Jar("com.codahale.metrics.Reservoir", "io.dropwizard.metrics:metrics-core"),
                        new Jar("org.xerial.snappy.SnappyInputStream", "org.xerial.snappy:snappy-java"))
                .stream()
                .filter(jar -> !ClassUtils.isPresent(jar.className(), classes))
                .map(Jar::coordinates)
                .toList();
        if (!missing.isEmpty()) {
            throw new FailureAnalyzedException(
                    "The embedded ZooKeeper (\"elasticjob.registry.embedded.enabled\") needs jars that are not on the"
                            + " class path: %s.".formatted(String.join(", ", missing)),
                    "Add a dependency on each, or set \"elasticjob.registry.connect-string\" to a running ZooKeeper"
                            + " instead.");
        }
    }

    private record Jar(String className, String coordinates) {}

    /** Checks the port first: the server would only log that it is taken, and never start. */
    private static void requireFreePort(String address, int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw new FailureAnalyzedException(
                    "The embedded ZooKeeper can't listen on %s:%d: %s.".formatted(address, port, e.getMessage()),
                    "If another of your processes runs it there, join that one: set \"elasticjob.registry.connect-string\" to"
                            + " \"%s:%d\" (in the samples, use the profile \"join\"). Otherwise set \"elasticjob.registry.embedded.port\" to a free port (0 for any)."
                                    .formatted(address, port),
                    e);
        }
    }

    private static Properties configuration(String address, int port, Duration tick) {
        var properties = new Properties();
        properties.setProperty("clientPort", String.valueOf(port));
        properties.setProperty("clientPortAddress", address);
        // Its own default, 3 s, is longer than that of ZooKeeper's sample configuration, which is assumed elsewhere.
        properties.setProperty("tickTime", String.valueOf(tick.toMillis()));
        properties.setProperty("admin.enableServer", "false");
        properties.setProperty("maxClientCnxns", "0");
        return properties;
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("elasticjob-zookeeper-");
        } catch (IOException e) {
            throw new UncheckedIOException("Creating a temporary directory for the embedded ZooKeeper failed", e);
        }
    }

    private static void delete(Path directory) {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            log.warn(
                    "The embedded ZooKeeper's temporary directory \"{}\" can't be deleted: delete it by hand",
                    directory,
                    e);
        }
    }
}
