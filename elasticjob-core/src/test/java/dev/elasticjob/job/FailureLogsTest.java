package dev.elasticjob.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.time.manual.ManualTime;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
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

    /** It may be another one after all, such as another status of a server. */
    @Test
    void theTextOfTheCauseIsInTheLineOfARepetition() {
        FailureLog orders = failures.of("orders");
        for (int status : new int[] {401, 503}) {
            orders.error("orders failed", new IllegalStateException("no answer", new IOException("HTTP " + status)));
        }

        assertThat(lines.all())
                .last()
                .asString()
                .contains("no answer, caused by java.io.IOException: HTTP 503. This is number 2");
    }

    @Test
    void anIdInTheTextMakesNoOtherFailure() {
        FailureLog orders = failures.of("orders");
        for (String id : List.of("0b9f1f4e-3a57-4c1d-9a53-7f1c2e6f8a11", "c3d1aa10-77b2-4f0e-8c39-0de1f2a3b4c5")) {
            orders.error("orders failed", new IllegalStateException("no order " + id));
        }
        orders.error("orders failed", new IllegalStateException("no order of ops@example.com"));
        orders.error("orders failed", new IllegalStateException("no order of ops@elsewhere.com"));

        assertThat(lines.withStackTraces()).hasSize(3);
    }

    private void fail(String subject) {
        failures.of(subject).warn("\"%s\" failed".formatted(subject), FAILURE);
    }
}
