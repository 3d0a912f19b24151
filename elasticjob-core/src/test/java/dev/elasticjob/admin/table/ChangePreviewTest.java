package dev.elasticjob.admin.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobReport.DelayedReport;
import dev.elasticjob.admin.table.ChangePreview.Difference;
import dev.elasticjob.admin.table.Preview.Outcome;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.schedule.LeftOut;
import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows from a change of settings. */
class ChangePreviewTest {
    private static final Instant NOW = Instant.parse("2026-11-23T03:00:00Z");
    private static final JobDefinition JOB = JobDefinition.builder("orders")
            .cron("0 0 4 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(4)
            .build();

    static Stream<Arguments> effects() {
        return Stream.of(
                row("description", job -> job.description("x"), "FROM_NEXT_EXECUTION"),
                row(
                        "another hour",
                        job -> job.cron("0 0 5 * * ?"),
                        "FIRINGS_DROPPED 10, FIRINGS_ADDED 9, FROM_NEXT_EXECUTION"),
                row("twice a day", job -> job.cron("0 0 4,16 * * ?"), "FIRINGS_ADDED 5, FROM_NEXT_EXECUTION"),
                row("once more this year", job -> job.cron("0 0 4 25 12 ?"), "FIRINGS_DROPPED 10, FROM_NEXT_EXECUTION"),
                row("more items", job -> job.shardingTotalCount(6), "ITEMS_ADDED 2, REBALANCED, FROM_NEXT_EXECUTION"),
                row("fewer items", job -> job.shardingTotalCount(1), "ITEMS_GONE 3, REBALANCED, FROM_NEXT_EXECUTION"),
                row("strategy", job -> job.jobShardingStrategyClass("STICKY"), "REBALANCED, FROM_NEXT_EXECUTION"),
                row(
                        "strategy of one's own",
                        job -> job.jobShardingStrategyClass("byRegion"),
                        "OWN_STRATEGY, REBALANCED, FROM_NEXT_EXECUTION"),
                row("disabled", job -> job.disabled(true), "NEW_SERVERS_ONLY, FROM_NEXT_EXECUTION"),
                row("overwrite", job -> job.overwrite(true), "FROM_NEXT_EXECUTION, OVERWRITTEN_AT_START"),
                row("nothing", job -> job, "ALREADY"));
    }

    private static Arguments row(String name, UnaryOperator<JobDefinition.Builder> change, String expected) {
        return Arguments.of(name, change, expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void effects(String name, UnaryOperator<JobDefinition.Builder> change, String expected) {
        ChangePreview preview = preview(change);

        assertThat(preview.effects().stream()
                        .map(effect -> effect.code() + (effect.count() == 0 ? "" : " " + effect.count()))
                        .collect(Collectors.joining(", ")))
                .as(name)
                .isEqualTo(expected);
        assertThat(preview.outcome()).isEqualTo(expected.equals("ALREADY") ? Outcome.NOTHING : Outcome.CHANGES);
    }

    @Test
    void eachSettingThatChangesIsShownWithBothValues() {
        ChangePreview preview = preview(job -> job.shardingTotalCount(6).jobProperties(Map.of("a", "1")));

        assertThat(preview.changes())
                .containsExactly(
                        new Difference("jobProperties.a", Optional.empty(), Optional.of("1")),
                        new Difference("shardingTotalCount", Optional.of(4), Optional.of(6)));
    }

    @Test
    void theNextFiringsAreShownBeforeAndAfter() {
        ChangePreview preview = preview(job -> job.cron("0 0 5 * * ?"));

        assertThat(preview.firingsBefore()).hasSize(10).startsWith(Instant.parse("2026-11-23T04:00:00Z"));
        assertThat(preview.firingsAfter()).hasSize(10).startsWith(Instant.parse("2026-11-23T05:00:00Z"));
    }

    /** The next firing by a delay is counted from the last end that is known. */
    @ParameterizedTest(name = "{0} -> {1}, last firing {2}")
    @CsvSource(delimiter = '|', textBlock = """
            fixedDelay 2h | fixedDelay 4h | ended   | 04:30 | 06:30 | FIRINGS_DROPPED, FIRINGS_ADDED, COUNTED_FROM_END
            fixedDelay 2h | fixedDelay 5m | ended   | 04:30 | 03:00 | FIRINGS_DROPPED, FIRINGS_ADDED, COUNTED_FROM_END
            fixedDelay 2h | fixedDelay 4h | goes on |       |       | AFTER_THE_END
            fixedDelay 2h | fixedDelay 4h | none    | 03:00 | 03:00 | COUNTED_FROM_END
            fixedDelay 2h | every 3h      | ended   | 04:30 | 06:00 | FIRINGS_DROPPED, FIRINGS_ADDED
            fixedDelay 2h | at 05:00      | goes on |       | 05:00 | FIRINGS_ADDED
            every 3h      | fixedDelay 4h | none    | 06:00 | 03:00 | FIRINGS_DROPPED, FIRINGS_ADDED, COUNTED_FROM_END
            every 3h      | fixedDelay 4h | goes on | 06:00 |       | FIRINGS_DROPPED, AFTER_THE_END
            every 3h      | every 2h      | none    | 06:00 | 04:00 | FIRINGS_DROPPED, FIRINGS_ADDED
            every 3h      | at 05:00      | none    | 06:00 | 05:00 | FIRINGS_DROPPED, FIRINGS_ADDED
            at 05:00      | at 06:00      | none    | 05:00 | 06:00 | FIRINGS_DROPPED, FIRINGS_ADDED
            """)
    void theNextFiringOfEachKindOfScheduleIsShown(
            String before, String after, String last, String firstBefore, String firstAfter, String effects) {
        Optional<DelayedReport> delayed = switch (last) {
            case "ended" -> Optional.of(new DelayedReport(today("02:00"), Optional.of(today("02:30"))));
            case "goes on" -> Optional.of(new DelayedReport(today("02:00"), Optional.empty()));
            default -> Optional.empty();
        };

        ChangePreview preview = ChangePreview.of(scheduled(before), scheduled(after), delayed, NOW, false);

        assertThat(preview.firingsBefore().stream().findFirst())
                .isEqualTo(Optional.ofNullable(firstBefore).map(ChangePreviewTest::today));
        assertThat(preview.firingsAfter().stream().findFirst())
                .isEqualTo(Optional.ofNullable(firstAfter).map(ChangePreviewTest::today));
        assertThat(preview.effects().stream().map(effect -> effect.code().name()))
                .containsExactly((effects + ", FROM_NEXT_EXECUTION").split(", "));
    }

    @Test
    void aNewJobWithADelayRunsAtOnceOrFromItsBegin() {
        JobDefinition.Builder created =
                JobDefinition.builder("orders").timeZone(ZoneOffset.UTC).fixedDelay(Duration.ofHours(1));

        assertThat(ChangePreview.ofNew(created.build(), NOW).firingsAfter()).containsExactly(NOW);
        assertThat(ChangePreview.ofNew(created.startAt(today("05:00")).build(), NOW)
                        .firingsAfter())
                .containsExactly(today("05:00"));
        assertThat(ChangePreview.ofNew(
                                created.startAt(today("01:00"))
                                        .endAt(today("02:00"))
                                        .build(),
                                NOW)
                        .firingsAfter())
                .isEmpty();
    }

    private static JobDefinition scheduled(String schedule) {
        String[] parts = schedule.split(" ");
        JobDefinition.Builder job = JobDefinition.builder("orders").timeZone(ZoneOffset.UTC);
        return switch (parts[0]) {
            case "fixedDelay" -> job.fixedDelay(WrittenDuration.parse(parts[1])).build();
            case "every" -> job.every(WrittenDuration.parse(parts[1])).build();
            default -> job.at(today(parts[1])).build();
        };
    }

    private static Instant today(String time) {
        return Instant.parse("2026-11-23T" + time + ":00Z");
    }

    @Test
    void whatTheNewCalendarLeavesOutUntilTheLastFiringIsShown() {
        ChangePreview preview = preview(job -> job.calendar("SAT,2026-11-25"));

        assertThat(preview.leftOut())
                .containsExactly(
                        new LeftOut(Instant.parse("2026-11-25T04:00:00Z"), Optional.empty()),
                        new LeftOut(Instant.parse("2026-11-28T04:00:00Z"), Optional.empty()));
    }

    @Test
    void whatIsMaskedIsShownToChangeButNotTo() {
        JobDefinition before = http("secret");
        JobDefinition after = http("other");

        assertThat(ChangePreview.of(before, after, Optional.empty(), NOW, false).changes())
                .containsExactly(new Difference("http", Optional.of("******"), Optional.of("******")));
    }

    @Test
    void aPropertyWhoseNameSuggestsASecretIsMaskedBesideWhatElseChanges() {
        JobDefinition before = JOB.toBuilder()
                .jobProperties(Map.of("db.password", "swordfish"))
                .build();
        JobDefinition after = before.toBuilder()
                .shardingTotalCount(6)
                .jobProperties(Map.of("db.password", "trout"))
                .build();

        assertThat(ChangePreview.of(before, after, Optional.empty(), NOW, false).changes())
                .containsExactly(
                        new Difference("shardingTotalCount", Optional.of(4), Optional.of(6)),
                        new Difference("jobProperties", Optional.of("******"), Optional.of("******")));
    }

    private static JobDefinition http(String body) {
        return JobDefinition.builder("call")
                .jobType(JobType.HTTP)
                .cron("0 0 4 * * ?")
                .http(HttpRequestSettings.of("http://localhost/").withBody("POST", body, "text/plain"))
                .build();
    }

    private static ChangePreview preview(UnaryOperator<JobDefinition.Builder> change) {
        return ChangePreview.of(JOB, change.apply(JOB.toBuilder()).build(), Optional.empty(), NOW, false);
    }
}
