package dev.elasticjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class FailureLogsTest {
    private static final int REMEMBERED = 1_000;
    private static final RuntimeException FAILURE = new IllegalStateException("provoked by this test");

    private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
    private final FailureLogs failures = new FailureLogs(LoggerFactory.getLogger(FailureLogs.class), time::nanoTime);
    private final LoggedLines lines = new LoggedLines();

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void eachSubjectHasItsOwnFirstFailure() {
        fail("orders");
        fail("billing");
        fail("orders");
        fail("billing");

        assertThat(lines.withStackTraces()).containsExactly("WARN \"orders\" failed", "WARN \"billing\" failed");
        assertThat(lines.all()).hasSize(4).last().asString().contains("number 2 of the same failure");
    }

    @Test
    void theOneThatHasNotFailedForTheLongestTimeIsForgotten() {
        fail("orders");
        fail("billing");
        fail("orders");
        for (int i = 1; i < REMEMBERED; i++) {
            fail("job-" + i);
        }
        fail("orders");
        fail("billing");

        assertThat(lines.withStackTraces())
                .filteredOn(line -> line.contains("orders"))
                .hasSize(1);
        assertThat(lines.withStackTraces())
                .filteredOn(line -> line.contains("billing"))
                .hasSize(2);
    }

    @Test
    void aNumberInTheTextMakesNoOtherFailure() {
        FailureLog orders = failures.of("orders");
        for (int i = 1; i <= 3; i++) {
            orders.error("orders failed", new IllegalStateException("task@%x of %d was rejected".formatted(i * 77, i)));
        }

        assertThat(lines.withStackTraces()).hasSize(1);
        assertThat(lines.all()).last().asString().contains("task@e7 of 3 was rejected. This is number 3");
    }

    private void fail(String subject) {
        failures.of(subject).warn("\"%s\" failed".formatted(subject), FAILURE);
    }
}
