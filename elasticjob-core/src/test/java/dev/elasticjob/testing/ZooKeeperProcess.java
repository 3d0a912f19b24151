package dev.elasticjob.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The server of {@link ZooKeeperTestServer} in a JVM of its own, which can be paused and killed. It ends with this JVM,
 * whatever happens: it reads its input until that ends. Not safe for use by several threads.
 */
public final class ZooKeeperProcess implements AutoCloseable {
    private static final String READY = "ready on port ";
    private static final long LIMIT_SECONDS = 60;

    private final Path directory;
    private int port;
    private Process process;

    private ZooKeeperProcess(Path directory) {
        this.directory = directory;
        begin();
    }

    public static ZooKeeperProcess start() {
        try {
            return new ZooKeeperProcess(Files.createTempDirectory("zookeeper"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String connectString() {
        return "127.0.0.1:" + port;
    }

    public long pid() {
        return process.pid();
    }

    /** Stops it where it stands; its connections stay open. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    /** Without a farewell; its data stays. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    /** After {@link #kill()}: on the same port, with the same data. */
    public void restart() {
        begin();
    }

    @Override
    public void close() {
        kill();
        ZooKeeperTestServer.deleteRecursively(directory);
    }

    private void begin() {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = List.of(
                java,
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                directory.toString(),
                Integer.toString(port));
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var ready = new CompletableFuture<Integer>();
        var reader = new Thread(() -> read(process, ready), "zookeeper-process-output");
        reader.setDaemon(true);
        reader.start();
        port = ready.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    private static void read(Process process, CompletableFuture<Integer> ready) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(READY)) {
                    ready.complete(Integer.valueOf(line.substring(READY.length())));
                }
            }
        } catch (IOException e) {
            // The process is gone: there is nothing more to read.
        }
        ready.completeExceptionally(new IllegalStateException("The server's process ended before it was ready"));
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            if (!kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("kill -" + name + " was expected to succeed but didn't");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while signalling the server", e);
        }
    }

    /** Runs in the other JVM. */
    static final class Main {
        private Main() {}

        @SuppressWarnings("SystemOut")
        public static void main(String[] args) throws IOException {
            try {
                var server = ZooKeeperTestServer.startAt(Path.of(args[0]), Integer.parseInt(args[1]));
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
