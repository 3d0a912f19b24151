package dev.elasticjob.definition.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Days of a month that are counted from its end, or moved to the nearest weekday: {@code L}, {@code L-3}, {@code LW},
 * {@code L-3W} and {@code 15W}. As in Quartz, a weekday is looked for within the month, and a month that doesn't have the
 * day is passed over.
 *
 * <p>Spring knows these days too, but loses firings: {@code 31W} in a month whose 31st is a Sunday, and {@code L-30} for
 * good after the first month that is too short.
 */
record MonthDays(List<Day> days) {
    static final MonthDays NONE = new MonthDays(List.of());

    private static final Pattern FORM = Pattern.compile("(?:L(?:-(\\d{1,2}))?|(\\d{1,2}))(W)?");
    private static final int MOST_DAYS = 31;

    /** Whether a part of the field for the day of the month is such a day, and not a plain number. */
    static boolean isOne(String part) {
        Matcher matcher = FORM.matcher(part);
        return matcher.matches() && (matcher.group(2) == null || matcher.group(3) != null);
    }

    /** @throws IllegalArgumentException if no month has such a day; the message says why */
    static MonthDays of(List<String> parts) {
        return new MonthDays(parts.stream().map(MonthDays::day).toList());
    }

    private static Day day(String part) {
        Matcher matcher = FORM.matcher(part);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a day such as L, L-3, LW or 15W, but was \"" + part + "\"");
        }
        Place place = matcher.group(3) == null ? Place.EXACT : Place.NEAREST_WEEKDAY;
        if (matcher.group(2) != null) {
            return new FromStart(within(part, matcher.group(2), 1, MOST_DAYS), place);
        }
        return new FromEnd(matcher.group(1) == null ? 0 : within(part, matcher.group(1), 1, MOST_DAYS - 1), place);
    }

    private static int within(String part, String digits, int from, int to) {
        int number = Integer.parseInt(digits);
        if (number < from || number > to) {
            throw new IllegalArgumentException(
                    "\"%s\": expected a number from %d to %d, but was %d".formatted(part, from, to, number));
        }
        return number;
    }

    /** The first of these days in a month that is not before the given one. */
    Optional<LocalDate> firstFrom(LocalDate day) {
        YearMonth month = YearMonth.from(day);
        return days.stream()
                .flatMap(each -> each.in(month).stream())
                .filter(found -> !found.isBefore(day))
                .min(Comparator.naturalOrder());
    }

    /** One of the days. */
    sealed interface Day permits FromStart, FromEnd {
        /** Its date in the given month; empty if the month is too short. */
        Optional<LocalDate> in(YearMonth month);
    }

    private record FromStart(int day, Place place) implements Day {
        @Override
        public Optional<LocalDate> in(YearMonth month) {
            return month.isValidDay(day) ? Optional.of(place.of(month.atDay(day))) : Optional.empty();
        }
    }

    private record FromEnd(int daysBefore, Place place) implements Day {
        @Override
        public Optional<LocalDate> in(YearMonth month) {
            return daysBefore < month.lengthOfMonth()
                    ? Optional.of(place.of(month.atEndOfMonth().minusDays(daysBefore)))
                    : Optional.empty();
        }
    }

    private enum Place {
        EXACT {
            @Override
            LocalDate of(LocalDate day) {
                return day;
            }
        },
        /** On Saturday the day before, on Sunday the day after, unless that is in another month. */
        NEAREST_WEEKDAY {
            @Override
            LocalDate of(LocalDate day) {
                if (day.getDayOfWeek() == DayOfWeek.SATURDAY) {
                    return day.getDayOfMonth() == 1 ? day.plusDays(2) : day.minusDays(1);
                }
                if (day.getDayOfWeek() == DayOfWeek.SUNDAY) {
                    return day.getDayOfMonth() == day.lengthOfMonth() ? day.minusDays(2) : day.plusDays(1);
                }
                return day;
            }
        };

        abstract LocalDate of(LocalDate day);
    }
}
