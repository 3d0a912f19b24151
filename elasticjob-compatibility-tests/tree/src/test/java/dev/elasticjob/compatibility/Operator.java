package dev.elasticjob.compatibility;

import dev.elasticjob.testing.Heard;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An operator with the tools of 2.1.5, which run in a JVM of their own with their own class path. It ends with its
 * input, so with this JVM too. For one thread.
 */
final class Operator implements AutoCloseable {
    private static final String OK = "ok";
    private static final String FAILED = "failed";

    private final Process process;
    private final Writer commands;
    private final Heard<String> answers = new Heard<>();

    Operator(String connectString, String namespace) {
        Path target = Path.of(System.getProperty("operator.target"));
        try {
            String classPath = target.resolve("classes")
                    + File.pathSeparator
                    + Files.readString(target.resolve("operator.class-path")).strip();
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-cp",
                            classPath,
                            "dev.elasticjob.compatibility.operator.Main",
                            connectString,
                            namespace)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "operator-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Carries out a command, and answers with its lines. */
    List<String> does(String... command) {
        answers.clear();
        try {
            commands.write(String.join("\t", command) + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers.await(
                "the answer to " + List.of(command),
                lines -> lines.stream().anyMatch(line -> line.equals(OK) || line.startsWith(FAILED)));
        List<String> lines = answers.all();
        String last = lines.get(lines.size() - 1);
        if (!last.equals(OK)) {
            throw new AssertionError("The operator could not " + List.of(command) + ": " + last);
        }
        return lines.subList(0, lines.size() - 1);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // The process is gone: there is nothing more to read.
        }
        answers.end();
    }

    @Override
    public void close() throws IOException {
        commands.close();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
