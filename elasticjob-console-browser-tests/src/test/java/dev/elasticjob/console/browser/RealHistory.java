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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The past of the {@link RealWorld}: fifty firings of each job. One job has failed since the thirteenth latest one; of the
 * others, each seventh has had one bad night.
 */
final class RealHistory implements ConsoleHistory {
    private static final Instant LATEST = Instant.parse("2026-11-22T04:00:00Z");
    private static final int FAILING_SINCE = 12;
    private static final Map<String, Integer> ITEMS = new ConcurrentHashMap<>();

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
                IntStream.range(0, most)
                        .mapToObj(place -> PastFirings.end(firing(job, place)))
                        .toList()));
        return ends;
    }

    private static Firings.Firing firing(String job, int place) {
        Instant at = at(job, place);
        Map<Integer, Firings.Cell> items = new TreeMap<>();
        int count =
                ITEMS.computeIfAbsent(job, name -> RealWorld.definition(name).shardingTotalCount());
        for (int item = 0; item < count; item++) {
            items.put(
                    item,
                    new Firings.Cell(
                            place + "-" + item,
                            outcome(job, place, item),
                            1,
                            Optional.of("10.0.4.21@-@shop-21"),
                            Optional.of(at),
                            Optional.of(at.plus(took(job, place)))));
        }
        return new Firings.Firing(job + "@" + at, at, items);
    }

    private static Instant at(String job, int place) {
        Duration pause = job.equals(RealWorld.FAILING) ? Duration.ofMinutes(30) : Duration.ofDays(1);
        return LATEST.minus(pause.multipliedBy(place));
    }

    private static String outcome(String job, int place, int item) {
        if (job.equals(RealWorld.FAILING)) {
            return place <= FAILING_SINCE && item % 2 == 1 ? "FAILED" : "COMPLETED";
        }
        boolean badNight = job.length() % 7 == 0 && place == job.length() % 20;
        return badNight && item == 0 ? "FAILED" : "COMPLETED";
    }

    private static Duration took(String job, int place) {
        return Duration.ofMillis(700 + 40L * job.length() + 130L * Math.floorMod(place * 7, 11));
    }

    @Override
    public Executions executions(Executions.Filter filter) {
        if (filter.run().isPresent() && filter.item().isEmpty()) {
            String job = filter.job().orElseThrow();
            return new Executions(
                    IntStream.range(0, MOST_FIRINGS)
                            .filter(place -> firing(job, place)
                                    .runId()
                                    .equals(filter.run().get()))
                            .boxed()
                            .flatMap(place -> ofOneFiring(job, place))
                            .toList(),
                    Optional.empty());
        }
        if (filter.from().isPresent() && filter.until().isPresent()) {
            return new Executions(
                    ofSpan(filter.from().get(), filter.until().get()).toList(), Optional.empty());
        }
        return new Executions(
                IntStream.range(0, 20)
                        .mapToObj(place ->
                                entry(place + "-" + filter.item().orElse(1)).orElseThrow())
                        .filter(entry -> filter.run().map(entry.runId()::equals).orElse(true))
                        .toList(),
                Optional.empty());
    }

    /** On three instances, eight items at a time on each. The second item was interrupted on one that is gone, and the last is slow. */
    private static Stream<Entry> ofOneFiring(String job, int place) {
        Firings.Firing firing = firing(job, place);
        int items = firing.items().size();
        Duration usual = took(job, place);
        return IntStream.range(0, items).boxed().flatMap(item -> {
            Instant begin = firing.scheduledAt().plusMillis(40).plus(usual.multipliedBy(item / 24));
            String instance = "10.0.4.%d@-@shop-%1$d".formatted(21 + item % 3);
            Duration took = item == items - 1 ? usual.multipliedBy(7) : usual.plusMillis(item * 37 % 400);
            String outcome = outcome(job, place, item);
            return item == 1
                    ? Stream.of(
                            part(firing, job, item, 1, "INTERRUPTED", "10.0.4.9@-@shop-9", begin, usual.dividedBy(2)),
                            part(firing, job, item, 2, outcome, instance, begin.plus(usual), took))
                    : Stream.of(part(firing, job, item, 1, outcome, instance, begin, took));
        });
    }

    /** Every five seconds something begins on one of three instances; in the middle of the span it begins late, and some fails. */
    private static Stream<Entry> ofSpan(Instant from, Instant until) {
        long count = Duration.between(from, until).toSeconds() / 5;
        return IntStream.range(0, (int) count).mapToObj(place -> {
            boolean busy = place > count / 2 && place < count * 3 / 5;
            Instant scheduled = from.plusSeconds(5L * place);
            Firings.Firing firing = new Firings.Firing(RealWorld.FAILING + "@" + scheduled, scheduled, Map.of());
            return part(
                    firing,
                    RealWorld.FAILING,
                    place % 6,
                    1,
                    busy && place % 4 == 0 ? "FAILED" : "COMPLETED",
                    "10.0.4.%d@-@shop-%1$d".formatted(21 + place % 7 % 3),
                    scheduled.plusMillis(busy ? 40_000 + place * 97L % 20_000 : place * 37L % 900),
                    Duration.ofSeconds(busy ? 90 : 8 + place * 7 % 11));
        });
    }

    private static Entry part(
            Firings.Firing firing,
            String job,
            int item,
            int attempt,
            String outcome,
            String instance,
            Instant begin,
            Duration took) {
        return new Entry(
                "%s-%d-%d".formatted(firing.runId(), item, attempt),
                job,
                item,
                firing.runId(),
                firing.scheduledAt(),
                outcome,
                attempt,
                0,
                0,
                Optional.empty(),
                Optional.of(instance),
                Optional.of(begin),
                Optional.of(begin.plus(took)),
                outcome.equals("FAILED")
                        ? Optional.of("java.lang.IllegalStateException: The mail server refused the connection\n\tat a")
                        : Optional.empty());
    }

    @Override
    public List<Executions.Step> steps(String id) {
        return List.of();
    }

    @Override
    public Operations operations(Operations.Filter filter) {
        return new Operations(List.of(), Optional.empty());
    }

    @Override
    public Optional<Entry> entry(String id) {
        int place = Integer.parseInt(id.substring(0, id.indexOf('-')));
        int item = Integer.parseInt(id.substring(id.indexOf('-') + 1));
        String job = RealWorld.FAILING;
        Instant at = at(job, place);
        String outcome = outcome(job, place, item);
        return Optional.of(new Entry(
                id,
                job,
                item,
                job + "@" + at,
                at,
                outcome,
                1,
                0,
                0,
                Optional.empty(),
                Optional.of("10.0.4.21@-@shop-21"),
                Optional.of(at),
                Optional.of(at.plus(took(job, place))),
                outcome.equals("FAILED")
                        ? Optional.of(
                                "java.lang.IllegalStateException: The mail server smtp.example.com refused the connection")
                        : Optional.empty()));
    }
}
