package dev.elasticjob.spring.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedZooKeeperTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Duration TICK = Duration.ofMillis(600);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void listensOnThisMachineAndSaysThatItIsNotForProduction(@TempDir Path directory, CapturedOutput output)
            throws Exception {
        try (var zooKeeper = EmbeddedZooKeeper.start(LOOPBACK, 0, directory, TICK, LIMIT)) {
            String[] parts = zooKeeper.connectString().split(":");

            try (Socket client = new Socket(parts[0], Integer.parseInt(parts[1]))) {
                assertThat(client.getInetAddress().isLoopbackAddress()).isTrue();
            }
            assertThat(output).containsOnlyOnce("not for production");
        }
    }

    @Test
    void keepsItsDataInTheGivenDirectory(@TempDir Path directory) {
        EmbeddedZooKeeper.start(LOOPBACK, 0, directory, TICK, LIMIT).close();

        assertThat(directory).isNotEmptyDirectory();
    }

    @Test
    void grantsSessionsFromTwoOfTheTicksThatItIsGiven(@TempDir Path directory) {
        try (var zooKeeper = EmbeddedZooKeeper.start(LOOPBACK, 0, directory, TICK, LIMIT);
                var registry = CuratorRegistry.connect(
                        RegistrySettings.of(zooKeeper.connectString(), "shop").withSessionTimeout(TICK))) {
            assertThat(registry.session().orElseThrow().timeout()).isEqualTo(TICK.multipliedBy(2));
        }
    }

    @Test
    void portThatIsTakenIsReportedAtOnce(@TempDir Path directory) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
            int port = taken.getLocalPort();

            assertThatExceptionOfType(FailureAnalyzedException.class)
                    .isThrownBy(() -> EmbeddedZooKeeper.start(LOOPBACK, port, directory, TICK, LIMIT))
                    .satisfies(failure -> {
                        assertThat(failure.analysis().getDescription()).contains(LOOPBACK + ":" + port);
                        assertThat(failure.analysis().getAction())
                                .contains("\"elasticjob.registry.connect-string\" to \"" + LOOPBACK + ":" + port + "\"")
                                .contains("elasticjob.registry.embedded.port");
                    });
        }
    }

    @Test
    void missingJarsAreNamed() {
        var without = new FilteredClassLoader("com.codahale.metrics", "org.xerial.snappy");

        assertThatExceptionOfType(FailureAnalyzedException.class)
                .isThrownBy(() -> EmbeddedZooKeeper.requireJars(without))
                .satisfies(failure -> assertThat(failure.analysis().getDescription())
                        .contains("io.dropwizard.metrics:metrics-core, org.xerial.snappy:snappy-java"));
    }
}
