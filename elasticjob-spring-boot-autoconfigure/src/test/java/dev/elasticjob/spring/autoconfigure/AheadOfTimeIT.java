package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** What the goal {@code process-aot} does, and a start of what it has generated. */
@Tag("proof")
class AheadOfTimeIT {
    @TempDir
    Path directory;

    @Test
    void jobRunsInAnApplicationThatWasProcessedAheadOfTime() throws IOException {
        Path sources = Files.createDirectory(directory.resolve("sources"));
        Path classes = Files.createDirectory(directory.resolve("classes"));
        String application = ProcessedApplication.class.getName();

        run(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                SpringApplicationAotProcessor.class.getName(),
                application,
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "dev.elasticjob",
                "processed",
                "--management.endpoints.web.exposure.include=*"));
        compile(sources, classes);
        String output = run(List.of(
                "-Dspring.aot.enabled=true",
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                application,
                "--server.port=0",
                "--management.endpoints.web.exposure.include=*",
                "--app.month=May"));

        assertThat(output)
                .contains("Starting AOT-processed")
                .contains("report of May")
                .contains("closing of May");
        assertThat(metadata(classes))
                .containsPattern("ProcessedApplication\"[^}]*\"methods\"[^}]*\"close\"")
                .contains("ElasticJobEndpointWebExtension$ProblemBody")
                .contains("org.apache.zookeeper.ClientCnxnSocketNIO")
                .contains("org.apache.zookeeper.ClientCnxnSocketNetty");
    }

    private static String metadata(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            Path metadata = files.filter(file -> file.endsWith("reachability-metadata.json"))
                    .findFirst()
                    .orElseThrow();
            return Files.readString(metadata);
        }
    }

    private static void compile(Path sources, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn",
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path")));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(status).as("javac").isZero();
    }

    private String run(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        Path file = Files.createTempFile(directory, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start();
        try {
            int exitCode =
                    process.onExit().orTimeout(180, TimeUnit.SECONDS).join().exitValue();
            String output = Files.readString(file, StandardCharsets.UTF_8);
            assertThat(exitCode).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
