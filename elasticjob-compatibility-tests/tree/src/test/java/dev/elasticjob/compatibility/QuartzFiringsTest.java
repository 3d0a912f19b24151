package dev.elasticjob.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.schedule.CronSchedule;
import dev.elasticjob.definition.schedule.Schedule;
import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.CronExpression;

/** An expression that was written for Quartz fires here when it fires there, or is refused. */
class QuartzFiringsTest {
    private static final ZoneId ZONE = ZoneOffset.UTC;
    private static final Instant START = Instant.parse("2023-12-31T00:00:00Z");
    private static final Instant END = Instant.parse("2036-12-31T00:00:00Z");
    private static final int MOST = 4_000;

    private static final String[] SECONDS = {"0", "*/20", "5/15", "10-40/10", "0,30"};
    private static final String[] MINUTES = {"0", "*/30", "15/25", "50-10/5", "3,33", "/20"};
    private static final String[] HOURS = {"2", "*/7", "22-2", "8-18/3", "0,12", "5/9"};
    private static final String[] DAYS = {"1", "31", "*/9", "28-3", "10/7", "5,20", "29", "?"};
    private static final String[] MONTHS = {"*", "2", "FEB-APR", "NOV-FEB", "*/5", "4,9", "3/4", "11-2"};
    private static final String[] DAYS_OF_WEEK = {
        "?", "MON-FRI", "2-6", "FRI-MON", "1", "7", "6L", "FRIL", "3#2", "TUE#5", "L", "1,4,7", "2/2", "SAT-SUN", "5-2"
    };

    static Stream<String> everyFormOfLastDaysAndWeekdays() {
        Stream<String> weekdays = IntStream.rangeClosed(1, 31).mapToObj(day -> day + "W");
        Stream<String> beforeTheLast =
                IntStream.rangeClosed(1, 30).boxed().flatMap(n -> Stream.of("L-" + n, "L-" + n + "W"));
        Stream<String> others = Stream.of("L", "LW", "1,15W", "1W,15W", "15W,20", "L,15", "LW,15", "31W,L");
        return Stream.of(weekdays, beforeTheLast, others).flatMap(days -> days);
    }

    /** One time a day: on a Monday to which a Sunday was moved, Quartz loses all but the first. */
    @ParameterizedTest
    @MethodSource("everyFormOfLastDaysAndWeekdays")
    void daysOfTheMonth(String days) throws ParseException {
        for (String months : List.of("*", "2", "4", "1,3", "2-11", "FEB")) {
            assertFiresAsInQuartz("0 30 2 " + days + " " + months + " ?");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT", "1", "2", "3", "4", "5", "6", "7"})
    void daysOfTheWeek(String day) throws ParseException {
        assertFiresAsInQuartz("0 30 2 ? * " + day + "L");
        for (int which = 1; which <= 5; which++) {
            assertFiresAsInQuartz("0 30 2 ? * " + day + "#" + which);
        }
    }

    /** What has an equivalent here means the same, whatever it is put together from. */
    @Test
    void expressionsThatAreConverted() throws ParseException {
        var random = new Random(34);
        int compared = 0;
        for (int i = 0; i < 3_000; i++) {
            String days = one(DAYS, random);
            String expression = String.join(
                    " ",
                    one(SECONDS, random),
                    one(MINUTES, random),
                    one(HOURS, random),
                    days,
                    one(MONTHS, random),
                    days.equals("?") ? one(DAYS_OF_WEEK, random) : "?");
            if (CronExpression.isValidExpression(expression)
                    && CronSchedule.fromQuartz(expression).isPresent()) {
                compared++;
                assertFiresAsInQuartz(expression);
            }
        }
        assertThat(compared).isGreaterThan(1_000);
    }

    private static String one(String[] choices, Random random) {
        return choices[random.nextInt(choices.length)];
    }

    private static void assertFiresAsInQuartz(String expression) throws ParseException {
        String here = CronSchedule.fromQuartz(expression).orElseThrow();

        assertThat(firings(Schedule.cron(here, ZONE)))
                .as("\"%s\", which is \"%s\" in Quartz", here, expression)
                .isEqualTo(firings(new CronExpression(expression)));
    }

    private static List<Instant> firings(Schedule schedule) {
        List<Instant> firings = new ArrayList<>();
        Optional<Instant> next = schedule.nextAfter(START);
        while (next.filter(END::isAfter).isPresent() && firings.size() < MOST) {
            firings.add(next.get());
            next = schedule.nextAfter(next.get());
        }
        return firings;
    }

    private static List<Instant> firings(CronExpression quartz) {
        quartz.setTimeZone(TimeZone.getTimeZone(ZONE));
        List<Instant> firings = new ArrayList<>();
        Date next = quartz.getNextValidTimeAfter(Date.from(START));
        while (next != null && next.toInstant().isBefore(END) && firings.size() < MOST) {
            firings.add(next.toInstant());
            next = quartz.getNextValidTimeAfter(next);
        }
        return firings;
    }
}
