package dev.elasticjob.spring.dockercompose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service of Docker Compose that is running. The {@code docker} on the path is a script that answers Spring Boot as
 * Docker would, because an engine without Compose is enough for all other tests; the server is real.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "docker is a shell script here")
@Tag("proof")
class ZooKeeperDockerComposeConnectionIT {
    private static final String ID = "f00dfeedf00d";
    private static final String DOCKER = """
            #!/bin/sh
            case "$*" in
              "version "*) echo 27.0.0 ;;
              "context ls"*) echo '{"Name":"default","Current":true,"DockerEndpoint":"unix:///var/run/docker.sock"}' ;;
              "compose version"*) echo '{"version":"2.29.0"}' ;;
              *" config "*) echo '{"name":"shop","services":{"registry":{"image":"%2$s"}}}' ;;
              *" ps "*) echo '{"ID":"%1$s","Name":"shop-registry-1","Image":"%2$s","State":"running"}' ;;
              "inspect "*) echo '{"Id":"%1$s000","Config":{"Image":"%2$s","Labels":{},"ExposedPorts":{"2181/tcp":{}},"Env":[]},"NetworkSettings":{"Ports":{"2181/tcp":[{"HostIp":"127.0.0.1","HostPort":"%3$s"}]}},"HostConfig":{"NetworkMode":"shop"}}' ;;
            esac
            """;

    @TempDir
    Path directory;

    @Test
    void jobRunsOnTheServiceWithoutAnyProperty() throws IOException {
        try (TestZooKeeper server = TestZooKeeper.start()) {
            String[] address = server.connectString().split("[:/]");
            Path compose = Files.writeString(directory.resolve("compose.yaml"), "services: {}");
            Path docker =
                    Files.writeString(directory.resolve("docker"), DOCKER.formatted(ID, "zookeeper:3.9", address[1]));
            Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwx------"));

            assertThat(outputOfRun(compose)).contains("Registry at \"127.0.0.1:" + address[1]);
        }
    }

    /** Of an application that ends when its job runs. */
    private String outputOfRun(Path compose) throws IOException {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ComposedApplication.class.getName(),
                        "--spring.docker.compose.enabled=true",
                        "--spring.docker.compose.lifecycle-management=start-only",
                        "--spring.docker.compose.host=127.0.0.1",
                        "--spring.docker.compose.file=" + compose)
                .redirectErrorStream(true);
        builder.environment().merge("PATH", directory.toString(), (path, own) -> own + ":" + path);
        Process process = builder.start();
        try {
            int exitCode =
                    process.onExit().orTimeout(120, TimeUnit.SECONDS).join().exitValue();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(exitCode).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
