package dev.elasticjob.definition.schedule;

import java.time.ZoneId;
import java.util.Optional;

/**
 * One way of writing schedules. This project's own are listed in {@code Schedules}. An application's is a public class
 * with a constructor without parameters, and its name in {@code
 * META-INF/services/dev.elasticjob.definition.schedule.ScheduleParser}. All instances of a job need it: one that lacks
 * it can't read the job's plan, reports that, and starts nothing.
 *
 * <p>Thread-safe. Parsers depend on their arguments only.
 */
public interface ScheduleParser {
    /** Whether a text is meant for this parser, also if something is wrong with it. The text is never empty. */
    boolean reads(String text);

    /** @throws IllegalArgumentException if the text can't be read; the message says what was expected instead */
    Schedule parse(String text, ZoneId zone);

    /**
     * What is wrong with a text that is meant for this parser, and what to write instead; empty if nothing is. It is shown
     * behind the text, so it needn't quote it.
     */
    default Optional<String> problem(String text, ZoneId zone) {
        try {
            parse(text, zone);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
