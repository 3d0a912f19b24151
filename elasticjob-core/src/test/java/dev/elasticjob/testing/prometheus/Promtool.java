package dev.elasticjob.testing.prometheus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Prometheus' own tool for rules: at {@code ELASTICJOB_TEST_PROMTOOL}, or on the path. */
public record Promtool(Path program) {
    private static final long LIMIT_SECONDS = 120;

    /** Empty if this machine has none. */
    public static Optional<Promtool> find() {
        String given = System.getenv("ELASTICJOB_TEST_PROMTOOL");
        Stream<Path> onPath = Arrays.stream(System.getenv("PATH").split(":")).map(dir -> Path.of(dir, "promtool"));
        return Stream.concat(Stream.ofNullable(given).map(Path::of), onPath)
                .filter(Files::isExecutable)
                .findFirst()
                .map(Promtool::new);
    }

    /** What it says; empty if all is well. */
    public Optional<String> complaint(String... arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile("promtool", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            String text = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            return ended && process.exitValue() == 0 ? Optional.empty() : Optional.of(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while promtool was running", e);
        }
    }
}
