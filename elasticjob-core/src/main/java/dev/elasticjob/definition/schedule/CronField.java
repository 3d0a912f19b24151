package dev.elasticjob.definition.schedule;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A field of a cron expression, and the values that Quartz knows for it. */
enum CronField {
    SECOND(0, 0, 59),
    MINUTE(1, 0, 59),
    HOUR(2, 0, 23),
    DAY_OF_MONTH(3, 1, 31),
    MONTH(4, 1, 12, "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"),
    DAY_OF_WEEK(5, 1, 7, "SUNMONTUEWEDTHUFRISAT"),
    YEAR(6, 1970, 2199);

    private static final int NAME = 3;

    private final int index;
    private final int first;
    private final int last;
    /** Of three letters each, or empty. */
    private final String names;

    CronField(int index, int first, int last) {
        this(index, first, last, "");
    }

    CronField(int index, int first, int last, String names) {
        this.index = index;
        this.first = first;
        this.last = last;
        this.names = names;
    }

    /** Its place in an expression. */
    int index() {
        return index;
    }

    int first() {
        return first;
    }

    int last() {
        return last;
    }

    boolean contains(int value) {
        return first <= value && value <= last;
    }

    /** @param name of three letters */
    boolean hasName(String name) {
        return names.indexOf(name) >= 0 && names.indexOf(name) % NAME == 0;
    }

    int valueNamed(String name) {
        return first + names.indexOf(name) / NAME;
    }

    private String name(int value) {
        int begin = (value - first) * NAME;
        return names.substring(begin, begin + NAME);
    }

    /** Days of the week by name, because their numbers mean others here. */
    String written(int value) {
        return this == DAY_OF_WEEK ? name(value) : String.valueOf(value);
    }

    /** Any range, also one that wraps around, written by such as don't. Here and in Quartz, it means the same. */
    String range(int from, int to, int step) {
        // Quartz ignores steps after names.
        if (step > 1 && (from > to || !names.isEmpty())) {
            return values(from, to, step)
                    .sorted()
                    .distinct()
                    .mapToObj(this::written)
                    .collect(Collectors.joining(","));
        }
        if (from <= to) {
            return span(written(from), written(to)) + (step == 1 ? "" : "/" + step);
        }
        return to < first ? span(written(from), written(last)) : wrapped(written(from), written(to));
    }

    /** A range of names. */
    String range(String from, String to) {
        return valueNamed(from) <= valueNamed(to) ? span(from, to) : wrapped(from, to);
    }

    /** The range from one value over the end of the field to another. Here, a week ends with Sunday. */
    private String wrapped(String from, String to) {
        if (this != DAY_OF_WEEK) {
            String end = hasName(from) ? name(last) : written(last);
            String begin = hasName(from) ? name(first) : written(first);
            return span(from, end) + "," + span(begin, to);
        }
        return to.equals("SUN") ? span(from, to) : span(from, "SUN") + "," + span("MON", to);
    }

    private static String span(String from, String to) {
        return from.equals(to) ? from : from + "-" + to;
    }

    /** A range that wraps around goes on at the first value. */
    private IntStream values(int from, int to, int step) {
        int size = last - first + 1;
        int end = from <= to ? to : to + size;
        return IntStream.iterate(from, value -> value <= end, value -> value + step)
                .map(value -> (value - first) % size + first);
    }
}
