package dev.elasticjob.spring.autoconfigure;

import biweekly.Biweekly;
import biweekly.ICalendar;
import biweekly.component.VEvent;
import biweekly.io.ParseWarning;
import biweekly.property.DateOrDateTimeProperty;
import biweekly.util.DateTimeComponents;
import dev.elasticjob.definition.schedule.JobCalendar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TimeZone;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.core.io.Resource;
import org.springframework.util.StringUtils;

/**
 * An iCalendar file (RFC 5545) as entries of a {@link JobCalendar}: each event is left out. Those of whole days may return;
 * their days are counted until the end of the year after the next one. Read by the library biweekly.
 */
final class ICalendarFile {
    private static final TimeZone UTC = TimeZone.getTimeZone(ZoneOffset.UTC);

    private final Resource file;
    private final LocalDate today;
    private final List<String> problems = new ArrayList<>();

    ICalendarFile(Resource file, LocalDate today) {
        this.file = file;
        this.today = today;
    }

    /** @throws IllegalArgumentException if the file can't be used; the message names all reasons, with their lines */
    List<String> entries() {
        List<String> entries = calendars().stream()
                .flatMap(calendar -> calendar.getEvents().stream())
                .flatMap(this::readable)
                .distinct()
                .toList();
        if (entries.isEmpty() && problems.isEmpty()) {
            problems.add("it has no event");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return entries;
    }

    private List<ICalendar> calendars() {
        try {
            List<List<ParseWarning>> warnings = new ArrayList<>();
            List<ICalendar> calendars = Biweekly.parse(file.getContentAsString(StandardCharsets.UTF_8))
                    .defaultTimezone(UTC)
                    .warnings(warnings)
                    .all();
            // Those without a line are about time zones, which don't matter for times of the wall clock.
            warnings.stream()
                    .flatMap(List::stream)
                    .filter(warning -> warning.getLineNumber() != null)
                    .forEach(warning -> problems.add("line %s: %s"
                            .formatted(
                                    warning.getLineNumber(),
                                    StringUtils.trimTrailingCharacter(warning.getMessage(), '.'))));
            if (calendars.isEmpty()) {
                problems.add("it has no VCALENDAR");
            }
            return calendars;
        } catch (IOException e) {
            throw new IllegalArgumentException("it can't be read (%s)".formatted(e), e);
        }
    }

    private Stream<String> readable(VEvent event) {
        try {
            return entries(event);
        } catch (DateTimeException e) {
            problems.add("the event \"%s\" has a time that isn't one (%s)".formatted(summary(event), e.getMessage()));
            return Stream.empty();
        }
    }

    private Stream<String> entries(VEvent event) {
        if (event.getDateStart() == null || event.getDateStart().getValue() == null) {
            problems.add("the event \"%s\" has no DTSTART".formatted(summary(event)));
            return Stream.empty();
        }
        boolean returns =
                event.getRecurrenceRule() != null || !event.getRecurrenceDates().isEmpty();
        if (event.getDateStart().getValue().hasTime()) {
            return timed(event, returns);
        }
        LocalDate first = time(event.getDateStart()).toLocalDate();
        long days = Math.max(1, length(event, Duration.ofDays(1)).toDays());
        return returns ? occurrences(event).map(day -> entry(day, days)) : Stream.of(entry(first, days));
    }

    private Stream<String> timed(VEvent event, boolean returns) {
        if (returns || event.getDateStart().getValue().getRawComponents().isUtc()) {
            problems.add(
                    ("the event \"%s\" has times, and %s; only events of whole days may return, and times are those of the"
                                    + " wall clock, without Z")
                            .formatted(summary(event), returns ? "returns" : "they are in UTC"));
            return Stream.empty();
        }
        LocalDateTime start = time(event.getDateStart());
        return Stream.of(start + "/" + start.plus(length(event, Duration.ZERO)));
    }

    private static Duration length(VEvent event, Duration standard) {
        if (event.getDateEnd() != null) {
            return Duration.between(time(event.getDateStart()), time(event.getDateEnd()));
        }
        return event.getDuration() == null
                ? standard
                : Duration.ofMillis(event.getDuration().getValue().toMillis());
    }

    /** From last year on, so that the list stays short. */
    @SuppressWarnings("JavaUtilDate") // The library has nothing else.
    private Stream<LocalDate> occurrences(VEvent event) {
        Iterator<Date> dates = event.getDateIterator(UTC);
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(dates, Spliterator.ORDERED), false)
                .map(date -> LocalDate.ofInstant(date.toInstant(), ZoneOffset.UTC))
                .takeWhile(day -> day.getYear() <= today.getYear() + 2)
                .filter(day -> day.getYear() >= today.getYear() - 1);
    }

    private static String entry(LocalDate first, long days) {
        return days == 1 ? first.toString() : first + "/" + first.plusDays(days - 1);
    }

    private static LocalDateTime time(DateOrDateTimeProperty property) {
        DateTimeComponents raw = property.getValue().getRawComponents();
        return LocalDateTime.of(
                raw.getYear(), raw.getMonth(), raw.getDate(), raw.getHour(), raw.getMinute(), raw.getSecond());
    }

    private static String summary(VEvent event) {
        return event.getSummary() == null ? "?" : event.getSummary().getValue();
    }
}
