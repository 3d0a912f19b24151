package dev.elasticjob.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The server of {@link ZooKeeperTestServer} in a JVM of its own, which can be paused and killed. It ends with this JVM,
 * whatever happens. Not safe for use by several threads.
 */
public final class ZooKeeperProcess implements AutoCloseable {
    private static final String READY = "ready on port ";

    private final Path directory;
    private final int port = FreePort.choose();
    private ChildJvm process;
    /** The server counts a question as a packet. */
    private final List<String> options;

    private int asked;

    private ZooKeeperProcess(Path directory, List<String> options) {
        this.directory = directory;
        this.options = options;
        this.process = begin();
    }

    /** @param options for its JVM */
    public static ZooKeeperProcess start(String... options) {
        try {
            return new ZooKeeperProcess(Files.createTempDirectory("zookeeper"), List.of(options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String connectString() {
        return "127.0.0.1:" + port;
    }

    /** What all clients have sent so far, by its own count; pings included. Only differences tell anything. */
    public long packetsReceived() {
        return told("zk_packets_received") - asked;
    }

    public long znodes() {
        return told("zk_znode_count");
    }

    public long watches() {
        return told("zk_watch_count");
    }

    private long told(String name) {
        asked++;
        try {
            return FourLetterWord.ask(port, "mntr")
                    .lines()
                    .map(line -> line.split("\t"))
                    .filter(entry -> entry[0].equals(name))
                    .map(entry -> Long.parseLong(entry[1]))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops it where it stands; its connections stay open. */
    public void pause() {
        process.pause();
    }

    public void resume() {
        process.resume();
    }

    /** Without a farewell; its data stays. */
    public void kill() {
        process.kill();
    }

    /** After {@link #kill()}: on the same port, with the same data. */
    public void restart() {
        process = begin();
    }

    /** After {@link #kill()}: on the same port, with an empty disk. */
    public void restartWithoutData() {
        ZooKeeperTestServer.deleteRecursively(directory);
        restart();
    }

    /** After {@link #kill()}: a copy of its data, as an operator makes one. */
    public Path copy() {
        try {
            Path copy = Files.createTempDirectory("zookeeper-copy");
            copy(directory, copy);
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** After {@link #kill()}: on the same port, with the data of a copy, which is used up. */
    public void restartFrom(Path copy) {
        ZooKeeperTestServer.deleteRecursively(directory);
        try {
            copy(copy, directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ZooKeeperTestServer.deleteRecursively(copy);
        restart();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    @Override
    public void close() {
        kill();
        ZooKeeperTestServer.deleteRecursively(directory);
    }

    private ChildJvm begin() {
        List<String> arguments =
                new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC", "-Dzookeeper.4lw.commands.whitelist=mntr"));
        arguments.addAll(options);
        ChildJvm server = ChildJvm.start(
                "zookeeper", line -> {}, arguments, Main.class, List.of(directory.toString(), Integer.toString(port)));
        server.await("the server", line -> line.startsWith(READY));
        return server;
    }

    /** Runs in the other JVM. */
    static final class Main {
        private Main() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] args) throws IOException {
            try {
                Path directory = Files.createDirectories(Path.of(args[0]));
                var server = ZooKeeperTestServer.startAt(directory, Integer.parseInt(args[1]));
                System.out.println(READY + server.port());
                while (System.in.read() >= 0) {
                    // Ends with the JVM that started this one.
                }
            } finally {
                Runtime.getRuntime().halt(0);
            }
        }
    }
}
