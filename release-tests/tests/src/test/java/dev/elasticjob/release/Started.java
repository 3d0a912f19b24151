package dev.elasticjob.release;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An application in a process of its own. Closing it kills it. */
final class Started implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;
    private static final int WORD = 4;
    // Columns of /proc/PID/net/tcp, and the state of a socket that listens.
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENS = "0A";

    private final Process process;

    private Started(Process process) {
        this.process = process;
    }

    /** Starts a JVM that compiles little and collects simply: it lives for seconds. */
    static Started java(Path jdk, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(jdk.resolve(Path.of("bin", "java")).toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
        command.addAll(arguments);
        return new Started(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** What it prints, until it has ended. */
    List<String> lines() {
        return read(new ArrayList<>(), null);
    }

    /** Its first line that contains the text, or everything if it ends before. */
    String lineWith(String text) {
        List<String> lines = read(new ArrayList<>(), text);
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        return last.contains(text) ? last : String.join("\n", lines);
    }

    /** The addresses on which it listens for connections, as Linux tells them. */
    List<InetAddress> listensOn() throws IOException {
        Path proc = Path.of("/proc", String.valueOf(process.pid()));
        Set<String> sockets = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(proc.resolve("fd"))) {
            for (Path file : files) {
                String target = Files.isSymbolicLink(file) ? Files.readSymbolicLink(file).toString() : "";
                sockets.add(target.replaceAll("socket:\\[(\\d+)]", "$1"));
            }
        }
        List<InetAddress> addresses = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(proc.resolve(Path.of("net", table)))) {
                String[] columns = line.strip().split("\\s+");
                if (columns[STATE].equals(LISTENS) && sockets.contains(columns[INODE])) {
                    addresses.add(address(columns[LOCAL].split(":")[0]));
                }
            }
        }
        return addresses;
    }

    /** Words of four bytes, each with its last byte first. */
    private static InetAddress address(String hex) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        byte[] ordered = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            ordered[i] = bytes[i / WORD * WORD + WORD - 1 - i % WORD];
        }
        return InetAddress.getByAddress(ordered);
    }

    private List<String> read(List<String> lines, String until) {
        CompletableFuture<Void> limit = new CompletableFuture<>();
        limit.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).exceptionally(late -> {
            process.destroyForcibly();
            return null;
        });
        try (BufferedReader output = process.inputReader()) {
            String line = output.readLine();
            while (line != null) {
                lines.add(line);
                line = until != null && line.contains(until) ? null : output.readLine();
            }
        } catch (IOException e) {
            lines.add("the output ended: " + e);
        }
        limit.complete(null);
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }
}
