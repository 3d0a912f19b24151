package dev.elasticjob.console.browser;

import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Firings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Fifty firings of twelve items each: item 3 has failed in the latest one, and item 8 has not run in an earlier one. */
final class PastFirings implements ConsoleHistory {
    private static final Instant LATEST = Instant.parse("2026-11-22T04:00:00Z");
    private static final int ITEMS = 12;

    @Override
    public Firings firings(String job, Optional<String> before) {
        List<Firings.Firing> firings = IntStream.range(0, MOST_FIRINGS)
                .mapToObj(place -> firing(job, place))
                .toList();
        return new Firings(firings, Optional.empty());
    }

    private static Firings.Firing firing(String job, int place) {
        Instant at = LATEST.minus(Duration.ofDays(place));
        Map<Integer, Firings.Cell> items = new TreeMap<>();
        for (int item = 0; item < ITEMS; item++) {
            items.put(item, cell(at, place, item));
        }
        return new Firings.Firing(job + "@" + at, at, items);
    }

    private static Firings.Cell cell(Instant at, int place, int item) {
        boolean failed = place == 0 && item == 3;
        boolean lost = place == 7 && item == 8;
        return new Firings.Cell(
                place + "-" + item,
                failed ? "FAILED" : lost ? "LOST" : "COMPLETED",
                1,
                Optional.of("10.0.0.1@-@shop-1"),
                Optional.of(at),
                Optional.of(at.plusMillis(730)));
    }

    @Override
    public Optional<Entry> entry(String id) {
        int item = Integer.parseInt(id.substring(id.indexOf('-') + 1));
        return Optional.of(new Entry(
                id,
                "orders",
                item,
                "orders@" + LATEST,
                LATEST,
                item == 3 ? "FAILED" : "COMPLETED",
                1,
                0,
                0,
                Optional.empty(),
                Optional.of("10.0.0.1@-@shop-1"),
                Optional.of(LATEST),
                Optional.of(LATEST.plusMillis(730)),
                item == 3
                        ? Optional.of("java.lang.IllegalStateException: Order 4711 has no address")
                        : Optional.empty()));
    }
}
