package dev.elasticjob.samples.quickstart;

import dev.elasticjob.testing.Heard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The quickstart in a JVM of its own, and what it has printed. Safe for use by any thread. */
final class QuickstartProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern EXECUTION = Pattern.compile(
            "orders item=(\\d+) parameter=\\S+ scheduledAt=(\\S+) instance=(\\S+) attempt=(\\d+) (started|ended)");
    private static final Pattern WEB_PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final String name;
    private final Process process;
    private final Heard<String> printed = new Heard<>();
    private final Heard<Line> executions;

    /**
     * One line that an execution printed.
     *
     * @param process which process printed it, by the test's own name
     */
    record Line(String process, int item, Instant scheduledAt, String instance, int attempt, String what) {}

    private QuickstartProcess(String name, Process process, Heard<Line> executions) {
        this.name = name;
        this.process = process;
        this.executions = executions;
        Thread reader = new Thread(this::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a process that joins the registry.
     *
     * @param executions gets what its executions print
     */
    static QuickstartProcess join(String name, String connectString, Heard<Line> executions, String... properties) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                QuickstartApplication.class.getName(),
                "--spring.profiles.active=join",
                "--elasticjob.registry.connect-string=" + connectString));
        command.addAll(List.of(properties));
        try {
            return new QuickstartProcess(
                    name, new ProcessBuilder(command).redirectErrorStream(true).start(), executions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter copy = copy()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                copy.println(line);
                printed.add(line);
                execution(line).ifPresent(executions::add);
            }
        } catch (IOException e) {
            printed.add("(reading its output failed: " + e + ")");
        }
        printed.end();
    }

    /** For whoever wants to know what happened. */
    private PrintWriter copy() throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "processes"));
        String file = name + "-" + process.pid() + ".log";
        return new PrintWriter(Files.newBufferedWriter(directory.resolve(file)), true);
    }

    private Optional<Line> execution(String line) {
        Matcher matcher = EXECUTION.matcher(line);
        return matcher.find()
                ? Optional.of(new Line(
                        name,
                        Integer.parseInt(matcher.group(1)),
                        Instant.parse(matcher.group(2)),
                        matcher.group(3),
                        Integer.parseInt(matcher.group(4)),
                        matcher.group(5)))
                : Optional.empty();
    }

    /** Waits for a line of output. */
    void await(String what, Predicate<String> wanted) {
        printed.await(what + " in process " + name, lines -> lines.stream().anyMatch(wanted));
    }

    String name() {
        return name;
    }

    /** All that it has printed so far. */
    List<String> printed() {
        return printed.all();
    }

    /** Where its web server listens, once it does. */
    int webPort() {
        await("a web server", line -> WEB_PORT.matcher(line).find());
        return printed.all().stream()
                .map(WEB_PORT::matcher)
                .filter(Matcher::find)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /** SIGTERM: asks it to end, and waits for it. */
    void terminate() {
        askToEnd();
        awaitExit();
    }

    /** SIGTERM, without waiting. Through its handle, or Java would close its output at once. */
    void askToEnd() {
        process.toHandle().destroy();
    }

    /** SIGKILL: no farewell. */
    void kill() {
        process.toHandle().destroyForcibly();
        awaitExit();
    }

    /** @return its exit code */
    int awaitExit() {
        return process.onExit()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join()
                .exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
