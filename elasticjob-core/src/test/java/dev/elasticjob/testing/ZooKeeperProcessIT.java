package dev.elasticjob.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ZooKeeperProcessIT {
    @Test
    void aServerIsPausedAndKilled() throws InterruptedException {
        try (var server = ZooKeeperProcess.start();
                var registry = CuratorRegistry.connect(RegistrySettings.of(server.connectString(), "jobs")
                        .withSessionTimeout(Duration.ofSeconds(6)))) {
            var states = new LinkedBlockingQueue<ConnectionState>();
            registry.onConnectionState(states::add);

            server.pause();
            assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.SUSPENDED);
            server.resume();
            assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.RECONNECTED);
            server.kill();
            assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.SUSPENDED);
            server.restart();
            assertThat(states.poll(30, TimeUnit.SECONDS)).isEqualTo(ConnectionState.RECONNECTED);
        }
    }
}
