package dev.elasticjob.coordination.state;

import java.time.Instant;
import java.time.LocalDate;

/**
 * Instants as {@link Instant#toString} writes and {@link Instant#parse} reads them, without the garbage of these two: a
 * record has three, and each execution reads one record and writes two. What is not in their usual form is left to them.
 * Pure.
 */
final class InstantText {
    private static final int SECONDS_OF_DAY = 24 * 60 * 60;
    private static final int LAST_YEAR = 9999;
    /** Up to the seconds: {@code 2026-03-01T00:00:00}. */
    private static final String FORM = "0000-00-00T00:00:00";

    private InstantText() {}

    static String write(Instant instant) {
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(instant.getEpochSecond(), (long) SECONDS_OF_DAY));
        if (date.getYear() < 0 || date.getYear() > LAST_YEAR) {
            return instant.toString();
        }
        int second = Math.floorMod(instant.getEpochSecond(), SECONDS_OF_DAY);
        StringBuilder text = new StringBuilder(30);
        digits(text, date.getYear(), 1_000);
        digits(text.append('-'), date.getMonthValue(), 10);
        digits(text.append('-'), date.getDayOfMonth(), 10);
        digits(text.append('T'), second / 3_600, 10);
        digits(text.append(':'), second / 60 % 60, 10);
        digits(text.append(':'), second % 60, 10);
        fraction(text, instant.getNano());
        return text.append('Z').toString();
    }

    /** Three, six or nine digits, or none. */
    private static void fraction(StringBuilder text, int nanos) {
        if (nanos == 0) {
            return;
        }
        text.append('.');
        if (nanos % 1_000_000 == 0) {
            digits(text, nanos / 1_000_000, 100);
        } else if (nanos % 1_000 == 0) {
            digits(text, nanos / 1_000, 100_000);
        } else {
            digits(text, nanos, 100_000_000);
        }
    }

    private static void digits(StringBuilder text, int value, int highest) {
        for (int unit = highest; unit > 0; unit /= 10) {
            text.append((char) ('0' + value / unit % 10));
        }
    }

    static Instant read(String text) {
        int end = text.length() - 1;
        if (!hasForm(text) || text.charAt(end) != 'Z') {
            return Instant.parse(text);
        }
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        if (hour > 23 || minute > 59 || second > 59) {
            return Instant.parse(text);
        }
        long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                .toEpochDay();
        return Instant.ofEpochSecond(day * SECONDS_OF_DAY + hour * 3_600L + minute * 60L + second, nanos(text, end));
    }

    private static int nanos(String text, int end) {
        int nanos = end == FORM.length() ? 0 : number(text, FORM.length() + 1, end);
        for (int digit = end - FORM.length() - 1; digit >= 0 && digit < 9; digit++) {
            nanos *= 10;
        }
        return nanos;
    }

    /** Whether it has the form, then nothing or a point and one to nine digits, and one more character. */
    private static boolean hasForm(String text) {
        int fraction = text.length() - FORM.length() - 1;
        if (fraction != 0 && (fraction < 2 || fraction > 10 || text.charAt(FORM.length()) != '.')) {
            return false;
        }
        for (int i = 0; i < text.length() - 1; i++) {
            char expected = i < FORM.length() ? FORM.charAt(i) : i == FORM.length() ? '.' : '0';
            boolean isDigit = text.charAt(i) >= '0' && text.charAt(i) <= '9';
            if (expected == '0' ? !isDigit : text.charAt(i) != expected) {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }
}
