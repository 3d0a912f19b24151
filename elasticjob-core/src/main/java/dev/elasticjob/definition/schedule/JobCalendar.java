package dev.elasticjob.definition.schedule;

import dev.elasticjob.definition.schedule.Spans.Span;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.MonthDay;
import java.time.format.TextStyle;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Days and times on which jobs don't fire. An immutable value, on the wall clock of the job's zone. It may have a name, by
 * which a later state of the same calendar is known. Its entries are:
 *
 * <ul>
 *   <li>{@code SAT}: each Saturday is left out
 *   <li>{@code 12-25}: this day of each year
 *   <li>{@code 2026-10-01}: this day
 *   <li>{@code 2026-10-01/2026-10-08}: these days, the last one included
 *   <li>{@code 2026-12-31T18:00/2027-01-01T06:00}: this time, without its end
 *   <li>{@code +2026-10-10}, or {@code +} before days as above: these days aren't left out, whatever the other entries of
 *       whole days say
 * </ul>
 */
public final class JobCalendar {
    /** A calendar is part of each plan, which all instances read. */
    private static final int MAX_LENGTH = 8_192;

    private static final int NOTICE_DAYS = 60;

    /** Further than any schedule looks for a firing, in days. */
    private static final int HORIZON = 18 * 366;

    private static final String SEPARATOR = ",";
    private static final Pattern NAMED = Pattern.compile("([^:,]+): (.*)");
    private static final String EXPECTED = "expected SAT, 12-25, 2026-10-01, 2026-10-01/2026-10-08,"
            + " 2026-12-31T18:00/2027-01-01T06:00, or + before such days, after a name and a colon if it has one";

    private final Optional<String> name;
    private final List<String> entries;
    private final Rules rules;

    private JobCalendar(Optional<String> name, List<String> entries, Rules rules) {
        this.name = name;
        this.entries = entries;
        this.rules = rules;
    }

