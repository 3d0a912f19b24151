package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an operator reads when an engine starts. */
class StartedJobsTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void oneJobTellsItsPlaceItself() {
        assertThat(linesOfStart(1))
                .filteredOn(line -> line.startsWith("INFO Job \"orders\""))
                .hasSize(4);
    }

    @Test
    void manyJobsAreToldInOneLine() {
        assertThat(linesOfStart(3))
                .containsExactly(
                        "INFO 3 of 3 jobs have joined, 3 of them led by this instance; items owned by this instance:"
                                + " \"job-1\" 2 of 2, \"job-2\" 2 of 2, \"orders\" 2 of 2");
    }

    @Test
    void veryManyAreNotAllNamed() {
        assertThat(linesOfStart(30)).singleElement().asString().endsWith("\"job-27\" 2 of 2 and those of 10 more");
    }

    @Test
    void whatHappensLaterIsToldOfEachJob() {
        OneEngine one = engine(3).started();

        try (LoggedLines log = new LoggedLines()) {
            one.engine
                    .admin()
                    .redefine(
                            "job-1",
                            definition ->
                                    definition.toBuilder().shardingTotalCount(3).build());
            one.settle();

            assertThat(log.all())
                    .anyMatch(line -> line.startsWith("INFO Job \"job-1\": this instance owns 3 of 3 items"));
        }
    }

    /** Its item still executes, so the job is left without anybody who may own items. */
    @Test
    void aStopTellsNothingOfItemsThatThereAreNot() {
        List<String> lines = new ArrayList<>();
        AtomicReference<OneEngine> running = new AtomicReference<>();
        JobDefinition everySecond =
                JobDefinition.builder("orders").every(Duration.ofSeconds(1)).build();
        OneEngine one = new OneEngine(NOON, everySecond, context -> {
            if (lines.isEmpty()) {
                try (LoggedLines log = new LoggedLines()) {
                    running.get().engine.stop();
                    running.get().passRunning(Duration.ofSeconds(5));
                    lines.addAll(log.all());
                }
            }
        });
        running.set(one);
        one.started();
        one.passRunning(Duration.ofSeconds(3));

        assertThat(lines).isNotEmpty().noneMatch(line -> line.contains(" of 0 items"));
    }

    private static List<String> linesOfStart(int jobs) {
        OneEngine one = engine(jobs);
        try (LoggedLines log = new LoggedLines()) {
            one.started();
            return log.all();
        }
    }

    private static OneEngine engine(int jobs) {
        OneEngine one = new OneEngine(NOON, daily("orders"), context -> {});
        IntStream.range(1, jobs).forEach(number -> one.engine.register(daily("job-" + number), context -> {}));
        return one;
    }

    private static JobDefinition daily(String name) {
        return JobDefinition.builder(name)
                .cron("0 0 0 * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .build();
    }
}
