package dev.elasticjob.console.api;

import dev.elasticjob.console.history.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How much was executed in a span of time, and how late it began.
 *
 * @param from the begin of what is shown; later than what was asked for if there was too much
 * @param complete whether it is the whole span
 * @param slices of equal length, in order
 * @param instances those with the most work first
 */
record Load(Instant from, Instant until, boolean complete, List<Slice> slices, List<OfInstance> instances) {
    static final int MOST_EXECUTIONS = 20_000;
    static final int SLICES = 60;

    /** As the trace calls it. */
    private static final Set<String> FAILED = Set.of("FAILED", "TIMEOUT");

    /**
     * A part of the span.
     *
     * @param began how many executions
     * @param failed how many of these have failed
     * @param executing how many executed at once, on average
     * @param lateMillis how long after their scheduled time first attempts have begun: the middle one; null without any
     * @param mostLateMillis the latest of them
     */
    record Slice(
            Instant at,
            int began,
            int failed,
            double executing,
            Optional<Long> lateMillis,
            Optional<Long> mostLateMillis) {}

    /**
     * What an instance has done.
     *
     * @param executing how many executed on it at once, on average
     */
    record OfInstance(String instance, int began, double executing) {}

    /**
     * Pure.
     *
     * @param entries of the span, in any order
     * @param now until which those execute that have no end
     */
    static Load of(List<Entry> entries, Instant from, Instant until, boolean complete, Instant now) {
        List<Execution> executions = entries.stream()
                .flatMap(entry -> Execution.of(entry, now).stream())
                .toList();
        Duration width = Duration.between(from, until).dividedBy(SLICES);
        List<Slice> slices = IntStream.range(0, SLICES)
                .mapToObj(place -> slice(executions, from.plus(width.multipliedBy(place)), width))
                .toList();
        return new Load(from, until, complete, slices, instances(executions, from, until));
    }

    /** @param late empty for attempts after an interruption, which nobody could have begun in time */
    private record Execution(String instance, Instant begin, Instant end, boolean failed, Optional<Duration> late) {
        static Optional<Execution> of(Entry entry, Instant now) {
            return entry.startedAt().map(begin -> {
                Instant end = entry.endedAt().orElse(now);
                Duration late = Duration.between(entry.scheduledAt(), begin);
                return new Execution(
                        entry.instance().orElse(""),
                        begin,
                        end.isBefore(begin) ? begin : end,
                        FAILED.contains(entry.outcome()),
                        entry.attempt() > 1 ? Optional.empty() : Optional.of(late.isNegative() ? Duration.ZERO : late));
            });
        }

        boolean beganIn(Instant from, Instant until) {
            return !begin.isBefore(from) && begin.isBefore(until);
        }

        long millisIn(Instant from, Instant until) {
            Instant first = begin.isBefore(from) ? from : begin;
            Instant last = end.isAfter(until) ? until : end;
            return Math.max(0, Duration.between(first, last).toMillis());
        }
    }

    private static Slice slice(List<Execution> executions, Instant at, Duration width) {
        Instant end = at.plus(width);
        List<Execution> began =
                executions.stream().filter(one -> one.beganIn(at, end)).toList();
        List<Long> late = began.stream()
                .flatMap(one -> one.late().stream())
                .map(Duration::toMillis)
                .sorted()
                .toList();
        return new Slice(
                at,
                began.size(),
                (int) began.stream().filter(Execution::failed).count(),
                executing(executions, at, end),
                late.isEmpty() ? Optional.empty() : Optional.of(late.get((late.size() - 1) / 2)),
                late.isEmpty() ? Optional.empty() : Optional.of(late.get(late.size() - 1)));
    }

    private static double executing(List<Execution> executions, Instant from, Instant until) {
        long millis =
                executions.stream().mapToLong(one -> one.millisIn(from, until)).sum();
        return millis / (double) Math.max(1, Duration.between(from, until).toMillis());
    }

    private static List<OfInstance> instances(List<Execution> executions, Instant from, Instant until) {
        Map<String, List<Execution>> byInstance = new TreeMap<>();
        executions.forEach(one -> byInstance
                .computeIfAbsent(one.instance(), any -> new ArrayList<>())
                .add(one));
        List<OfInstance> found = new ArrayList<>();
        byInstance.forEach((instance, own) -> found.add(new OfInstance(
                instance,
                (int) own.stream().filter(one -> one.beganIn(from, until)).count(),
                executing(own, from, until))));
        found.sort(Comparator.comparing(OfInstance::executing).reversed().thenComparing(OfInstance::instance));
        return found;
    }
}
