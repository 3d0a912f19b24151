package dev.elasticjob.definition.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each form of a schedule, against a count second by second, and what is refused. */
class ScheduleFormsTest {
    private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
    /** What is counted: an hour, from a time that no anchor falls on. */
    private static final Instant BEGIN = Instant.parse("2026-03-01T09:59:57Z");

    private static final int SECONDS = 3_600;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "every PT1S",
                "every PT7S",
                "every PT15M",
                "every PT24H",
                "at 2026-03-01T10:20:00Z",
                "at 2027-01-01T00:00:00Z",
                "0/20 * * * * ?; 30 5/10 * * * ?; 0 0 * * * ?",
                "every PT7S from 2026-03-01T10:10:03Z",
                "every PT90S from 2026-03-01T10:10:03Z until 2026-03-01T10:40:03Z",
                "0 0/10 * * * ? from 2026-03-01T10:20:00Z",
                "0 0/10 * * * ? until 2026-03-01T10:20:00Z",
                "0 0/10 * * * ?; 5 5 * * * ? from 2026-03-01T10:05:05Z until 2026-03-01T10:20:00Z",
                "0 0/10 * * * ? until 2026-03-01T09:00:00Z"
            })
    void itsThreeAnswersAgreeWithACountSecondBySecond(String text) {
        Schedule schedule = Schedule.of(text, SHANGHAI);
        NavigableSet<Instant> firings = firings(text);
        Random random = new Random(7);
        for (int draw = 0; draw < 2_000; draw++) {
            Instant moment = BEGIN.plusSeconds(random.nextInt(SECONDS)).plusNanos(random.nextInt(2) * 500);
            Instant later = moment.plusSeconds(random.nextInt(SECONDS)).plusNanos(random.nextInt(2) * 500);
            Instant end = BEGIN.plusSeconds(SECONDS);

            assertThat(schedule.nextAfter(moment).filter(firing -> !firing.isAfter(end)))
                    .isEqualTo(Optional.ofNullable(firings.higher(moment)));
            assertThat(schedule.latestNotAfter(moment).filter(firing -> !firing.isBefore(BEGIN)))
                    .isEqualTo(Optional.ofNullable(firings.floor(moment)));
            if (later.isBefore(end)) {
                assertThat(schedule.countBetween(moment, later, SECONDS))
                        .isEqualTo(firings.subSet(moment, false, later.isAfter(moment) ? later : moment, false)
                                .size());
            }
        }
        assertThat(schedule.countBetween(BEGIN, BEGIN.plusSeconds(SECONDS), 1)).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                                                   | ON_REQUEST
                    0 0 9 * * ?                                          | CRON
                    0 0 9 * * ?; 0 30 17 * * ? until 2027-01-01T00:00:00Z | CRON
                    0 0 9 * * ? shifted PT5M except SAT,SUN moving       | CRON
                    every PT15M from 2026-03-01T10:00:00Z                | EVERY
                    fixedDelay PT30S until 2027-01-01T00:00:00Z          | FIXED_DELAY
                    at 2026-12-24T18:00:00Z                              | AT
                    """)
    void aScheduleSaysWhatDecidesWhenItFires(String text, ScheduleKind kind) {
        Schedule schedule = Schedule.of(text, SHANGHAI);

        assertThat(schedule.kind()).isEqualTo(kind);
        assertThat(schedule.plain().kind()).isEqualTo(kind);
        assertThat(schedule.plain().text()).isEqualTo(text.split(" (until|shifted|from) ")[0]);
    }

    /** As a person would count them. */
    private static NavigableSet<Instant> firings(String text) {
        return LongStream.rangeClosed(0, SECONDS)
                .mapToObj(BEGIN::plusSeconds)
                .filter(second -> fires(text, second))
                .collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
    }

    private static boolean fires(String text, Instant second) {
        String[] untilParts = text.split(" until ");
        String[] fromParts = untilParts[0].split(" from ");
        boolean ended = untilParts.length > 1 && second.isAfter(Instant.parse(untilParts[1]));
        boolean begun = fromParts.length < 2 || !second.isBefore(Instant.parse(fromParts[1]));
        if (ended || !begun) {
            return false;
        }
        String form = fromParts[0];
        if (form.startsWith("at ")) {
            return second.equals(Instant.parse(form.substring(3)));
        }
        if (form.startsWith("every ")) {
            long period = Duration.parse(form.substring(6)).toSeconds();
            long anchor = fromParts.length < 2 ? 0 : Instant.parse(fromParts[1]).getEpochSecond();
            return (second.getEpochSecond() - anchor) % period == 0;
        }
        return Stream.of(form.split("; "))
                .anyMatch(cron -> Schedule.cron(cron, SHANGHAI)
                        .latestNotAfter(second)
                        .filter(second::equals)
                        .isPresent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "every PT30S",
                "fixedDelay PT30S",
                "fixedDelay PT1M30S from 2026-03-01T10:20:00Z until 2026-03-02T10:20:00Z",
                "at 2026-03-01T10:20:00Z",
                "0/20 * * * * ?; 30 5/10 * * * ?",
                "every PT7S from 2026-03-01T10:10:03Z",
                "0 0/10 * * * ? from 2026-03-01T10:20:00Z until 2026-03-02T10:20:00Z",
                "0 0/10 * * * ? until 2026-03-02T10:20:00Z"
            })
    void itIsReadFromItsTextAsItWas(String text) {
        Schedule schedule = Schedule.of(text, SHANGHAI);

        assertThat(schedule.text()).isEqualTo(text);
        assertThat(schedule.zone()).isEqualTo(SHANGHAI);
        assertThat(Schedule.of(schedule.text(), SHANGHAI)).isEqualTo(schedule);
        assertThat(Schedule.of(text, ZoneOffset.UTC)).isNotEqualTo(schedule);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            every PT0.5S                                                          | at least 1s
            every PT1.5S                                                          | whole seconds
            every PT-5S                                                           | at least 1s
            every P30                                                             | such as "every PT30S"
            fixedDelay PT0.5S                                                     | at least 1s
            fixedDelay P30                                                        | such as "fixedDelay PT30S"
            at 2026-03-01                                                         | such as "at 2026-12-24T18:00:00Z"
            at 2026-03-01T10:20:00.5Z                                             | a whole second
            at +20260-03-01T10:20:00Z                                             | expected a time from
            0 0 9 * * ?;                                                          | "" is not a cron expression
            0 0 9 * * ?; 0 0 25 * * ?                                             | "0 0 25 * * ?" is not a cron expression
            every PT5S from tomorrow                                              | expected bounds such as
            every PT5S from 2026-03-01T10:20:00Z until 2026-03-01T10:19:59Z       | isn't before the begin
            0 0 25 * * ? until 2026-03-01T10:19:59Z                               | "0 0 25 * * ?" is not a cron
            """)
    void whatCannotBeReadIsRefusedWithWhatWasExpected(String text, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Schedule.of(text, SHANGHAI))
                .withMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 0 9 31 2 ?                  | Asia/Shanghai
            0 0 9 30W 2 ?                 | Asia/Shanghai
            0 0 9 29 2 ? 2027             | Asia/Shanghai
            0 0 9 1 1 ?; 0 0 9 31 4,6 ?   | Asia/Shanghai
            0 30 2 28 3 ? 2027            | Europe/Berlin
            """)
    void aCronThatNeverFiresIsRefusedWithoutSpoilingPlansThatHaveIt(String cron, ZoneId zone) {
        assertThat(Schedule.problemOfCron(cron, zone))
                .hasValueSatisfying(problem -> assertThat(problem).contains("no year has such a time"));
        assertThat(Schedule.of(cron, zone).text()).isEqualTo(cron);
    }

    @Test
    void aCronWhoseYearsAreOverIsRight() {
        assertThat(Schedule.problemOfCron("0 0 9 1 1 ? 1970", SHANGHAI)).isEmpty();
    }

    @Test
    void theNextFiringAfterADelayFollowsFromTheLastEndWithinTheBounds() {
        Instant end = BEGIN.plusMillis(125);
        Schedule plain = Schedule.of("fixedDelay PT30S", SHANGHAI);
        Schedule bounded =
                Schedule.of("fixedDelay PT30S from 2026-03-01T10:10:00Z until 2026-03-01T10:20:00Z", SHANGHAI);

        assertThat(plain.delay()).hasValue(Duration.ofSeconds(30));
        assertThat(plain.nextAfterEnd(Optional.empty(), BEGIN)).hasValue(BEGIN);
        assertThat(plain.nextAfterEnd(Optional.of(end), BEGIN)).hasValue(end.plusSeconds(30));
        assertThat(plain.nextAfterEnd(Optional.of(end), BEGIN.plusSeconds(60))).hasValue(BEGIN.plusSeconds(60));
        assertThat(bounded.delay()).hasValue(Duration.ofSeconds(30));
        assertThat(bounded.nextAfterEnd(Optional.of(end), BEGIN)).hasValue(Instant.parse("2026-03-01T10:10:00Z"));
        assertThat(bounded.nextAfterEnd(Optional.of(Instant.parse("2026-03-01T10:19:30Z")), BEGIN))
                .hasValue(Instant.parse("2026-03-01T10:20:00Z"));
        assertThat(bounded.nextAfterEnd(Optional.of(Instant.parse("2026-03-01T10:19:30.001Z")), BEGIN))
                .isEmpty();
        assertThat(plain.nextAfter(BEGIN)).isEmpty();
        assertThat(plain.latestNotAfter(BEGIN)).isEmpty();
        assertThat(Schedule.of("every PT30S", SHANGHAI).nextAfterEnd(Optional.of(end), BEGIN))
                .isEmpty();
    }

    @Test
    void whatIsWrongWithOneOfSeveralCronsIsSaidOfThatOne() {
        assertThat(Schedule.problemOfCron("0 0 9 * * ?; 0 9 * * *", SHANGHAI))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith("\"0 9 * * *\": write \"0 0 9 * * *\" (the first field, the seconds, is missing)"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "every PT30S",
                "fixedDelay PT30S",
                "at 2026-12-24T18:00:00Z",
                "0 0 9 * * ? from 2026-03-01T10:20:00Z"
            })
    void whatHasASettingOfItsOwnIsNoCron(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Schedule.ofCron(text, SHANGHAI));
        assertThat(Schedule.problemOfCron(text, SHANGHAI)).isPresent();
    }

    @Test
    void momentsAtTheEndOfTimeHaveAnAnswer() {
        for (String text : List.of("every PT7S", "every PT7S from 2026-03-01T10:10:03Z until 2027-03-01T10:10:03Z")) {
            Schedule schedule = Schedule.of(text, ZoneOffset.UTC);

            assertThat(schedule.nextAfter(Instant.MAX)).isEmpty();
            assertThat(schedule.latestNotAfter(Instant.MAX)).isPresent();
            assertThat(schedule.countBetween(Instant.MIN, Instant.MAX, 1_000)).isEqualTo(1_000);
        }
        assertThat(IntStream.of(0, 1)
                        .mapToLong(limit -> Schedule.of("at 2026-03-01T10:20:00Z", ZoneOffset.UTC)
                                .countBetween(Instant.MIN, Instant.MAX, limit)))
                .containsExactly(0L, 1L);
    }
}
