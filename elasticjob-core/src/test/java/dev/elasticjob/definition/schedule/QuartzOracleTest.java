package dev.elasticjob.definition.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronExpression;

/**
 * Quartz is the oracle: an expression that it accepts fires here when it fires there, or is refused with the one that does,
 * or differs in one of the ways that {@code docs/guide/time.md} names.
 */
class QuartzOracleTest {
    private static final ZoneId ZONE = ZoneOffset.UTC;
    private static final Instant START = Instant.parse("2023-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("2033-01-01T00:00:00Z");
    /** So many firings a month are too many for ten years of them. */
    private static final int DENSE = 500;

    private static final Pattern NEAREST = Pattern.compile("write \"([^\"]+)\"");

    /** What becomes of an expression of Quartz. */
    private enum Outcome {
        /** It fires at the same times. */
        SAME,
        /** It is refused, with the expression that fires at the same times. */
        NEAREST_IS_NAMED,
        /** It is refused without one: it never fires in Quartz either. */
        NEVER_FIRES,
        /** It is refused without one, although Quartz makes something of it. No expression that people write. */
        REFUSED,
        /** It fires at other times, a stored one with a warning that has the expression which doesn't. */
        OTHER_DAYS,
        /** It fires on all days with L and W, and at all their times. Quartz loses some. */
        LOST_DAYS
    }

    static List<String> corpus() throws IOException {
        try (InputStream file = QuartzOracleTest.class.getResourceAsStream("quartz-expressions.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    @Test
    void expressionsThatPeopleWrite() throws Exception {
        List<String> corpus = corpus();

        Map<Outcome, List<String>> outcomes = outcomes(corpus, 4_000);

        assertThat(corpus).hasSizeGreaterThan(200).doesNotHaveDuplicates();
        assertThat(EnumSet.complementOf(EnumSet.of(Outcome.REFUSED))).isEqualTo(outcomes.keySet());
        assertThat(outcomes.get(Outcome.SAME)).hasSizeGreaterThan(150);
    }

    @Test
    void expressionsByTheGrammarOfQuartz() {
        long seed = Long.getLong("quartz.seed", 40);
        List<String> drawn = Stream.of(new Random(39), new Random(seed))
                .map(QuartzGrammar::new)
                .flatMap(grammar -> Stream.generate(grammar::expression)
                        .filter(CronExpression::isValidExpression)
                        .limit(Integer.getInteger("quartz.draws", 1_000)))
                .toList();

        Map<Outcome, List<String>> outcomes = outcomes(drawn, 150);

        assertThat(outcomes.get(Outcome.SAME)).hasSizeGreaterThan(drawn.size() / 2);
        assertThat(outcomes.getOrDefault(Outcome.REFUSED, List.of())).hasSizeLessThan(10);
    }

    /** An expression whose stored form was written for Quartz has other days here, and a warning that says so. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 2 ? * 2-6         | 0 0 2 ? * MON-FRI",
                "0 0 2 ? * 6L          | 0 0 2 ? * FRIL",
                "0 0 2 ? * 6#3         | 0 0 2 ? * FRI#3",
                "0 0 2 ? * */2         | 0 0 2 ? * SUN,TUE,THU,SAT",
                "0 0 2 ? * 2/2         | 0 0 2 ? * MON,WED,FRI",
                "0 0 2 ? * MON-FRI/2   | 0 0 2 ? * MON-FRI",
                "0 0 2 ? * MON/2       | 0 0 2 ? * MON",
                "0 0 2 ? * MON#1,TUE   | 0 0 2 ? * MON#1",
                "0 0 2 1 JAN/3 ?       | 0 0 2 1 JAN ?",
                "0 0 2 1 JAN-MAR/2 ?   | 0 0 2 1 JAN-MAR ?",
            })
    void differencesOfDaysAndStepsAreRealAndWarnedOf(String expression, String right) throws ParseException {
        Firings there = firings(expression);
        Firings here = Schedule.ofCron(expression, ZONE)::nextAfter;

        assertThat(walk(here, START, END, 100)).isNotEqualTo(walk(there, START, END, 100));
        assertThat(CronSchedule.otherThanInQuartz(expression).orElseThrow()).contains("Write \"" + right + "\"");
        assertThat(assertSame(expression, right, there, 4_000)).isEqualTo(Outcome.SAME);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 2,3 15W * ?", "0 0 2 15W,20W * ?", "0 0 2 27,L-2 * ?"})
    void daysThatQuartzLosesAreReal(String expression) throws ParseException {
        assertThat(assertSame(expression, expression, firings(expression), 4_000))
                .isEqualTo(Outcome.LOST_DAYS);
    }

    /** The other direction. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "* * * * * *",
                "0 0 9 ? * ?",
                "0 0 9 13 * FRI",
                "0 0 9 13 * FRI 2027",
                "@daily",
                "0 0 9 ? * 0",
                "0 0 9 ? * 0-4",
                "0 0 9 ? * MON#1,MON#3",
                "0 0 9 ? * MON,FRIL",
                "0 0 9 1 JAN-3 ?",
                "0 0/60 9 * * ?",
                "0 0 0/24 * * ?",
            })
    void someExpressionsAreKnownHereOnly(String expression) {
        assertThat(CronExpression.isValidExpression(expression)).isFalse();
        assertThat(Schedule.ofCron(expression, ZONE).nextAfter(START)).isPresent();
    }

    @Test
    void aJobWhoseYearsAreOverSaysSoAtOnce() {
        Schedule over = Schedule.ofCron("0 0 9 29 2 ? 2023-2025", ZONE);
        Schedule never = Schedule.ofCron("0 0 9 29 2 ? 2027/2", ZONE);
        Instant firing = Instant.parse("2024-02-29T09:00:00Z");

        assertThat(over.nextAfter(START)).hasValue(firing);
        assertThat(over.nextAfter(firing)).isEmpty();
        assertThat(over.latestNotAfter(END)).hasValue(firing);
        assertThat(over.countBetween(START, END, 10)).isOne();
        assertThat(never.nextAfter(START)).isEmpty();
        assertThat(never.latestNotAfter(END)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2200", "1969", "2030-2027", "27", "2027-", "2027/0", "L", "2027,", "?", "2027W"})
    void aYearThatIsNoneIsRefusedByName(String year) {
        assertThat(Schedule.problemOfCron("0 0 9 1 1 ? " + year, ZONE).orElseThrow())
                .contains("expected years from 1970 to 2199, such as 2027, 2027-2030 or 2027/2");
    }

    @Test
    void eachDayThatIsMovedOrCountedFromTheEnd() {
        List<String> days = IntStream.rangeClosed(1, 31)
                .boxed()
                .flatMap(day -> Stream.of(day + "W", "L-" + (day - 1), "L-" + (day - 1) + "W"))
                .toList();
        List<String> expressions = Stream.of("*", "2", "4", "1,3", "2-11", "FEB")
                .flatMap(months -> days.stream().map(day -> "0 30 2 " + day + " " + months + " ?"))
                .toList();

        assertThat(outcomes(expressions, 4_000))
                .doesNotContainKeys(Outcome.REFUSED, Outcome.OTHER_DAYS, Outcome.LOST_DAYS);
    }

    private static Map<Outcome, List<String>> outcomes(List<String> expressions, int most) {
        Map<Outcome, List<String>> outcomes = new EnumMap<>(Outcome.class);
        Map<String, Throwable> faults = new LinkedHashMap<>();
        for (String expression : expressions) {
            try {
                outcomes.computeIfAbsent(outcome(expression, most), outcome -> new ArrayList<>())
                        .add(expression);
            } catch (AssertionError | Exception e) {
                faults.put(expression, e);
            }
        }
        assertThat(faults).isEmpty();
        return outcomes;
    }

    private static Outcome outcome(String expression, int most) throws ParseException {
        Firings there = firings(expression);
        Optional<String> problem = Schedule.problemOfCron(expression, ZONE);
        if (problem.isPresent()) {
            return refused(expression, problem.get(), there, most);
        }
        String right = CronSchedule.fromQuartz(expression).orElseThrow();
        Optional<String> warning = CronSchedule.otherThanInQuartz(expression);
        if (warning.isPresent()) {
            assertThat(warning.get()).contains("\"" + right + "\"");
            assertSame(expression, right, there, most);
            return Outcome.OTHER_DAYS;
        }
        assertSame(expression, right, there, most);
        return assertSame(expression, expression, there, most);
    }

    private static Outcome refused(String expression, String problem, Firings there, int most) {
        if (problem.startsWith("expected an expression that fires")) {
            assertThat(there.after(START)).as("\"%s\"", expression).isEmpty();
            return Outcome.NEVER_FIRES;
        }
        assertThat(problem).as("\"%s\"", expression).contains("expected six fields", "(");
        Matcher nearest = NEAREST.matcher(problem);
        if (!nearest.find()) {
            assertThat(CronSchedule.fromQuartz(expression)).isEmpty();
            return there.after(START).isEmpty() ? Outcome.NEVER_FIRES : Outcome.REFUSED;
        }
        assertThat(CronSchedule.fromQuartz(expression)).contains(nearest.group(1));
        assertSame(expression, nearest.group(1), there, most);
        return Outcome.NEAREST_IS_NAMED;
    }

    private static Outcome assertSame(String quartz, String text, Firings there, int most) {
        Firings here = Schedule.ofCron(text, ZONE)::nextAfter;
        boolean isDense =
                walk(here, START, START.plus(Duration.ofDays(30)), DENSE).size() == DENSE;
        int compared = isDense ? Math.min(DENSE, most) : most;
        Set<Instant> lost = lost(here, there, START, END, compared);
        if (walk(here, START, END, compared).size() == compared) {
            lastDays().forEach(day -> lost.addAll(lost(here, there, day.minusSeconds(1), END, 3)));
        }
        lost.addAll(lost(here, there, END, END.plus(Duration.ofDays(36_000)), 1));
        assertThat(lost)
                .as("firings of \"%s\" that \"%s\" doesn't have in Quartz", text, quartz)
                .allMatch(firing -> isCounted(text, LocalDate.ofInstant(firing, ZONE)));
        return lost.isEmpty() ? Outcome.SAME : Outcome.LOST_DAYS;
    }

    private static Stream<Instant> lastDays() {
        return Stream.iterate(YearMonth.from(START.atZone(ZONE)), month -> month.plusMonths(1))
                .map(month -> month.atEndOfMonth().atStartOfDay(ZONE).toInstant())
                .takeWhile(END::isAfter);
    }

    /** What fires here and not there. Nothing fires there and not here. */
    private static Set<Instant> lost(Firings here, Firings there, Instant start, Instant end, int most) {
        NavigableSet<Instant> found = walk(here, start, end, most);
        NavigableSet<Instant> expected = walk(there, start, end, most);
        Instant common = Stream.of(found, expected)
                .filter(firings -> firings.size() == most)
                .map(NavigableSet::last)
                .min(Comparator.naturalOrder())
                .orElse(end);
        var lost = new TreeSet<>(found.headSet(common, true));
        var missing = new TreeSet<>(expected.headSet(common, true));
        lost.removeAll(expected);
        missing.removeAll(found);
        assertThat(missing).as("firings that are missing here").isEmpty();
        return lost;
    }

    /** Whether the day is one that the expression moves to a weekday, or counts from the end of the month. */
    private static boolean isCounted(String expression, LocalDate day) {
        List<String> counted = Stream.of(
                        expression.toUpperCase(Locale.ROOT).split("\\s+")[3].split(","))
                .filter(MonthDays::isOne)
                .toList();
        return MonthDays.of(counted).firstFrom(day).filter(day::equals).isPresent();
    }

    private static NavigableSet<Instant> walk(Firings firings, Instant start, Instant end, int most) {
        var found = new TreeSet<Instant>();
        Optional<Instant> firing = firings.after(start);
        while (firing.filter(end::isAfter).isPresent() && found.size() < most) {
            found.add(firing.get());
            firing = firings.after(firing.get());
        }
        return found;
    }

    private static Firings firings(String expression) throws ParseException {
        var quartz = new CronExpression(expression);
        quartz.setTimeZone(TimeZone.getTimeZone(ZONE));
        return moment -> next(quartz, moment);
    }

    private static Optional<Instant> next(CronExpression quartz, Instant moment) {
        try {
            return Optional.ofNullable(quartz.getNextValidTimeAfter(Date.from(moment)))
                    .map(Date::toInstant);
        } catch (NoSuchElementException e) {
            // It accepts fields without any value, and then fails.
            return Optional.empty();
        }
    }

    private interface Firings {
        Optional<Instant> after(Instant moment);
    }
}