    /**
     * Reads entries.
     *
     * @throws IllegalArgumentException if there are none, too many, or some that can't be read; the message names all
     *     of them
     */
    public static JobCalendar of(Collection<String> entries) {
        List<String> distinct = entries.stream().map(String::strip).distinct().toList();
        var rules = new Rules();
        String problems =
                distinct.stream().flatMap(entry -> rules.add(entry).stream()).collect(Collectors.joining("; "));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems + "; " + EXPECTED);
        }
        if (distinct.isEmpty()) {
            throw new IllegalArgumentException("a calendar needs entries; " + EXPECTED);
        }
        var calendar = new JobCalendar(Optional.empty(), distinct, rules);
        int length = calendar.text().length();
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "the entries of a calendar may have %d characters together, but have %d; leave out the years that are over"
                            .formatted(MAX_LENGTH, length));
        }
        return calendar;
    }

    /**
     * Reads what {@link #toString()} writes: entries with commas between them, after the name and a colon if there is one.
     *
     * @throws IllegalArgumentException as {@link #of(Collection)}
     */
    public static JobCalendar of(String text) {
        Matcher named = NAMED.matcher(text);
        return named.matches() ? of(named.group(2)).named(named.group(1)) : of(List.of(text.split(SEPARATOR, -1)));
    }

    /** @throws IllegalArgumentException if the name is blank, or has commas or colons */
    public JobCalendar named(String name) {
        if (name.isBlank() || name.contains(SEPARATOR) || name.contains(":")) {
            throw new IllegalArgumentException(
                    "expected a name of a calendar without commas and colons, but it is \"%s\"".formatted(name));
        }
        return new JobCalendar(Optional.of(name), entries, rules);
    }

    JobCalendar withoutName() {
        return new JobCalendar(Optional.empty(), entries, rules);
    }

    public Optional<String> name() {
        return name;
    }

    /** As they were given. */
    public List<String> entries() {
        return entries;
    }

    /** The entries with commas between them. */
    public String text() {
        return String.join(SEPARATOR, entries);
    }

    /** The last day of which an entry speaks; empty if all of them return every week or year. */
    public Optional<LocalDate> lastDay() {
        return Stream.of(
                        rules.leftOut.end().map(end -> end.minusDays(1)),
                        rules.added.end().map(end -> end.minusDays(1)),
                        rules.windows.end().map(LocalDateTime::toLocalDate))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder());
    }

    /** The last day of which an entry speaks, if it is less than two months ahead, or over: later days may be missing. */
    public Optional<LocalDate> endsSoon(LocalDate today) {
        return lastDay().filter(today.plusDays(NOTICE_DAYS)::isAfter);
    }

    /**
     * Whether this has the days of a later year than another state of the same calendar: both have a name, and it is the same,
     * and a last day.
     */
    public boolean isNewerThan(JobCalendar other) {
        return name.isPresent()
                && name.equals(other.name)
                && other.lastDay()
                        .flatMap(theirs -> lastDay().filter(ours -> ours.getYear() > theirs.getYear()))
                        .isPresent();
    }

    /** Whether jobs fire on that day, but for the times that are left out. */
    boolean isOpen(LocalDate day) {
        return !isClosed(day) || rules.added.around(day).isPresent();
    }

    private boolean isClosed(LocalDate day) {
        return rules.weekly.contains(day.getDayOfWeek())
                || rules.yearly.contains(MonthDay.from(day))
                || rules.leftOut.around(day).isPresent();
    }

    /** That day if it is open, or the first one after it that is; empty if none is, as far as schedules look. */
    Optional<LocalDate> openFrom(LocalDate day) {
        LocalDate horizon = day.plusDays(HORIZON);
        Optional<LocalDate> found = Optional.of(day);
        while (found.isPresent() && !isOpen(found.get())) {
            LocalDate closed = found.get();
            found = earliest(closedUntil(closed), rules.added.startAfter(closed))
                    .filter(next -> next.isBefore(horizon));
        }
        return found;
    }

    /** That day if it is open, or the last one before it that is; empty if none is, as far as schedules look. */
    Optional<LocalDate> openUntil(LocalDate day) {
        LocalDate horizon = day.minusDays(HORIZON);
        Optional<LocalDate> found = Optional.of(day);
        while (found.isPresent() && !isOpen(found.get())) {
            LocalDate closed = found.get();
            Optional<LocalDate> added = rules.added.endBefore(closed).map(end -> end.minusDays(1));
            found = latest(closedFrom(closed), added).filter(previous -> previous.isAfter(horizon));
        }
        return found;
    }

    /** A day after a closed one up to which all are closed, but for those that are added; empty if that is always so. */
    private Optional<LocalDate> closedUntil(LocalDate closed) {
        return rules.isEachWeekdayLeftOut()
                ? Optional.empty()
                : Optional.of(rules.leftOut.around(closed).map(Span::end).orElse(closed.plusDays(1)));
    }

    private Optional<LocalDate> closedFrom(LocalDate closed) {
        return rules.isEachWeekdayLeftOut()
                ? Optional.empty()
                : Optional.of(rules.leftOut
                        .around(closed)
                        .map(Span::start)
                        .orElse(closed)
                        .minusDays(1));
    }

    private static Optional<LocalDate> earliest(Optional<LocalDate> one, Optional<LocalDate> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    private static Optional<LocalDate> latest(Optional<LocalDate> one, Optional<LocalDate> other) {
        return Stream.of(one, other).flatMap(Optional::stream).max(Comparator.naturalOrder());
    }

    /** The time that is left out around a moment of an open day; empty if that moment isn't. */
    Optional<Span<LocalDateTime>> windowAt(LocalDateTime moment) {
        return rules.windows.around(moment);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JobCalendar calendar && name.equals(calendar.name) && entries.equals(calendar.entries);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, entries);
    }

    /** The name, if there is one, and the entries. */
    @Override
    public String toString() {
        return name.map(given -> given + ": " + text()).orElseGet(this::text);
    }

    /** What the entries say. Filled once, while a calendar is made. */
    private static final class Rules {
        private final Set<DayOfWeek> weekly = EnumSet.noneOf(DayOfWeek.class);
        private final Set<MonthDay> yearly = new HashSet<>();
        private final Spans<LocalDate> leftOut = new Spans<>();
        private final Spans<LocalDate> added = new Spans<>();
        private final Spans<LocalDateTime> windows = new Spans<>();

        boolean isEachWeekdayLeftOut() {
            return weekly.size() == DayOfWeek.values().length;
        }

        /** What is wrong with an entry; empty if nothing is. */
        Optional<String> add(String entry) {
            try {
                read(entry);
                return Optional.empty();
            } catch (DateTimeException e) {
                return Optional.of(entry.isEmpty() ? "an entry is empty" : "\"%s\" can't be read".formatted(entry));
            }
        }

        private void read(String entry) {
            boolean adds = entry.startsWith("+");
            String days = adds ? entry.substring(1) : entry;
            if (!adds && entry.contains("T") && entry.contains("/")) {
                windows.add(window(entry));
            } else if (days.contains("-") && days.length() > 5) {
                (adds ? added : leftOut).add(days(days));
            } else if (!adds && days.contains("-")) {
                yearly.add(MonthDay.parse("--" + days));
            } else if (!adds) {
                weekly.add(dayOfWeek(days));
            } else {
                throw new DateTimeException(entry);
            }
        }

        private static DayOfWeek dayOfWeek(String name) {
            return Stream.of(DayOfWeek.values())
                    .filter(day ->
                            day.getDisplayName(TextStyle.SHORT, Locale.ROOT).equalsIgnoreCase(name)
                                    || day.name().equalsIgnoreCase(name))
                    .findFirst()
                    .orElseThrow(() -> new DateTimeException(name));
        }

        private static Span<LocalDate> days(String text) {
            String[] parts = parts(text, 2);
            LocalDate last = LocalDate.parse(parts[parts.length - 1]);
            return span(text, LocalDate.parse(parts[0]), last.plusDays(1));
        }

        private static Span<LocalDateTime> window(String text) {
            String[] parts = parts(text, 2);
            return span(text, LocalDateTime.parse(parts[0]), LocalDateTime.parse(parts[parts.length - 1]));
        }

        private static String[] parts(String text, int most) {
            String[] parts = text.split("/", -1);
            if (parts.length > most) {
                throw new DateTimeException(text);
            }
            return parts;
        }

        private static <T extends Comparable<? super T>> Span<T> span(String text, T start, T end) {
            if (start.compareTo(end) >= 0) {
                throw new DateTimeException(text);
            }
            return new Span<>(start, end);
        }
    }
}
