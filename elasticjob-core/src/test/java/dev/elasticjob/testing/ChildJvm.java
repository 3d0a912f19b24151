package dev.elasticjob.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A program in a JVM of its own, on this one's class path, with what it has printed. It can be asked to end, killed,
 * paused and resumed. What it prints is copied to {@code target/processes}. Safe for use by any thread.
 *
 * <p>A program that reads its input to the end, and ends then, ends with this JVM, whatever happens.
 */
public final class ChildJvm implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name;
    private final Process process;
    private final Heard<String> printed = new Heard<>();
    private final Consumer<String> lines;

    private ChildJvm(String name, Process process, Consumer<String> lines) {
        this.name = name;
        this.process = process;
        this.lines = lines;
        Thread reader = new Thread(this::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts it.
     *
     * @param lines hears each line it prints, on one thread, before those who wait for it
     * @param options for the JVM
     */
    public static ChildJvm start(
            String name, Consumer<String> lines, List<String> options, Class<?> program, List<String> arguments) {
        return start(name, lines, options, program, arguments, Map.of());
    }

    /** @param environment added to this JVM's own */
    public static ChildJvm start(
            String name,
            Consumer<String> lines,
            List<String> options,
            Class<?> program,
            List<String> arguments,
            Map<String, String> environment) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        all.addAll(arguments);
        return start(name, lines, all, environment);
    }

    /**
     * Starts a runnable jar.
     *
     * @param arguments of the jar
     */
    public static ChildJvm ofJar(String name, List<String> options, Path jar, List<String> arguments) {
        return ofJar(name, line -> {}, options, jar, arguments, Map.of());
    }

    /**
     * Starts a runnable jar.
     *
     * @param lines hears each line it prints, on one thread, before those who wait for it
     * @param arguments of the jar
     * @param environment added to this JVM's own
     */
    public static ChildJvm ofJar(
            String name,
            Consumer<String> lines,
            List<String> options,
            Path jar,
            List<String> arguments,
            Map<String, String> environment) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("-jar", jar.toString()));
        all.addAll(arguments);
        return start(name, lines, all, environment);
    }

    private static ChildJvm start(
            String name, Consumer<String> lines, List<String> arguments, Map<String, String> environment) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        try {
            ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
            process.environment().putAll(environment);
            return new ChildJvm(name, process.start(), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter copy = copy()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                copy.println(line);
                lines.accept(line);
                printed.add(line);
            }
        } catch (IOException e) {
            printed.add("(reading its output failed: " + e + ")");
        }
        printed.end();
    }

    /** For whoever wants to know what happened. */
    private PrintWriter copy() throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "processes"));
        Path file = directory.resolve(name.replace(' ', '-') + "-" + process.pid() + ".log");
        return new PrintWriter(Files.newBufferedWriter(file), true);
    }

    public String name() {
        return name;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public Heard<String> printed() {
        return printed;
    }

    /** Waits for a line of output. */
    public void await(String what, Predicate<String> wanted) {
        printed.await(what + " in process " + name, all -> all.stream().anyMatch(wanted));
    }

    /** Writes a line to its input. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGTERM: asks it to end, and doesn't wait. Through its handle, or Java would close its output at once. */
    public void askToEnd() {
        process.toHandle().destroy();
    }

    /** SIGTERM, and waits until it is gone. */
    public void terminate() {
        askToEnd();
        awaitExit();
    }

    /** SIGKILL: no farewell. */
    public void kill() {
        process.toHandle().destroyForcibly();
        awaitExit();
    }

    /** SIGSTOP: it stands where it is; its connections stay open. */
    public void pause() {
        signal("STOP");
    }

    /** SIGCONT, after {@link #pause()}. */
    public void resume() {
        signal("CONT");
    }

    /** Waits as long as it takes. @return its exit code */
    public int awaitEnd() {
        return process.onExit().join().exitValue();
    }

    /** @return its exit code */
    public int awaitExit() {
        return process.onExit()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join()
                .exitValue();
    }

    private void signal(String signal) {
        try {
            // The shell's own: not every machine has the program.
            Process kill = new ProcessBuilder("sh", "-c", "kill -%s %d".formatted(signal, process.pid()))
                    .inheritIO()
                    .start();
            int status = kill.onExit()
                    .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .join()
                    .exitValue();
            if (status != 0) {
                throw new IllegalStateException("kill -" + signal + " was expected to succeed but didn't");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
