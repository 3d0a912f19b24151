package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application without a web server lives as long as its context, and what runs at its end is not cut. */
class NonWebApplicationIT {
    private static final JobTree ORDERS = new JobTree("orders");
    private static final int ENDED_BY_SIGTERM = 128 + 15;

    private final OnZooKeeper zooKeeper = new OnZooKeeper();
    private final Heard<String> printed = new Heard<>();
    private Process process;
    private PrintWriter input;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NonWebApplication.class.getName(),
                        "--elasticjob.registry.connect-string=" + zooKeeper.connectString(),
                        "--elasticjob.registry.namespace=shop",
                        "--elasticjob.instance.id=10.0.0.1@-@a")
                .redirectErrorStream(true)
                .start();
        input = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        var reader = new Thread(this::read, "output");
        reader.setDaemon(true);
        reader.start();
        awaitLine("main has returned");
        awaitLine("item begins");
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
        zooKeeper.close();
    }

    @Test
    void itemThatRunsAtTheEndIsFinishedAfterSigterm() {
        // Through its handle, or Java would close its output at once.
        process.toHandle().destroy();
        awaitLine("context closes");
        input.println("release");

        assertThat(exitCode()).isEqualTo(ENDED_BY_SIGTERM);
        assertThat(printed.all()).containsSubsequence("context closes", "item ends");
        assertThat(recordOfItem0()).contains("\"state\":\"COMPLETED\"");
    }

    @Test
    void applicationEndsWhenItsContextIsClosed() {
        input.println("release");
        awaitLine("item ends");

        input.println("close");

        assertThat(exitCode()).isZero();
        assertThat(printed.all()).contains("context closes");
    }

    private String recordOfItem0() {
        try (var registry = CuratorRegistry.connect(RegistrySettings.of(zooKeeper.connectString(), "shop"))) {
            var answer = OnZooKeeper.get(registry.read(
                    List.of(RegistryRead.data(ORDERS.item(0)), RegistryRead.data(ORDERS.instance("10.0.0.1@-@a")))));
            assertThat(answer.node(ORDERS.instance("10.0.0.1@-@a")))
                    .as("it has left")
                    .isEmpty();
            return new String(answer.node(ORDERS.item(0)).orElseThrow().data(), StandardCharsets.UTF_8);
        }
    }

    private int exitCode() {
        return process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
    }

    private void awaitLine(String line) {
        printed.await("the line \"" + line + "\"", lines -> lines.contains(line));
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(printed::add);
        } catch (IOException e) {
            printed.add("(reading its output failed: " + e + ")");
        }
        printed.end();
    }
}
