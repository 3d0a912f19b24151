package dev.elasticjob.definition.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * The times of a cron expression on a wall clock without a zone. Spring finds them, but for those on {@link MonthDays}: for
 * these it says which times a day has. No other class here uses Spring.
 *
 * <p>Ranges that wrap around, steps without a start and years, which Spring doesn't know, are written for it without.
 *
 * @param plain the expression without those days; empty if it has no other
 * @param anyDay the expression for every day of the month
 */
record CronTimes(Optional<CronExpression> plain, CronExpression anyDay, MonthDays special, CronYears years) {
    private static final String MACRO = "@";
    private static final String ANY = "*";
    /** How long a day may be in coming: 29 February on a given day of the week, 40 years. */
    private static final int YEARS = 41;

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,2})-(\\d{1,2})(?:/(\\d{1,2}))?");
    private static final Pattern NAMES = Pattern.compile("([A-Z]{3})-([A-Z]{3})");

    /** @throws IllegalArgumentException if the expression of six or seven fields can't be parsed; the message says why */
    static CronTimes parse(String expression) {
        if (expression.strip().startsWith(MACRO)) {
            return of(CronExpression.parse(expression.strip()), CronYears.EVERY);
        }
        String[] all = expression.strip().toUpperCase(Locale.ROOT).split("\\s+");
        boolean hasYear = all.length == CronField.YEAR.index() + 1;
        String[] fields = hasYear ? Arrays.copyOf(all, CronField.YEAR.index()) : all;
        CronYears years = hasYear ? CronYears.parse(all[CronField.YEAR.index()]) : CronYears.EVERY;
        if (fields.length != CronField.YEAR.index()) {
            return of(CronExpression.parse(expression), years);
        }
        for (CronField field : CronField.values()) {
            if (field != CronField.YEAR) {
                fields[field.index()] = unwrapped(field, fields[field.index()]);
            }
        }
        List<String> plain = new ArrayList<>(List.of(fields[CronField.DAY_OF_MONTH.index()].split(",", -1)));
        List<String> special = plain.stream().filter(MonthDays::isOne).toList();
        if (special.isEmpty()) {
            return of(CronExpression.parse(String.join(" ", fields)), years);
        }
        plain.removeAll(special);
        return new CronTimes(
                plain.isEmpty() ? Optional.empty() : Optional.of(parse(fields, String.join(",", plain))),
                parse(fields, ANY),
                MonthDays.of(special),
                years);
    }

    private static CronTimes of(CronExpression expression, CronYears years) {
        return new CronTimes(Optional.of(expression), expression, MonthDays.NONE, years);
    }

    private static String unwrapped(CronField field, String text) {
        return Arrays.stream(text.split(",", -1))
                .map(part -> unwrappedPart(field, part))
                .collect(Collectors.joining(","));
    }

    private static String unwrappedPart(CronField field, String part) {
        Matcher names = NAMES.matcher(part);
        if (names.matches() && field.hasName(names.group(1)) && field.hasName(names.group(2))) {
            return field.range(names.group(1), names.group(2));
        }
        // Numbers of days that wrap around were written for Quartz, which counts them otherwise, so they stay, and are
        // refused.
        if (field == CronField.DAY_OF_WEEK) {
            return part;
        }
        if (part.startsWith("/")) {
            return ANY + part;
        }
        Matcher numbers = NUMBERS.matcher(part);
        if (!numbers.matches()) {
            return part;
        }
        int from = Integer.parseInt(numbers.group(1));
        int to = Integer.parseInt(numbers.group(2));
        int step = numbers.group(3) == null ? 1 : Integer.parseInt(numbers.group(3));
        return from > to && step > 0 && field.contains(from) && field.contains(to) ? field.range(from, to, step) : part;
    }

    private static CronExpression parse(String[] fields, String daysOfMonth) {
        String[] changed = fields.clone();
        changed[CronField.DAY_OF_MONTH.index()] = daysOfMonth;
        return CronExpression.parse(String.join(" ", changed));
    }

    static boolean isValid(String expression) {
        try {
            parse(expression);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The first time later than the given one; null if there is none. */
    @Nullable
    LocalDateTime next(LocalDateTime time) {
        LocalDateTime from = time;
        OptionalInt year = years.firstFrom(from.getYear());
        while (year.isPresent()) {
            if (year.getAsInt() > from.getYear()) {
                from = LocalDate.ofYearDay(year.getAsInt(), 1).atStartOfDay().minusNanos(1);
            }
            LocalDateTime found = nextOfAnyYear(from);
            if (found == null) {
                return null;
            }
            year = years.firstFrom(found.getYear());
            if (year.isPresent() && year.getAsInt() == found.getYear()) {
                return found;
            }
            from = found;
        }
        return null;
    }

    private @Nullable LocalDateTime nextOfAnyYear(LocalDateTime time) {
        LocalDateTime plainNext = plain.isEmpty() ? null : plain.get().next(time);
        LocalDateTime specialNext = special.equals(MonthDays.NONE) ? null : nextSpecial(time);
        if (plainNext == null || specialNext == null) {
            return plainNext == null ? specialNext : plainNext;
        }
        return plainNext.isBefore(specialNext) ? plainNext : specialNext;
    }

    private @Nullable LocalDateTime nextSpecial(LocalDateTime time) {
        LocalDateTime found = anyDay.next(time);
        while (found != null && found.getYear() <= time.getYear() + YEARS) {
            LocalDate reached = found.toLocalDate();
            Optional<LocalDate> day = special.firstFrom(reached);
            if (day.filter(reached::equals).isPresent()) {
                return found;
            }
            LocalDate from =
                    day.orElseGet(() -> YearMonth.from(reached).plusMonths(1).atDay(1));
            found = anyDay.next(from.atStartOfDay().minusNanos(1));
        }
        return null;
    }
}
