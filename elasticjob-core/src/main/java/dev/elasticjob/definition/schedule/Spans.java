package dev.elasticjob.definition.schedule;

import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Spans of time, of which those that touch are one. Looked up in logarithmic time. Not thread-safe while they are added. */
final class Spans<T extends Comparable<? super T>> {
    /** Ends by starts. */
    private final NavigableMap<T, T> ends = new TreeMap<>();

    /** @param end not included */
    record Span<T>(T start, T end) {}

    void add(Span<T> span) {
        T start = span.start();
        T end = span.end();
        for (Map.Entry<T, T> other = ends.floorEntry(end);
                other != null && other.getValue().compareTo(start) >= 0;
                other = ends.floorEntry(end)) {
            ends.remove(other.getKey());
            start = Stream.of(start, other.getKey())
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
            end = Stream.of(end, other.getValue())
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        ends.put(start, end);
    }

    /** The one in which a time lies; empty if there is none. */
    Optional<Span<T>> around(T time) {
        return Optional.ofNullable(ends.floorEntry(time))
                .filter(span -> span.getValue().compareTo(time) > 0)
                .map(span -> new Span<>(span.getKey(), span.getValue()));
    }

    /** The start of the first one that begins after a time; empty if none does. */
    Optional<T> startAfter(T time) {
        return Optional.ofNullable(ends.higherKey(time));
    }

    /** The end of the last one before a time that lies in none; empty if there is none before. */
    Optional<T> endBefore(T time) {
        return Optional.ofNullable(ends.floorEntry(time)).map(Map.Entry::getValue);
    }

    /** The end of the last one; empty if there are none. */
    Optional<T> end() {
        return Optional.ofNullable(ends.lastEntry()).map(Map.Entry::getValue);
    }
}
