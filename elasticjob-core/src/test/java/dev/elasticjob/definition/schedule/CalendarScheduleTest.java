package dev.elasticjob.definition.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calendars, against what a person does with a list of firings. */
class CalendarScheduleTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId SHANGHAI = ZoneId.of("Asia/Shanghai");
    private static final LocalDate BEGIN = LocalDate.parse("2026-03-01");
    private static final int DAYS = 60;

    // ------------------------------------------------------------------ against a list

    static Stream<Integer> seeds() {
        return IntStream.range(0, 120).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void itsThreeAnswersAgreeWithAListOfFirings(int seed) {
        Random random = new Random(seed);
        ZoneId zone = List.of(BERLIN, SHANGHAI, ZoneId.of("America/Havana"), ZoneId.of("Australia/Lord_Howe"))
                .get(random.nextInt(4));
        String base = List.of(
                        "0 0 9 * * ?",
                        "0 30 0/2 * * ?",
                        "0 0/15 1-3 * * ?",
                        "0 0 12 ? * WED",
                        "0 0 0 1,15 * ?",
                        "every PT7H",
                        "0 0 6 * * ?; 0 30 2 * * ?")
                .get(random.nextInt(7));
        List<String> entries = entries(random);
        boolean moves = random.nextBoolean();
        Schedule inner = Schedule.of(base, zone);
        Schedule schedule = inner.except(JobCalendar.of(entries), moves);
        NavigableSet<Instant> expected = byHand(inner, entries, moves);

        for (int draw = 0; draw < 100; draw++) {
            Instant moment =
                    at(zone, BEGIN).plusSeconds(random.nextInt(DAYS * 86_400)).plusNanos(random.nextInt(2) * 500L);
            if (random.nextBoolean() && expected.floor(moment) != null) {
                moment = expected.floor(moment);
            }
            Instant end = at(zone, BEGIN.plusDays(DAYS));
            assertThat(schedule.nextAfter(moment).filter(end::isAfter))
                    .as("%s after %s", schedule.text(), moment)
                    .isEqualTo(Optional.ofNullable(expected.higher(moment)));
            assertThat(schedule.latestNotAfter(moment).filter(firing -> !firing.isBefore(at(zone, BEGIN))))
                    .as("%s until %s", schedule.text(), moment)
                    .isEqualTo(Optional.ofNullable(expected.floor(moment)));
        }
        assertThat(keptByLeavingOut(inner, schedule)).as(schedule.text()).isEqualTo(expected);
        Instant begin = at(zone, BEGIN).minusNanos(1);
        assertThat(schedule.countBetween(begin, at(zone, BEGIN.plusDays(DAYS)), 10_000))
                .isEqualTo(expected.size());
    }

    /** The firings of the inner schedule without what the other one says that it leaves out, and with what it moves. */
    private static NavigableSet<Instant> keptByLeavingOut(Schedule inner, Schedule schedule) {
        Instant from = at(inner.zone(), BEGIN.minusDays(40)).minusNanos(1);
        Instant end = at(inner.zone(), BEGIN.plusDays(DAYS));
        NavigableSet<Instant> kept = new TreeSet<>();
        for (Instant firing = inner.nextAfter(from).orElse(end);
                firing.isBefore(end);
                firing = inner.nextAfter(firing).orElse(end)) {
            kept.add(firing);
        }
        List<LeftOut> leftOut = schedule.leftOut(from, Optional.of(end.minusNanos(1)), Integer.MAX_VALUE);
        leftOut.forEach(firing -> assertThat(kept.remove(firing.time())).isTrue());
        leftOut.forEach(firing -> firing.movedTo().ifPresent(kept::add));
        return new TreeSet<>(kept.subSet(at(inner.zone(), BEGIN), end));
    }

    private static List<String> entries(Random random) {
        List<String> entries = new ArrayList<>();
        if (random.nextBoolean()) {
            entries.addAll(List.of("SAT", "SUN"));
        }
        for (int entry = 0; entry <= random.nextInt(6); entry++) {
            LocalDate day = BEGIN.plusDays(random.nextInt(DAYS));
            LocalDateTime time = day.atTime(random.nextInt(24), random.nextInt(2) * 30);
            entries.add(
                    switch (random.nextInt(5)) {
                        case 0 -> day.toString();
                        case 1 -> day + "/" + day.plusDays(random.nextInt(9));
                        case 2 -> MonthDay.from(day).toString().substring(2);
                        case 3 -> "+" + day + "/" + day.plusDays(random.nextInt(3));
                        default -> time + "/" + time.plusMinutes(30L * (1 + random.nextInt(60)));
                    });
        }
        return entries;
    }

    /** From a list of the schedule's firings, with its days crossed out one after the other. */
    private static NavigableSet<Instant> byHand(Schedule inner, List<String> entries, boolean moves) {
        ZoneId zone = inner.zone();
        NavigableSet<Instant> kept = new TreeSet<>();
        Instant end = at(zone, BEGIN.plusDays(DAYS));
        Instant at = at(zone, BEGIN.minusDays(40)).minusNanos(1);
        for (Instant firing = inner.nextAfter(at).orElse(end);
                firing.isBefore(end);
                firing = inner.nextAfter(firing).orElse(end)) {
            LocalDateTime time = LocalDateTime.ofInstant(firing, zone);
            Instant moved = firing;
            if (isClosed(entries, time.toLocalDate())) {
                if (!moves) {
                    continue;
                }
                LocalDate day = time.toLocalDate();
                while (isClosed(entries, day)) {
                    day = day.plusDays(1);
                }
                LocalDateTime onDay = day.atTime(time.toLocalTime());
                var change = zone.getRules().getTransition(onDay);
                moved = change != null && change.isGap()
                        ? change.getInstant()
                        : onDay.atZone(zone).toInstant();
            }
            if (!isInWindow(entries, LocalDateTime.ofInstant(moved, zone))
                    && !moved.isBefore(at(zone, BEGIN))
                    && moved.isBefore(end)) {
                kept.add(moved);
            }
        }
        return kept;
    }

    private static boolean isClosed(List<String> entries, LocalDate day) {
        boolean closed = false;
        boolean added = false;
        for (String entry : entries) {
            String days = entry.replace("+", "");
            if (!entry.contains("T") || entry.length() < 5) {
                boolean meant = days.length() == 3
                        ? day.getDayOfWeek().name().startsWith(days)
                        : days.length() == 5
                                ? MonthDay.from(day).toString().endsWith(days)
                                : !day.isBefore(LocalDate.parse(days.split("/")[0]))
                                        && !day.isAfter(LocalDate.parse(days.substring(days.length() - 10)));
                added |= meant && entry.startsWith("+");
                closed |= meant && !entry.startsWith("+");
            }
        }
        return closed && !added;
    }

    private static boolean isInWindow(List<String> entries, LocalDateTime time) {
        return entries.stream()
                .filter(entry -> entry.contains("T") && entry.contains("/"))
                .map(entry -> entry.split("/"))
                .anyMatch(window -> !time.isBefore(LocalDateTime.parse(window[0]))
                        && time.isBefore(LocalDateTime.parse(window[1])));
    }

    private static Instant at(ZoneId zone, LocalDate day) {
        return day.atStartOfDay(zone).toInstant();
    }

    // ------------------------------------------------------------------ as people use it

    @Test
    void workdaysOfChinaWithTheDaysThatAreMadeUpFor() {
        Schedule workdays = Schedule.cron("0 0 9 * * ?", SHANGHAI)
                .except(JobCalendar.of("SAT,SUN,2026-10-01/2026-10-07,+2026-09-20,+2026-10-10"), false);

        assertThat(days(workdays, "2026-09-18", 8))
                .containsExactly(
                        "2026-09-18",
                        "2026-09-20",
                        "2026-09-21",
                        "2026-09-22",
                        "2026-09-23",
                        "2026-09-24",
                        "2026-09-25",
                        "2026-09-28");
        assertThat(days(workdays, "2026-09-30", 5))
                .containsExactly("2026-09-30", "2026-10-08", "2026-10-09", "2026-10-10", "2026-10-12");
    }

    @Test
    void firstOfTheMonthMovesToTheNextWorkday() {
        Schedule first = Schedule.cron("0 0 9 1 * ?", BERLIN).except(JobCalendar.of("SAT,SUN,01-01,05-01"), true);

        assertThat(days(first, "2026-01-01", 6))
                .containsExactly("2026-01-02", "2026-02-02", "2026-03-02", "2026-04-01", "2026-05-04", "2026-06-01");
    }

    @Test
    void whatIsLeftOutIsToldUpToAMomentAndALimitAndWithinBounds() {
        Instant friday = Instant.parse("2026-01-02T00:00:00Z");
        Schedule weekdays = Schedule.cron("0 0 9 * * ?", ZoneOffset.UTC)
                .except(JobCalendar.of("SAT,SUN"), true)
                .between(Optional.empty(), Optional.of(Instant.parse("2026-01-10T12:00:00Z")));
        Instant monday = Instant.parse("2026-01-05T09:00:00Z");
        LeftOut saturday = new LeftOut(Instant.parse("2026-01-03T09:00:00Z"), Optional.of(monday));
        LeftOut sunday = new LeftOut(Instant.parse("2026-01-04T09:00:00Z"), Optional.of(monday));

        assertThat(weekdays.leftOut(friday, Optional.of(monday), 10)).containsExactly(saturday, sunday);
        assertThat(weekdays.leftOut(friday, Optional.of(sunday.time().minusSeconds(1)), 10))
                .containsExactly(saturday);
        assertThat(weekdays.leftOut(friday, Optional.empty(), 1)).containsExactly(saturday);
        assertThat(weekdays.leftOut(friday, Optional.empty(), 10))
                .extracting(LeftOut::time)
                .containsExactly(saturday.time(), sunday.time(), Instant.parse("2026-01-10T09:00:00Z"));
        assertThat(Schedule.cron("0 0 9 * * ?", ZoneOffset.UTC).leftOut(friday, Optional.empty(), 10))
                .isEmpty();
    }

    private static List<String> days(Schedule schedule, String from, int count) {
        return Stream.iterate(
                        schedule.nextAfter(at(schedule.zone(), LocalDate.parse(from))),
                        firing -> firing.flatMap(schedule::nextAfter))
                .limit(count)
                .map(firing -> LocalDate.ofInstant(firing.orElseThrow(), schedule.zone())
                        .toString())
                .toList();
    }

    @Test
    void secondsThatAreLeftOutForMonthsAreNotWalkedThrough() {
        Schedule every = Schedule.every(Duration.ofSeconds(1), BERLIN);
        for (boolean moves : new boolean[] {false, true}) {
            Schedule schedule = every.except(JobCalendar.of("2026-01-01/2026-12-31"), moves);

            assertThat(schedule.nextAfter(Instant.parse("2026-02-01T12:00:00Z")))
                    .contains(at(BERLIN, LocalDate.parse("2027-01-01")));
            assertThat(schedule.latestNotAfter(Instant.parse("2026-12-01T12:00:00Z")))
                    .contains(at(BERLIN, LocalDate.parse("2026-01-01")).minusSeconds(1));
        }
    }

    @Test
    void whatIsNeverOpenHasNoFiring() {
        String all = Stream.of(DayOfWeek.values())
                .map(day -> day.name().substring(0, 3))
                .reduce((one, other) -> one + "," + other)
                .orElseThrow();
        for (boolean moves : new boolean[] {false, true}) {
            Schedule never = Schedule.cron("0 0 9 * * ?", BERLIN).except(JobCalendar.of(all), moves);
            Schedule sundays = Schedule.cron("0 0 9 ? * SUN", BERLIN).except(JobCalendar.of("SUN"), moves);

            for (Instant moment : List.of(Instant.EPOCH, Instant.MIN, Instant.MAX)) {
                assertThat(never.nextAfter(moment)).isEmpty();
                assertThat(never.latestNotAfter(moment)).isEmpty();
            }
            assertThat(sundays.nextAfter(Instant.EPOCH).isPresent()).isEqualTo(moves);
        }
    }

    // ------------------------------------------------------------------ shifted, and texts

    @Test
    void shiftedFiringsAreLaterByTheOffset() {
        Schedule shifted = Schedule.cron("0 0 2 * * ?", BERLIN).shiftedBy(Duration.ofSeconds(200));

        assertThat(shifted.nextAfter(Instant.parse("2026-01-05T01:03:19Z")))
                .contains(Instant.parse("2026-01-05T01:03:20Z"));
        assertThat(shifted.nextAfter(Instant.parse("2026-01-05T01:03:20Z")))
                .contains(Instant.parse("2026-01-06T01:03:20Z"));
        assertThat(shifted.latestNotAfter(Instant.parse("2026-01-05T01:03:20Z")))
                .contains(Instant.parse("2026-01-05T01:03:20Z"));
        assertThat(shifted.latestNotAfter(Instant.parse("2026-01-05T01:03:19Z")))
                .contains(Instant.parse("2026-01-04T01:03:20Z"));
        assertThat(shifted.countBetween(
                        Instant.parse("2026-01-05T01:03:20Z"), Instant.parse("2026-01-08T01:03:20Z"), 100))
                .isEqualTo(2);
        assertThat(shifted.cron()).contains("0 0 2 * * ?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0 0 9 * * ? except SAT,SUN,12-25,2026-10-01/2026-10-08,+2026-10-10",
                "0 0 9 * * ?; 0 0 17 * * ? except 2026-12-31T18:00/2027-01-01T06:00 moving",
                "0 0 9 * * ? shifted PT3M20S",
                "every PT30S shifted PT3S except SAT from 2026-03-01T10:20:00Z until 2026-05-01T10:20:00Z",
                "0 0 9 * * ? except SAT moving until 2026-05-01T10:20:00Z"
            })
    void itIsReadFromItsTextAsItWas(String text) {
        Schedule schedule = Schedule.of(text, SHANGHAI);

        assertThat(schedule.text()).isEqualTo(text);
        assertThat(Schedule.of(schedule.text(), SHANGHAI)).isEqualTo(schedule);
    }

    @Test
    void aRateIsCountedFromItsBeginAlsoWithACalendar() {
        Schedule rate = Schedule.of("every PT7H shifted PT3S except SAT from 2026-03-02T10:20:00Z", SHANGHAI);

        assertThat(rate.nextAfter(Instant.EPOCH)).contains(Instant.parse("2026-03-02T10:20:03Z"));
        assertThat(rate.nextAfter(Instant.parse("2026-03-02T10:20:03Z")))
                .contains(Instant.parse("2026-03-02T17:20:03Z"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SAT,,SUN                       | an entry is empty; expected SAT, 12-25
            SATURN,2026-02-30,+SAT         | "SATURN" can't be read; "2026-02-30" can't be read; "+SAT" can't be read
            2026-10-08/2026-10-01          | "2026-10-08/2026-10-01" can't be read
            2026-10-01T10:00/2026-10-01T10:00 | can't be read
            2026-10-01T10:00               | can't be read
            +12-25                         | "+12-25" can't be read
            """)
    void entriesThatCannotBeReadAreAllNamed(String text, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobCalendar.of(text))
                .withMessageContaining(expected);
    }

    @Test
    void aCalendarHasALimit() {
        List<String> days = IntStream.range(0, 1_000)
                .mapToObj(day -> BEGIN.plusDays(day).toString())
                .toList();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobCalendar.of(days))
                .withMessageContaining("may have 8192 characters together, but have 10999");
    }

    @Test
    void itsLastDayIsTheLastOneOfWhichAnEntrySpeaks() {
        assertThat(JobCalendar.of("SAT,12-25").lastDay()).isEmpty();
        assertThat(JobCalendar.of("SAT,2026-10-01/2026-10-08,+2026-10-10,2026-01-01T10:00/2026-01-01T11:00")
                        .lastDay())
                .contains(LocalDate.parse("2026-10-10"));
    }
}
