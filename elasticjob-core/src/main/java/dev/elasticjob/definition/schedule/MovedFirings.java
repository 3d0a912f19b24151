package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The firings of a schedule, of which those on days that a calendar leaves out move to the next day that it doesn't, at the
 * same time of day. There, several of one time are one firing.
 */
record MovedFirings(Schedule schedule, JobCalendar calendar) {
    /** @param moment of the {@link FiringYears} */
    Optional<Instant> nextAfter(Instant moment) {
        Optional<LocalDate> day = calendar.openFrom(dayOf(moment));
        while (day.isPresent()) {
            LocalDate open = day.get();
            Optional<Instant> found = movedTo(open)
                    .flatMap(from -> firstAfter(from, open, moment).stream())
                    .min(Comparator.naturalOrder());
            if (found.isPresent()) {
                return found;
            }
            day = schedule.nextAfter(startOf(open.plusDays(1)).minusNanos(1))
                    .flatMap(firing -> calendar.openFrom(dayOf(firing)));
        }
        return Optional.empty();
    }

    /** @param moment of the {@link FiringYears} */
    Optional<Instant> latestNotAfter(Instant moment) {
        Optional<LocalDate> day = calendar.openUntil(dayOf(moment));
        while (day.isPresent()) {
            LocalDate open = day.get();
            Optional<Instant> found = movedTo(open)
                    .flatMap(from -> lastUntil(from, open, moment).stream())
                    .max(Comparator.naturalOrder());
            if (found.isPresent()) {
                return found;
            }
            LocalDate first = movedTo(open).findFirst().orElse(open);
            day = schedule.latestNotAfter(startOf(first).minusNanos(1))
                    .flatMap(firing -> calendar.openFrom(dayOf(firing)));
        }
        return Optional.empty();
    }

    /** When a firing on a day that is left out happens instead; empty if no later day is open. */
    Optional<Instant> movedTo(Instant firing) {
        return calendar.openFrom(dayOf(firing)).map(open -> moved(firing, open));
    }

    /** The days whose firings happen on an open day: those before it that are left out, and itself. */
    private Stream<LocalDate> movedTo(LocalDate open) {
        LocalDate first = calendar.openUntil(open.minusDays(1))
                .map(before -> before.plusDays(1))
                .orElse(open);
        return first.datesUntil(open.plusDays(1));
    }

    private Optional<Instant> firstAfter(LocalDate from, LocalDate open, Instant moment) {
        Instant start = startOf(from);
        if (moment.isAfter(startOf(open))) {
            start = from.equals(open) ? moment : first(LocalDateTime.ofInstant(moment, schedule.zone()), from);
        }
        Optional<Instant> firing = schedule.nextAfter(start.minusNanos(1));
        while (firing.isPresent() && dayOf(firing.get()).equals(from)) {
            Instant moved = moved(firing.get(), open);
            if (moved.isAfter(moment)) {
                return Optional.of(moved);
            }
            firing = schedule.nextAfter(firing.get());
        }
        return Optional.empty();
    }

    private Optional<Instant> lastUntil(LocalDate from, LocalDate open, Instant moment) {
        Instant end = startOf(from.plusDays(1)).minusNanos(1);
        if (moment.isBefore(startOf(open.plusDays(1)))) {
            end = from.equals(open) ? moment : last(LocalDateTime.ofInstant(moment, schedule.zone()), from);
        }
        Optional<Instant> firing = schedule.latestNotAfter(end);
        while (firing.isPresent() && dayOf(firing.get()).equals(from)) {
            Instant moved = moved(firing.get(), open);
            if (!moved.isAfter(moment)) {
                return Optional.of(moved);
            }
            firing = schedule.latestNotAfter(firing.get().minusNanos(1));
        }
        return Optional.empty();
    }

    private Instant moved(Instant firing, LocalDate open) {
        LocalDateTime time = LocalDateTime.ofInstant(firing, schedule.zone());
        return time.toLocalDate().equals(open) ? firing : first(time, open);
    }

    /** When the wall clock first shows the time on that day, or when it skips it. */
    private Instant first(LocalDateTime time, LocalDate day) {
        return on(time, day, ZonedDateTime::withEarlierOffsetAtOverlap);
    }

    /** When the wall clock last shows the time on that day, or when it skips it. */
    private Instant last(LocalDateTime time, LocalDate day) {
        return on(time, day, ZonedDateTime::withLaterOffsetAtOverlap);
    }

    private Instant on(LocalDateTime time, LocalDate day, UnaryOperator<ZonedDateTime> which) {
        LocalDateTime on = time.toLocalTime().atDate(day);
        ZoneOffsetTransition change = schedule.zone().getRules().getTransition(on);
        return change != null && change.isGap()
                ? change.getInstant()
                : which.apply(on.atZone(schedule.zone())).toInstant();
    }

    private LocalDate dayOf(Instant moment) {
        return LocalDate.ofInstant(moment, schedule.zone());
    }

    private Instant startOf(LocalDate day) {
        return day.atStartOfDay(schedule.zone()).toInstant();
    }
}
