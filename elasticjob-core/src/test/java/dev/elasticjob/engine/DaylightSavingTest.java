package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job in a zone runs for, when clocks there are put forward and back; by its own engine, not by the expression. */
class DaylightSavingTest {
    private final List<Instant> runs = new ArrayList<>();
    private final List<String> runIds = new ArrayList<>();
    private final SimpleJob noting = context -> {
        runs.add(context.getScheduledTime());
        runIds.add(context.getRunId());
    };

    @Test
    void aTimeThatIsSkippedInSpringHasNoRunThatDay() {
        OneEngine one = started("2026-03-27T23:00:00Z", "0 30 2 * * ?", "Europe/Berlin");

        one.passRunning(Duration.ofDays(3));

        assertThat(runs).containsExactly(Instant.parse("2026-03-28T01:30:00Z"), Instant.parse("2026-03-30T00:30:00Z"));
        assertThat(one.events).noneMatch(DaylightSavingTest::isMissed);
    }

    @Test
    void aTimeThatComesTwiceInAutumnHasTwoRunsOfDifferentIds() {
        OneEngine one = started("2026-10-31T16:00:00Z", "0 30 1 * * ?", "America/New_York");

        one.passRunning(Duration.ofDays(2));

        assertThat(runIds)
                .containsExactly(
                        "orders@2026-11-01T05:30:00Z", "orders@2026-11-01T06:30:00Z", "orders@2026-11-02T06:30:00Z");
        assertThat(one.events).noneMatch(DaylightSavingTest::isMissed);
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 * * * ?, PT1H, Europe/Berlin, 2026-03-28T20:30:00Z, 12",
        "0 0 * * * ?, PT1H, Europe/Berlin, 2026-10-24T20:30:00Z, 12",
        "0 0 * * * ?, PT1H, America/New_York, 2026-03-08T03:30:00Z, 12",
        "0 0 * * * ?, PT1H, America/New_York, 2026-11-01T03:30:00Z, 12",
        "0 * * * * ?, PT1M, Europe/Berlin, 2026-03-29T00:30:30Z, 60",
        "0 * * * * ?, PT1M, Europe/Berlin, 2026-10-25T00:30:30Z, 60",
        "0 0/30 * * * ?, PT30M, Australia/Lord_Howe, 2026-04-04T12:15:00Z, 12"
    })
    void whatRunsEveryHourOrMinuteNeitherLosesNorDoublesAny(
            String cron, Duration period, String zone, Instant start, int count) {
        OneEngine one = started(start.toString(), cron, zone);

        one.passRunning(period.multipliedBy(count));

        Instant first = start.plus(period.dividedBy(2));
        assertThat(runs)
                .containsExactlyElementsOf(Stream.iterate(first, run -> run.plus(period))
                        .limit(count)
                        .toList());
        assertThat(one.events).noneMatch(DaylightSavingTest::isMissed);
    }

    @Test
    void anotherZoneHoldsFromTheMomentItIsSaid() {
        OneEngine one = started("2026-05-31T05:00:00Z", "0 0 9 * * ?", "Europe/Berlin");
        one.passRunning(Duration.ofDays(1));

        one.engine
                .admin()
                .redefine(
                        "orders",
                        job -> job.toBuilder().timeZone(ZoneId.of("Asia/Tokyo")).build());
        one.passRunning(Duration.ofHours(30));

        assertThat(runs)
                .as("nine o'clock has been in Tokyo that day, and in Berlin it doesn't count any more")
                .containsExactly(Instant.parse("2026-05-31T07:00:00Z"), Instant.parse("2026-06-02T00:00:00Z"));
    }

    private OneEngine started(String start, String cron, String zone) {
        JobDefinition definition = JobDefinition.builder("orders")
                .cron(cron)
                .timeZone(ZoneId.of(zone))
                .shardingTotalCount(1)
                .build();
        return new OneEngine(Instant.parse(start), definition, noting).started();
    }

    private static boolean isMissed(JobEvent event) {
        return event instanceof JobEvent.FiringsLost || event instanceof JobEvent.FiringsFolded;
    }
}
