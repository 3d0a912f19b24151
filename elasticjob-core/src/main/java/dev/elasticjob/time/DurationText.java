package dev.elasticjob.time;

import java.time.Duration;

/** Durations as people write them: {@code 250 ms}, {@code 1.5 s}, {@code 24 s}, {@code 2 min 5 s}, {@code 3 h}. */
public final class DurationText {
    private static final long MILLIS_SHOWN_BELOW_SECONDS = 10;

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

    private DurationText() {}

    /** Exact to a tenth of a second below ten seconds, otherwise to a second. A negative duration has a minus sign. */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            // The longest one has no positive counterpart.
            return "-" + of(duration.toSeconds() == Long.MIN_VALUE ? LONGEST : duration.negated());
        }
        long seconds = duration.toSeconds();
        if (seconds >= MILLIS_SHOWN_BELOW_SECONDS) {
            return joined(duration);
        }
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        long tenths = millis / 100 % 10;
        return tenths == 0 ? seconds + " s" : seconds + "." + tenths + " s";
    }

    private static String joined(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toDays(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "min");
        append(text, duration.toSecondsPart(), "s");
        return text.toString().strip();
    }

    private static void append(StringBuilder text, long amount, String unit) {
        if (amount > 0) {
            text.append(' ').append(amount).append(' ').append(unit);
        }
    }
}
