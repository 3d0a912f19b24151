package dev.elasticjob.compatibility;

import dev.elasticjob.testing.Heard;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of other software, with its own class path; what it prints is heard. It ends with its input. */
final class ForeignProcess implements AutoCloseable {
    private final Process process;
    private final Heard<String> lines = new Heard<>();

    /**
     * @param target of the module that has the class
     * @param classPath the file in it that names the rest of the class path
     */
    ForeignProcess(Path target, String classPath, String main, List<String> arguments) {
        try {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    target.resolve("classes")
                            + File.pathSeparator
                            + Files.readString(target.resolve(classPath)).strip(),
                    main));
            command.addAll(arguments);
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread reader = new Thread(this::read, "foreign-output");
        reader.setDaemon(true);
        reader.start();
    }

    Heard<String> lines() {
        return lines;
    }

    void await(String line) {
        lines.await("\"" + line + "\" of the foreign process", all -> all.contains(line));
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // The process is gone: there is nothing more to read.
        }
        lines.end();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
