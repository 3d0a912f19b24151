package dev.elasticjob.definition.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * The times of a cron expression on a wall clock without a zone. Spring finds them, but for those on {@link MonthDays}: for
 * these it says which times a day has. No other class here uses Spring.
 *
 * @param plain the expression without those days; empty if it has no other
 * @param anyDay the expression for every day of the month
 */
record CronTimes(Optional<CronExpression> plain, CronExpression anyDay, MonthDays special) {
    private static final int FIELDS = 6;
    private static final int DAY_OF_MONTH = 3;
    private static final String ANY = "*";
    /** How long a day may be in coming: 29 February on a given day of the week, 40 years. */
    private static final int YEARS = 41;

    /** @throws IllegalArgumentException if the expression of six fields can't be parsed; the message says why */
    static CronTimes parse(String expression) {
        String[] fields = expression.strip().split("\\s+");
        String days = fields.length == FIELDS ? fields[DAY_OF_MONTH] : ANY;
        List<String> plain = new ArrayList<>(List.of(days.split(",", -1)));
        List<String> special = plain.stream().filter(MonthDays::isOne).toList();
        if (special.isEmpty()) {
            CronExpression parsed = CronExpression.parse(expression);
            return new CronTimes(Optional.of(parsed), parsed, MonthDays.NONE);
        }
        plain.removeAll(special);
        return new CronTimes(
                plain.isEmpty() ? Optional.empty() : Optional.of(parse(fields, String.join(",", plain))),
                parse(fields, ANY),
                MonthDays.of(special));
    }

    private static CronExpression parse(String[] fields, String daysOfMonth) {
        String[] changed = fields.clone();
        changed[DAY_OF_MONTH] = daysOfMonth;
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
