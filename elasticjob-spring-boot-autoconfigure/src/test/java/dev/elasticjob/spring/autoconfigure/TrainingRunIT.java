package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run that ends when all beans are made, as for a CDS archive: it has no ZooKeeper at hand. */
@Tag("proof")
class TrainingRunIT {
    @Test
    void needsNoZooKeeper() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dspring.context.exit=onRefresh",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TrainedApplication.class.getName(),
                        "--elasticjob.registry.connect-string=127.0.0.1:1",
                        "--elasticjob.registry.connection-timeout=200ms")
                .redirectErrorStream(true)
                .start();

        try {
            int exitCode =
                    process.onExit().orTimeout(120, TimeUnit.SECONDS).join().exitValue();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(exitCode).as(output).isZero();
            assertThat(output).contains("beans are made").doesNotContain("Registry at");
        } finally {
            process.destroyForcibly();
        }
    }
}
