package dev.elasticjob.definition.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.scheduling.support.CronExpression;

class ScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void nextIsLaterThanTheGivenMoment() {
        Schedule schedule = Schedule.cron("0/5 * * * * ?", BERLIN);

        assertThat(schedule.nextAfter(Instant.parse("2026-03-01T10:00:00Z")))
                .hasValue(Instant.parse("2026-03-01T10:00:05Z"));
        assertThat(schedule.nextAfter(Instant.parse("2026-03-01T10:00:04.999Z")))
                .hasValue(Instant.parse("2026-03-01T10:00:05Z"));
    }

    @Test
    void latestMayBeTheGivenMomentItself() {
        Schedule schedule = Schedule.cron("0/5 * * * * ?", BERLIN);

        assertThat(schedule.latestNotAfter(Instant.parse("2026-03-01T10:00:05Z")))
                .hasValue(Instant.parse("2026-03-01T10:00:05Z"));
        assertThat(schedule.latestNotAfter(Instant.parse("2026-03-01T10:00:04.999Z")))
                .hasValue(Instant.parse("2026-03-01T10:00:00Z"));
    }

    @Test
    void latestReachesBackToTheLastLeapDay() {
        Schedule schedule = Schedule.cron("0 0 12 29 2 *", ZoneId.of("UTC"));

        assertThat(schedule.latestNotAfter(Instant.parse("2028-02-29T11:59:59Z")))
                .hasValue(Instant.parse("2024-02-29T12:00:00Z"));
        assertThat(schedule.latestNotAfter(Instant.parse("2103-12-31T00:00:00Z")))
                .hasValue(Instant.parse("2096-02-29T12:00:00Z"));
    }

    @Test
    void aDayThatNeverComesHasNoFiring() {
        Schedule schedule = Schedule.cron("0 0 0 31 2 *", BERLIN);

        assertThat(schedule.nextAfter(Instant.EPOCH)).isEmpty();
        assertThat(schedule.latestNotAfter(Instant.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
        assertThat(schedule.countBetween(Instant.EPOCH, Instant.parse("2026-01-01T00:00:00Z"), 10))
                .isZero();
    }

    @Test
    void timeThatIsSkippedInSpringHasNoFiring() {
        Schedule schedule = Schedule.cron("0 30 2 * * *", BERLIN);

        assertThat(schedule.nextAfter(Instant.parse("2026-03-28T12:00:00Z")))
                .hasValue(Instant.parse("2026-03-30T00:30:00Z"));
        assertThat(schedule.latestNotAfter(Instant.parse("2026-03-29T20:00:00Z")))
                .hasValue(Instant.parse("2026-03-28T01:30:00Z"));
    }

    @Test
    void timeThatIsRepeatedInAutumnHasTwoFirings() {
        Schedule schedule = Schedule.cron("0 30 2 * * *", BERLIN);

        assertThat(schedule.countBetween(
                        Instant.parse("2026-10-24T22:00:00Z"), Instant.parse("2026-10-25T12:00:00Z"), 100))
                .isEqualTo(2);
        assertThat(schedule.latestNotAfter(Instant.parse("2026-10-25T12:00:00Z")))
                .hasValue(Instant.parse("2026-10-25T01:30:00Z"));
        assertThat(schedule.latestNotAfter(Instant.parse("2026-10-25T01:29:59Z")))
                .hasValue(Instant.parse("2026-10-25T00:30:00Z"));
    }

    @Test
    void walkGoesOnWhereClocksArePutBackByHalfAnHour() {
        Schedule schedule = Schedule.cron("0 0/15 * * * *", ZoneId.of("Australia/Lord_Howe"));
        Instant start = Instant.parse("2026-04-04T12:00:00Z");

        assertThat(schedule.countBetween(start, start.plus(Duration.ofHours(6)), 1_000))
                .isEqualTo(23);
    }

    @Test
    void countLeavesOutBothEndsAndStopsAtTheLimit() {
        Schedule schedule = Schedule.cron("0 * * * * *", BERLIN);
        Instant start = Instant.parse("2026-03-01T10:00:00Z");

        assertThat(schedule.countBetween(start, start.plusSeconds(180), 100)).isEqualTo(2);
        assertThat(schedule.countBetween(start, start.plusSeconds(181), 100)).isEqualTo(3);
        assertThat(schedule.countBetween(start, start.plusSeconds(3600), 5)).isEqualTo(5);
        assertThat(schedule.countBetween(start, start, 5)).isZero();
    }

    @Test
    void manualScheduleNeverFires() {
        Schedule schedule = Schedule.of("", ZoneOffset.UTC);

        assertThat(schedule.nextAfter(Instant.EPOCH)).isEmpty();
        assertThat(schedule.latestNotAfter(Instant.MAX)).isEmpty();
        assertThat(schedule.countBetween(Instant.EPOCH, Instant.MAX, 10)).isZero();
    }

    /** Spring alone loses each of these, and for L-30 all that follow. */
    @ParameterizedTest
    @CsvSource({
        "31W, 2024-02-15, 2024-03-29",
        "31W, 2025-08-15, 2025-08-29",
        "31W, 2028-12-01, 2028-12-29",
        "31W, 2024-04-01, 2024-05-31",
        "30W, 2024-06-15, 2024-06-28",
        "30W, 2026-08-15, 2026-08-31",
        "28W, 2027-02-15, 2027-02-26",
        "29W, 2032-02-15, 2032-02-27",
        "1W, 2026-07-31, 2026-08-03",
        "L-30, 2024-01-02, 2024-03-01",
        "L-30, 2024-03-02, 2024-05-01",
        "L-28, 2025-01-04, 2025-03-03",
        "L-3W, 2024-02-01, 2024-02-26",
        "L-30W, 2026-01-02, 2026-03-02",
        "LW, 2026-05-01, 2026-05-29",
        "'10,31W', 2026-05-01, 2026-05-10",
        "'10,31W', 2026-05-10, 2026-05-29",
        "'LW,L', 2026-05-29, 2026-05-31"
    })
    void daysFromTheEndOfAMonthAndWeekdaysFireAsInQuartz(String days, LocalDate after, LocalDate day) {
        Schedule schedule = Schedule.cron("0 0 2 " + days + " * ?", ZoneId.of("UTC"));
        Instant firing = day.atTime(2, 0).toInstant(ZoneOffset.UTC);

        assertThat(schedule.nextAfter(after.atTime(2, 0).toInstant(ZoneOffset.UTC)))
                .hasValue(firing);
        assertThat(schedule.latestNotAfter(firing.plusSeconds(1))).hasValue(firing);
    }

    @Test
    void aWeekdayThatMustAlsoBeAGivenDayOfTheWeekIsFound() {
        Schedule schedule = Schedule.cron("0 0 2 31W * FRI", ZoneId.of("UTC"));

        assertThat(schedule.nextAfter(Instant.parse("2026-11-01T00:00:00Z")))
                .hasValue(Instant.parse("2027-01-29T02:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 2 30W 2 ?", "0 0 2 31W * SAT", "0 0 2 L-29 2 ?"})
    void aDayThatIsInNoMonthOfTheExpressionHasNoFiring(String expression) {
        Schedule schedule = Schedule.cron(expression, BERLIN);

        assertThat(schedule.nextAfter(Instant.parse("2026-01-01T00:00:00Z"))).isEmpty();
        assertThat(schedule.latestNotAfter(Instant.parse("2026-01-01T00:00:00Z")))
                .isEmpty();
    }

    /** Spring accepts L-31, and answers with the same time for ever. */
    @ParameterizedTest
    @CsvSource({"L-31, 1 to 30", "L-0, 1 to 30", "32W, 1 to 31", "0W, 1 to 31"})
    void aDayThatNoMonthHasIsRefused(String day, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.cron("0 0 2 " + day + " * ?", BERLIN))
                .withMessageContainingAll("\"" + day + "\"", "expected a number from " + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 9 ? * MON-FRI *, 0 0 9 ? * MON-FRI",
        "0 0/5 8-18 L * ? *, 0 0/5 8-18 L * ?",
        "0 0 9 ? * SUN-SAT *, 0 0 9 * * *",
        "0 0 9 ? * 1-7 *, 0 0 9 * * *"
    })
    void aSeventhFieldThatSaysEveryYearSaysNothing(String quartz, String spring) {
        Instant moment = Instant.parse("2026-03-01T10:00:00Z");
        Schedule seven = Schedule.cron(quartz, BERLIN);
        Schedule six = Schedule.cron(spring, BERLIN);

        for (int i = 0; i < 20; i++) {
            assertThat(seven.nextAfter(moment)).isEqualTo(six.nextAfter(moment));
            moment = six.nextAfter(moment).orElseThrow();
        }
    }

    @Test
    void sameExpressionAndZoneAreEqual() {
        assertThat(Schedule.cron("0 0 9 * * *", BERLIN)).isEqualTo(Schedule.cron("0 0 9 * * *", BERLIN));
        assertThat(Schedule.cron("0 0 9 * * *", BERLIN)).isNotEqualTo(Schedule.cron("0 0 8 * * *", BERLIN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "* * * * *", "0 0 25 * * *", "every day"})
    void expressionThatCannotBeParsedIsQuoted(String expression) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.cron(expression, BERLIN))
                .withMessageStartingWith("\"" + expression + "\" is not a cron expression");
    }

    /** The oracle looks at every second of the window: does its wall clock match the expression? */
    @ParameterizedTest
    @CsvSource({
        "0/5 * * * * ?",
        "* * 9 * * *",
        "* * 2 * * *",
        "* 59 1 * * *",
        "0 0 * * * *",
        "0 30 2 * * *",
        "0 30 1 * * *",
        "0 0 3 * * *",
        "0 0/7 * * * *",
        "10-20 * * * * SUN",
        "0 0 0 1 * *",
        "30 15 2 L * ?",
        "0 0 12 ? * MON#1",
        "0 0 0/3 * * *",
    })
    void answersAgreeWithALookAtEverySecond(String expression) {
        for (String zone : new String[] {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"}) {
            Schedule schedule = Schedule.cron(expression, ZoneId.of(zone));
            for (String day : new String[] {"2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01", "2026-04-05"}) {
                Instant noon = LocalDateTime.parse(day + "T12:00:00")
                        .atZone(ZoneId.of(zone))
                        .toInstant();
                compareWithOracle(
                        schedule,
                        firings(expression, ZoneId.of(zone), noon.minus(Duration.ofHours(14)), noon),
                        noon.minus(Duration.ofHours(14)),
                        noon,
                        new Random(day.hashCode()));
            }
        }
    }

    private static NavigableSet<Instant> firings(String expression, ZoneId zone, Instant from, Instant to) {
        CronExpression cron = CronExpression.parse(expression);
        var firings = new TreeSet<Instant>();
        for (Instant second = from.plus(SECOND); !second.isAfter(to); second = second.plus(SECOND)) {
            LocalDateTime wallClock = LocalDateTime.ofInstant(second, zone);
            if (wallClock.equals(cron.next(wallClock.minusNanos(1)))) {
                firings.add(second);
            }
        }
        return firings;
    }

    private static void compareWithOracle(
            Schedule schedule, NavigableSet<Instant> firings, Instant from, Instant to, Random random) {
        for (int i = 0; i < 60; i++) {
            Instant moment = from.plusMillis(
                    1 + random.nextLong(Duration.between(from, to).toMillis()));
            Instant expected = firings.floor(moment);
            if (expected == null) {
                assertThat(schedule.latestNotAfter(moment).filter(from::isBefore))
                        .isEmpty();
            } else {
                assertThat(schedule.latestNotAfter(moment))
                        .as("%s, latest not after %s", schedule, moment)
                        .hasValue(expected);
                assertThat(schedule.latestNotAfter(expected)).hasValue(expected);
                assertThat(schedule.nextAfter(expected.minus(SECOND))).hasValue(expected);
            }
            Instant later = firings.higher(moment);
            if (later != null) {
                assertThat(schedule.nextAfter(moment))
                        .as("%s, next after %s", schedule, moment)
                        .hasValue(later);
            }
        }
        assertThat(schedule.countBetween(from, to, Integer.MAX_VALUE))
                .isEqualTo(firings.headSet(to).size());
    }

    @Test
    void latestIsAFiringThatHasNoOtherBeforeTheMoment() {
        String[] crons = {"0 0 0 29 2 *", "0 0 0 1 1 *", "* * 9 * * *", "0 0 8 ? * MON-FRI", "15 0/10 6-8 LW * *"};
        var random = new Random(20261121);

        for (int i = 0; i < 3_000; i++) {
            Schedule schedule =
                    Schedule.cron(crons[i % crons.length], i % 2 == 0 ? BERLIN : ZoneId.of("America/New_York"));
            Instant moment = Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L));

            Instant latest = schedule.latestNotAfter(moment).orElseThrow();

            assertThat(latest).isBeforeOrEqualTo(moment);
            assertThat(schedule.nextAfter(latest.minus(SECOND))).hasValue(latest);
            assertThat(schedule.nextAfter(latest).orElseThrow()).isAfter(moment);
        }
    }

    @Test
    void momentsWithoutAWallClockHaveNoFiringOfTheirOwn() {
        Schedule daily = Schedule.cron("0 0 12 * * ?", BERLIN);

        assertThat(daily.nextAfter(Instant.MAX)).isEmpty();
        assertThat(daily.nextAfter(Instant.MIN)).isPresent();
        assertThat(daily.latestNotAfter(Instant.MAX)).isPresent();
        assertThat(daily.latestNotAfter(Instant.MIN)).isPresent();
        assertThat(daily.countBetween(Instant.MIN, Instant.MAX, 10)).isEqualTo(10);
        assertThat(daily.countBetween(Instant.MAX, Instant.MAX, 10)).isZero();
    }

    /** The names of the days, and what else Quartz writes differently. The same expression if both mean the same. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 30 6 ? * 2-6     | 0 30 6 ? * MON-FRI",
                "0 30 6 ? * 2-6 *   | 0 30 6 ? * MON-FRI",
                "0 30 6 ? * MON-FRI | 0 30 6 ? * MON-FRI",
                "0 30 6 * * ? *     | 0 30 6 * * ?",
                "0 30 6 ? * 6L      | 0 30 6 ? * FRIL",
                "0 30 6 L * ?       | 0 30 6 L * ?",
                "0 30 6 L-3W * ?    | 0 30 6 L-3W * ?",
                "0 30 6 31W * ? *   | 0 30 6 31W * ?",
                "0 0 22-2 * * ?     | 0 0 22-2 * * ?",
                "0 0 9 * * ? 2027   | 0 0 9 * * ? 2027",
                "0 0 9 ? * 2-6 2027 | 0 0 9 ? * MON-FRI 2027",
                "0 0 9 ? * MON/2    | 0 0 9 ? * MON",
            })
    void anExpressionOfQuartzHasAnEquivalent(String quartz, String here) {
        assertThat(CronSchedule.fromQuartz(quartz)).contains(here);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 9 * * ? 2200", "0 0 9 L-31 * ?", "0 9 * * ?", "nonsense", "", "0 0 0 0 0 0 * *"})
    void someExpressionsHaveNone(String quartz) {
        assertThat(CronSchedule.fromQuartz(quartz)).isEmpty();
    }
}
