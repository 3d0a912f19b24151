package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.ManyJobs;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The firings of the past, and what is said where there are none to show. */
class HistoryRoutesTest {
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");
    private static final String JOB = ManyJobs.JOBS + "/orders";

    private final ManyJobs console = ManyJobs.forEveryUser();

    @Test
    void firingsAreShownWithTheirItems() {
        console.remember(new Remembered());

        ConsoleResponse answer = console.ask(JOB + "/firings?before=x").join();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(text(answer))
                .contains(
                        "\"runId\":\"orders@x\"",
                        "\"items\":{\"3\":{\"id\":\"e1\",\"outcome\":\"FAILED\"",
                        "\"next\":\"y\"");
    }

    @Test
    void anExecutionIsShownWithItsWholeFailure() {
        console.remember(new Remembered());

        assertThat(text(console.ask("/api/v1/registries/default/executions/e1").join()))
                .contains("\"failure\":\"all of it\"", "\"attempt\":2");
        assertThat(console.ask("/api/v1/registries/default/executions/e2")
                        .join()
                        .status())
                .isEqualTo(404);
    }

    @Test
    void withoutATraceItIsSaidHowToSwitchItOn() {
        ConsoleResponse answer = console.ask(JOB + "/firings").join();

        assertThat(answer.status()).isEqualTo(404);
        assertThat(text(answer)).contains("elasticjob.tracing.enabled=true");
    }

    @Test
    void aDatabaseThatIsAwayIsNoRegistryThatIsAway() {
        console.remember(new Away());
        console.write("orders");

        ConsoleResponse answer = console.ask(JOB + "/firings").join();

        assertThat(answer.status()).isEqualTo(503);
        assertThat(text(answer)).contains("\"code\":\"HISTORY_AWAY\"", "no answer within 5 s");
        assertThat(console.ask(JOB).join().status()).isEqualTo(200);
    }

    private static String text(ConsoleResponse answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private record Remembered() implements ConsoleHistory {
        @Override
        public Firings firings(String job, Optional<String> before) {
            var cell = new Firings.Cell("e1", "FAILED", 2, Optional.of("a"), Optional.of(AT), Optional.of(AT));
            return new Firings(
                    List.of(new Firings.Firing(job + "@" + before.orElseThrow(), AT, Map.of(3, cell))),
                    Optional.of("y"));
        }

        @Override
        public Optional<Entry> entry(String id) {
            return Optional.of(new Entry(
                            "e1",
                            "orders",
                            3,
                            "orders@x",
                            AT,
                            "FAILED",
                            2,
                            0,
                            0,
                            Optional.empty(),
                            Optional.of("a"),
                            Optional.of(AT),
                            Optional.of(AT),
                            Optional.of("all of it")))
                    .filter(entry -> entry.id().equals(id));
        }
    }

    private record Away() implements ConsoleHistory {
        @Override
        public Firings firings(String job, Optional<String> before) {
            throw new HistoryAwayException("The database gave no answer within 5 s", new IllegalStateException());
        }

        @Override
        public Optional<Entry> entry(String id) {
            throw new HistoryAwayException("The database gave no answer within 5 s", new IllegalStateException());
        }
    }
}
