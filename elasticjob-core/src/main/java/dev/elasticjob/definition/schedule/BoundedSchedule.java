package dev.elasticjob.definition.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A schedule that begins, or ends. A firing at one of the bounds is one of its firings. A fixed rate that begins is counted
 * from its begin.
 */
record BoundedSchedule(Schedule inner, Optional<Instant> from, Optional<Instant> until) implements Schedule {
    private static final Pattern BOUNDS = Pattern.compile("(.+?)(?: from (\\S+))?(?: until (\\S+))?");

    /**
     * The same schedule if there are no bounds.
     *
     * @throws IllegalArgumentException if a bound is no whole second, or the end is before the begin
     */
    static Schedule of(Schedule inner, Optional<Instant> from, Optional<Instant> until) {
        if (from.isEmpty() && until.isEmpty()) {
            return inner;
        }
        from.ifPresent(FiringYears::checked);
        until.ifPresent(FiringYears::checked);
        if (from.isPresent() && until.isPresent() && until.get().isBefore(from.get())) {
            throw new IllegalArgumentException(
                    "expected an end that isn't before the begin, but it begins at %s and ends at %s"
                            .formatted(from.get(), until.get()));
        }
        Schedule counted =
                from.map(begin -> AdaptedSchedule.anchored(inner, begin)).orElse(inner);
        return new BoundedSchedule(counted, from, until);
    }

    @Override
    public String text() {
        return inner.text()
                + from.map(time -> " from " + time).orElse("")
                + until.map(time -> " until " + time).orElse("");
    }

    @Override
    public ScheduleKind kind() {
        return inner.kind();
    }

    @Override
    public Schedule plain() {
        return inner.plain();
    }

    @Override
    public Optional<String> cron() {
        return inner.cron();
    }

    @Override
    public Optional<Duration> delay() {
        return inner.delay();
    }

    @Override
    public Optional<Instant> nextAfterEnd(Optional<Instant> end, Instant earliest) {
        Instant first = from.filter(earliest::isBefore).orElse(earliest);
        return inner.nextAfterEnd(end, first).filter(this::isNotOver);
    }

    @Override
    public ZoneId zone() {
        return inner.zone();
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return inner.nextAfter(justBeforeBeginOr(moment)).filter(this::isNotOver);
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        Instant last = until.filter(moment::isAfter).orElse(moment);
        return inner.latestNotAfter(last).filter(firing -> from.isEmpty() || !firing.isBefore(from.get()));
    }

    @Override
    public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        Instant end = until.map(time -> time.plusNanos(1))
                .filter(exclusiveEnd::isAfter)
                .orElse(exclusiveEnd);
        return inner.countBetween(justBeforeBeginOr(exclusiveStart), end, limit);
    }

    @Override
    public List<LeftOut> leftOut(Instant after, Optional<Instant> last, int limit) {
        Optional<Instant> end = Stream.of(until, last).flatMap(Optional::stream).min(Comparator.naturalOrder());
        return inner.leftOut(justBeforeBeginOr(after), end, limit).stream()
                .map(firing -> new LeftOut(firing.time(), firing.movedTo().filter(this::isNotOver)))
                .toList();
    }

    private boolean isNotOver(Instant firing) {
        return until.isEmpty() || !firing.isAfter(until.get());
    }

    /** The moment, or the one after which the first firing may come if that is later. */
    private Instant justBeforeBeginOr(Instant moment) {
        return from.map(time -> time.minusNanos(1)).filter(moment::isBefore).orElse(moment);
    }

    /** Reads {@code 0 0 9 * * ? from 2026-12-01T00:00:00Z until 2026-12-31T00:00:00Z}, and either bound alone. */
    static final class Parser implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.contains(" from ") || text.contains(" until ");
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            Matcher parts = BOUNDS.matcher(text);
            try {
                if (parts.matches() && (parts.group(2) != null || parts.group(3) != null)) {
                    return of(
                            Schedule.of(parts.group(1), zone),
                            Optional.ofNullable(parts.group(2)).map(Instant::parse),
                            Optional.ofNullable(parts.group(3)).map(Instant::parse));
                }
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(expected(), e);
            }
            throw new IllegalArgumentException(expected());
        }

        private static String expected() {
            return "expected bounds such as \"from 2026-12-01T00:00:00Z until 2026-12-31T00:00:00Z\"";
        }
    }
}
