package dev.elasticjob.console.browser;

import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Executions;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.Operations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Fifty firings of twelve items each, or of a thousand of the job whose name has everything: item 3 has failed in the latest one, and item 8 has not run in an earlier one. */
final class PastFirings implements ConsoleHistory {
    private static final Instant LATEST = Instant.parse("2026-11-22T04:00:00Z");
    private static final int ITEMS = 12;
    private static final int MANY = 1_000;

    @Override
    public Firings firings(String job, Optional<String> before) {
        List<Firings.Firing> firings = IntStream.range(0, MOST_FIRINGS)
                .mapToObj(place -> firing(job, place))
                .toList();
        return new Firings(firings, Optional.empty());
    }

    @Override
    public SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most) {
        SortedMap<String, List<Firings.End>> ends = new TreeMap<>();
        jobs.forEach(job -> ends.put(
                job,
                firings(job, Optional.empty()).firings().stream()
                        .limit(most)
                        .map(PastFirings::end)
                        .toList()));
        return ends;
    }

    /** As the trace sums up: all have completed, or one has the trouble. */
    static Firings.End end(Firings.Firing firing) {
        List<Firings.Cell> cells = List.copyOf(firing.items().values());
        Optional<String> trouble = cells.stream()
                .map(Firings.Cell::outcome)
                .filter(outcome -> !outcome.equals("COMPLETED"))
                .findFirst();
        int completed = (int) cells.stream()
                .filter(cell -> cell.outcome().equals("COMPLETED"))
                .count();
        return new Firings.End(
                firing.runId(),
                firing.scheduledAt(),
                trouble.orElse("COMPLETED"),
                cells.size(),
                completed,
                cells.get(0).startedAt(),
                cells.get(0).endedAt());
    }

    private static Firings.Firing firing(String job, int place) {
        Instant at = LATEST.minus(Duration.ofDays(place));
        Map<Integer, Firings.Cell> items = new TreeMap<>();
        int count = job.equals(Shop.NAME_WITH_EVERYTHING) ? MANY : ITEMS;
        for (int item = 0; item < count; item++) {
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
    public Executions executions(Executions.Filter filter) {
        List<Entry> found = Stream.of("0-3", "0-4")
                .map(id -> entry(id).orElseThrow())
                .filter(entry -> filter.outcome()
                        .filter(wanted -> !wanted.equals(entry.outcome()))
                        .isEmpty())
                .filter(entry ->
                        filter.item().filter(wanted -> wanted != entry.item()).isEmpty())
                .filter(entry -> filter.job()
                        .filter(wanted -> !wanted.equals(entry.job()))
                        .isEmpty())
                .toList();
        return new Executions(found, filter.before().isPresent() ? Optional.empty() : Optional.of("earlier"));
    }

    @Override
    public List<Executions.Step> steps(String id) {
        return List.of(
                new Executions.Step(LATEST, "TASK_RUNNING", ""),
                new Executions.Step(LATEST.plusMillis(730), "TASK_ERROR", "Order 4711 has no address"));
    }

    @Override
    public Operations operations(Operations.Filter filter) {
        List<Operations.Operation> found = Stream.of(
                        operation("mei", "orders", "disable item 7", true, "disabled"),
                        operation("ann", "orders", "trigger", false, "Job \"orders\" is paused"),
                        operation("ann", "*", "pause all jobs", true, "paused"))
                .filter(one -> filter.actor()
                        .filter(wanted -> !wanted.equals(one.actor()))
                        .isEmpty())
                .filter(one -> !filter.refusedOnly() || !one.succeeded())
                .toList();
        return new Operations(found, Optional.empty());
    }

    private static Operations.Operation operation(
            String actor, String job, String command, boolean succeeded, String outcome) {
        return new Operations.Operation(
                LATEST, job, actor, command, Optional.of("INC-7"), "is not paused", succeeded, outcome);
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
                item == 3 ? Optional.of("""
                                java.lang.IllegalStateException: Order 4711 has no address
                                \tat dev.elasticjob.shop.Orders.send(Orders.java:42)
                                Caused by: java.sql.SQLException: no row
                                \t... 12 more
                                """) : Optional.empty()));
    }
}
