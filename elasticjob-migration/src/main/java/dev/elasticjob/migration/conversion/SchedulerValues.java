package dev.elasticjob.migration.conversion;

import dev.elasticjob.migration.source.SourceSetting;
import dev.elasticjob.time.WrittenDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of other schedulers. Pure. */
final class SchedulerValues {
    static final String WHOLE_SECONDS =
            "expected whole seconds, at least one, in the file itself. Choose a period, and add the job by hand";

    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d+) ([A-Z]+)");

    private SchedulerValues() {}

    /**
     * A period as properties have it, such as {@code 90s}; empty if it isn't one of whole seconds.
     *
     * @param text {@code 30000 MILLISECONDS}, with any name of a unit, or what Spring reads as a duration
     */
    static Optional<String> duration(String text) {
        Matcher parts = NUMBER_AND_UNIT.matcher(text.strip());
        try {
            Duration duration = parts.matches()
                    ? Duration.of(Long.parseLong(parts.group(1)), unit(parts.group(2)))
                    : WrittenDuration.parse(text);
            return duration.toSeconds() >= 1 && duration.toNanosPart() == 0
                    ? Optional.of(WrittenDuration.of(duration))
                    : Optional.empty();
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Of TimeUnit and ChronoUnit. */
    private static ChronoUnit unit(String name) {
        return switch (name) {
            case "MILLISECONDS" -> ChronoUnit.MILLIS;
            case "MICROSECONDS" -> ChronoUnit.MICROS;
            case "NANOSECONDS" -> ChronoUnit.NANOS;
            default -> ChronoUnit.valueOf(name);
        };
    }

    /** The value of another setting of the same job. */
    static Optional<String> of(JobDraft draft, String key) {
        return draft.source().settings().stream()
                .filter(setting -> setting.key().equals(key))
                .map(SourceSetting::value)
                .findFirst();
    }
}
