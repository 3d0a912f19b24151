package dev.elasticjob.spring.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.time.manual.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlertErrorHandlerTest {
    private static final Duration INTERVAL = Duration.ofMinutes(5);

    private final ManualTime time = new ManualTime(Failed.NOON);
    private final Deque<Runnable> thread = new ArrayDeque<>();
    private final List<String> sent = new ArrayList<>();
    private final LoggedLines log = new LoggedLines();
    private Exception broken;
    private final AlertErrorHandler handler = new AlertErrorHandler(
            "SLACK", this::send, new AlertErrorHandler.AlertThread(thread::add, time), time, INTERVAL);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void nothingIsSentOnTheThreadThatReports() {
        fail("orders", 3, "no stock");

        assertThat(sent).isEmpty();
        work();
        assertThat(sent).containsExactly("orders: no stock +0");
    }

    @Test
    void failuresAreLoggedWithTheirItems() {
        fail("orders", 3, "no stock");
        handler.handleException("orders", new IllegalStateException("clock"));

        assertThat(log.all())
                .contains(
                        "ERROR Job \"orders\": item 3 failed (run \"orders@2026-03-01T12:00:00Z\", attempt 2)",
                        "ERROR Job \"orders\" failed");
    }

    @Test
    void whatFollowsWithinTheIntervalIsOneMessageAtItsEnd() {
        fail("orders", 0, "first");
        fail("orders", 1, "second");
        fail("orders", 2, "third");
        work();
        assertThat(sent).containsExactly("orders: first +0");

        pass(INTERVAL);

        assertThat(sent).containsExactly("orders: first +0", "orders: third +1");
    }

    @Test
    void aJobThatGoesOnFailingIsReportedOnceInAnInterval() {
        for (int minute = 0; minute < 30; minute++) {
            fail("orders", 0, "at " + minute);
            pass(Duration.ofMinutes(1));
        }

        assertThat(sent).hasSize(7).startsWith("orders: at 0 +0", "orders: at 4 +3", "orders: at 9 +4");
    }

    @Test
    void afterAQuietIntervalTheNextFailureIsReportedAtOnce() {
        fail("orders", 0, "first");
        pass(INTERVAL);
        fail("orders", 0, "second");
        work();

        assertThat(sent).containsExactly("orders: first +0", "orders: second +0");
    }

    @Test
    void jobsAreLimitedEachOnItsOwn() {
        fail("orders", 0, "first");
        fail("billing", 0, "first");
        work();

        assertThat(sent).containsExactly("orders: first +0", "billing: first +0");
    }

    @Test
    void aMessageThatIsNotSentIsLoggedOnceUntilOneGetsThrough() {
        broken = new IOException("refused");
        fail("orders", 0, "first");
        fail("billing", 0, "first");
        work();
        broken = null;
        fail("reports", 0, "first");
        work();

        assertThat(log.all().stream().filter(line -> line.contains("could not send")))
                .singleElement()
                .asString()
                .startsWith("WARN Job \"orders\": the error handler \"SLACK\" could not send a message")
                .endsWith("java.io.IOException: refused");
        assertThat(log.all()).contains("INFO The error handler \"SLACK\" sends messages again");
    }

    @Test
    void aThreadThatTakesNoMoreHarmsNobody() {
        var full = new AlertErrorHandler(
                "SLACK",
                this::send,
                new AlertErrorHandler.AlertThread(
                        task -> {
                            throw new RejectedExecutionException();
                        },
                        time),
                time,
                INTERVAL);

        full.handleException("orders", new IllegalStateException("no stock"));

        assertThat(log.all())
                .anyMatch(line -> line.startsWith("WARN Job \"orders\": its failure is not sent by \"SLACK\""));
    }

    private void fail(String job, int item, String message) {
        handler.handleException(new Failed(job, item), new IllegalStateException(message));
    }

    private void pass(Duration duration) {
        time.advance(duration);
        work();
    }

    private void work() {
        while (!thread.isEmpty()) {
            thread.remove().run();
        }
    }

    private void send(Alert alert) throws Exception {
        if (broken != null) {
            throw broken;
        }
        sent.add("%s: %s +%d".formatted(alert.jobName(), alert.failure().getMessage(), alert.more()));
    }
}
