package dev.elasticjob.coordination.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.EarlierValues;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;

class WatchdogStateTest {
    @ParameterizedTest
    @EarlierValues("watchdog")
    void whatAnEarlierVersionHasStoredIsWrittenAgainAsItWas(String text) {
        RegistryNode node =
                new RegistryNode(text.getBytes(StandardCharsets.UTF_8), 0, 0, 0, Instant.EPOCH, Instant.EPOCH, 0);

        assertThat(WatchdogState.read(node).write()).asString().isEqualTo(text);
    }
}
