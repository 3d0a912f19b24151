package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.LoggedLines;
import org.junit.jupiter.api.Test;

/** What the log says of attempts to connect that fail in an unexpected way. */
class BackgroundConnectionTest {
    @Test
    void theSameFailureIsLoggedWithItsStackTraceOnce() {
        Runnable failing = () -> {
            throw new IllegalStateException("provoked by this test");
        };

        try (LoggedLines lines = new LoggedLines();
                BackgroundConnection connection = new BackgroundConnection(failing, () -> {})) {
            connection.start();
            lines.await("Attempt 2 to connect to the registry failed");

            assertThat(lines.withStackTraces())
                    .filteredOn(line -> line.contains("to connect to the registry"))
                    .singleElement()
                    .asString()
                    .contains("Attempt 1 to connect to the registry failed");
        }
    }
}
