package dev.elasticjob.definition.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * A cron expression as Quartz reads it, and its translation for Spring, which reads some of it differently and some not at
 * all: a year; days of the week as numbers, in Quartz from SUN=1; {@code L} alone for Saturday; ranges that wrap around, as
 * in {@code 22-2}; a step without a start, as in {@code /5}. {@code docs/guide/time.md} has the whole list.
 *
 * <p>Only translates text: it neither computes firings nor validates the expression.
 */
record QuartzExpression(List<String> fields) {
    private static final int MONTH = 4;
    private static final int DAY_OF_WEEK = 5;
    private static final int YEAR = 6;

    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
    /** From seconds to months. */
    private static final List<Integer> FIRST = List.of(0, 0, 0, 1, 1);

    private static final List<Integer> LAST = List.of(59, 59, 23, 31, 12);

    static QuartzExpression parse(String expression) {
        return new QuartzExpression(
                List.of(expression.strip().toUpperCase(Locale.ROOT).split("\\s+")));
    }

    boolean hasYear() {
        return fields.size() > YEAR;
    }

    boolean isForEveryYear() {
        return fields.size() == YEAR + 1 && fields.get(YEAR).equals("*");
    }

    boolean hasDayOfWeek() {
        return fields.size() > DAY_OF_WEEK;
    }

    String dayOfWeek() {
        return fields.get(DAY_OF_WEEK);
    }

    /** The first six fields as they are. */
    String withoutYear() {
        return String.join(" ", fields.subList(0, YEAR));
    }

    /** The days of the week by names, for Spring. */
    String translatedDayOfWeek() {
        return eachPart(dayOfWeek(), QuartzExpression::translatedDay);
    }

    /** The six fields for Spring, without a year. Parts that can't be written for Spring stay as they are. */
    String translated() {
        List<String> translated = new ArrayList<>();
        for (int field = 0; field < DAY_OF_WEEK; field++) {
            int which = field;
            translated.add(eachPart(fields.get(field), part -> translatedPart(part, which)));
        }
        translated.add(translatedDayOfWeek());
        return String.join(" ", translated);
    }

    private static String eachPart(String field, UnaryOperator<String> translation) {
        return Arrays.stream(field.split(",")).map(translation).collect(Collectors.joining(","));
    }

    private static String translatedPart(String part, int field) {
        if (part.startsWith("/")) {
            return "*" + part;
        }
        String[] ends = part.split("-");
        if (ends.length != 2) {
            return part;
        }
        boolean names = field == MONTH && MONTHS.contains(ends[0]) && MONTHS.contains(ends[1]);
        boolean numbers = ends[0].matches("\\d{1,2}") && ends[1].matches("\\d{1,2}");
        if (names && MONTHS.indexOf(ends[0]) > MONTHS.indexOf(ends[1])) {
            return range(ends[0], "DEC") + "," + range("JAN", ends[1]);
        }
        if (numbers && Integer.parseInt(ends[0]) > Integer.parseInt(ends[1])) {
            return range(ends[0], LAST.get(field).toString())
                    + ","
                    + range(FIRST.get(field).toString(), ends[1]);
        }
        return part;
    }

    private static String translatedDay(String part) {
        if (part.equals("L")) {
            return DAYS.get(DAYS.size() - 1);
        }
        int tail = part.replaceFirst("[/#].*", "").length();
        String days = part.substring(0, tail);
        String rest = part.substring(tail);
        for (int day = 0; day < DAYS.size(); day++) {
            days = days.replace(String.valueOf(day + 1), DAYS.get(day));
        }
        if (rest.startsWith("/")) {
            return part.matches("[A-Z].*") ? translatedDays(days) : steppedDays(days) + rest;
        }
        return translatedDays(days) + rest;
    }

    /** Steps end on Saturday in Quartz, on Sunday in Spring. Quartz ignores steps after names. */
    private static String steppedDays(String days) {
        return days.equals("*") ? "SUN-SAT" : days.contains("-") ? days : days + "-SAT";
    }

    /** A week begins on Sunday in Quartz; in Spring, only if a range begins there, otherwise on Monday. */
    private static String translatedDays(String days) {
        String[] ends = days.split("-");
        if (ends.length != 2) {
            return days;
        }
        if (ends[0].equals(ends[1])) {
            return ends[0];
        }
        boolean hasSunday = ends[0].equals("SUN") || ends[1].equals("SUN");
        return !hasSunday && DAYS.indexOf(ends[0]) > DAYS.indexOf(ends[1])
                ? range(ends[0], "SUN") + "," + range("MON", ends[1])
                : days;
    }

    private static String range(String from, String to) {
        return from.equals(to) ? from : from + "-" + to;
    }
}
