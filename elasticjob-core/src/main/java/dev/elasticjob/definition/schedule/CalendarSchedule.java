package dev.elasticjob.definition.schedule;

import dev.elasticjob.definition.schedule.Spans.Span;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A schedule without the firings on the days and at the times that a calendar leaves out.
 *
 * @param moves whether firings on days that are left out move to the next day that isn't, at the same time of day
 */
record CalendarSchedule(Schedule inner, JobCalendar calendar, boolean moves) implements AdaptedSchedule {
    private static final String KEYWORD = " except ";
    private static final String MOVING = " moving";

    /** A schedule looks no further for a firing, as {@link Schedule#latestNotAfter} says. */
    private static final Duration REACH = Duration.ofDays(17 * 366);

    @Override
    public String text() {
        return inner.text() + KEYWORD + calendar.text() + (moves ? MOVING : "");
    }

    @Override
    public Schedule around(Schedule other) {
        return new CalendarSchedule(other, calendar, moves);
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        Instant limit = FiringYears.nearest(moment).plus(REACH);
        Optional<Instant> found = candidateAfter(moment);
        while (found.isPresent() && isLeftOut(found.get())) {
            Instant begin = found.get();
            found = endOfGap(begin)
                    .map(end -> later(end.minusNanos(1), begin))
                    .filter(after -> !after.isAfter(limit))
                    .flatMap(this::candidateAfter);
        }
        return found;
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        Instant limit = FiringYears.nearest(moment).minus(REACH);
        Optional<Instant> found = candidateNotAfter(moment);
        while (found.isPresent() && isLeftOut(found.get())) {
            Instant end = found.get();
            found = startOfGap(end)
                    .map(start -> earlier(start, end).minusNanos(1))
                    .filter(until -> !until.isBefore(limit))
                    .flatMap(this::candidateNotAfter);
        }
        return found;
    }

    @Override
    public List<LeftOut> leftOut(Instant after, Optional<Instant> until, int limit) {
        return inner.firingsAfter(after)
                .takeWhile(firing -> until.filter(firing::isAfter).isEmpty())
                .filter(this::isLeftOut)
                .limit(limit)
                .map(firing -> new LeftOut(firing, movedTo(firing)))
                .toList();
    }

    private Optional<Instant> movedTo(Instant time) {
        return moves
                ? new MovedFirings(inner, calendar).movedTo(time).filter(moved -> !isLeftOut(moved))
                : Optional.empty();
    }

    private Optional<Instant> candidateAfter(Instant moment) {
        if (!moves) {
            return inner.nextAfter(moment);
        }
        return moment.isAfter(FiringYears.LAST)
                ? Optional.empty()
                : new MovedFirings(inner, calendar).nextAfter(FiringYears.nearest(moment));
    }

    private Optional<Instant> candidateNotAfter(Instant moment) {
        return moves
                ? new MovedFirings(inner, calendar).latestNotAfter(FiringYears.nearest(moment))
                : inner.latestNotAfter(moment);
    }

    private boolean isLeftOut(Instant moment) {
        LocalDateTime time = LocalDateTime.ofInstant(moment, zone());
        return !calendar.isOpen(time.toLocalDate()) || calendar.windowAt(time).isPresent();
    }

    /** A moment up to which everything from this one on is left out; empty if that is all that schedules look at. */
    private Optional<Instant> endOfGap(Instant moment) {
        LocalDateTime time = LocalDateTime.ofInstant(moment, zone());
        Optional<Span<LocalDateTime>> window = calendar.windowAt(time);
        if (window.isEmpty()) {
            return calendar.openFrom(time.toLocalDate()).map(this::startOf);
        }
        // The wall clock of the window's end may come sooner or later if clocks change before.
        ZoneRules rules = zone().getRules();
        Instant end = window.get().end().toInstant(rules.getOffset(moment));
        return Optional.of(
                change(rules.nextTransition(moment)).filter(end::isAfter).orElse(end));
    }

    /** A moment from which everything to this one is left out; empty if that is all that schedules look at. */
    private Optional<Instant> startOfGap(Instant moment) {
        LocalDateTime time = LocalDateTime.ofInstant(moment, zone());
        Optional<Span<LocalDateTime>> window = calendar.windowAt(time);
        if (window.isEmpty()) {
            return calendar.openUntil(time.toLocalDate()).map(open -> startOf(open.plusDays(1)));
        }
        ZoneRules rules = zone().getRules();
        Instant start = window.get().start().toInstant(rules.getOffset(moment));
        return Optional.of(change(rules.previousTransition(moment.plusNanos(1)))
                .filter(start::isBefore)
                .orElse(start));
    }

    private Instant startOf(LocalDate day) {
        return day.atStartOfDay(zone()).toInstant();
    }

    private static Optional<Instant> change(@Nullable ZoneOffsetTransition transition) {
        return Optional.ofNullable(transition).map(ZoneOffsetTransition::getInstant);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Reads {@code 0 0 9 * * ? except SAT,SUN,2026-10-01/2026-10-08}, and the same with {@code moving} at its end. */
    static final class Parser implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.contains(KEYWORD);
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            int keyword = text.lastIndexOf(KEYWORD);
            String entries = text.substring(keyword + KEYWORD.length());
            boolean moves = entries.endsWith(MOVING);
            return new CalendarSchedule(
                    Schedule.of(text.substring(0, keyword), zone),
                    JobCalendar.of(moves ? entries.substring(0, entries.length() - MOVING.length()) : entries),
                    moves);
        }
    }
}
