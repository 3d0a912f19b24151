package dev.elasticjob.spring;

import dev.elasticjob.job.event.JobEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The ways in which an item ends without having been started, as {@code docs/guarantees.md} lists them. */
public final class UnstartedItems {
    private static final Path PAGE = Path.of("..", "docs", "guarantees.md");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final List<JobEvent> EVENTS = List.of(
            new JobEvent.ItemRefused("orders", "a@-@1", 0, NOON, "orders@2026-03-01T12:00:00Z", 1, "no stock"),
            new JobEvent.FiringsLost("orders", 0, NOON, NOON, 1),
            new JobEvent.FiringsFolded("orders", 0, NOON, NOON.plusSeconds(5), 1),
            new JobEvent.FiringsSkipped("orders", 0, NOON, NOON.plusSeconds(5), 1),
            new JobEvent.ManualRunDropped("orders", 0, List.of("stocktaking"), "the item is disabled"));

    private UnstartedItems() {}

    /**
     * A row of the table whose way is told by an event.
     *
     * @param history the outcome of the event's row
     * @param meter the counter that counts it
     */
    public record Way(String name, JobEvent event, String history, String meter) {
        @Override
        public String toString() {
            return name;
        }
    }

    public static Stream<Way> ways() {
        return rows().stream().filter(row -> !row.get(2).equals("none")).map(row -> {
            JobEvent event = EVENTS.stream()
                    .filter(one -> one.getClass().getSimpleName().equals(unquoted(row.get(2))))
                    .findFirst()
                    .orElseThrow();
            return new Way(row.get(0), event, unquoted(row.get(3)), unquoted(row.get(4)));
        });
    }

    private static String unquoted(String cell) {
        return cell.replace("`", "");
    }

    private static List<List<String>> rows() {
        try (Stream<String> lines = Files.lines(PAGE)) {
            return lines.dropWhile(line -> !line.equals("## Items that were not started"))
                    .dropWhile(line -> !line.startsWith("|---"))
                    .skip(1)
                    .takeWhile(line -> line.startsWith("|"))
                    .map(line -> Stream.of(line.substring(1).split("\\|"))
                            .map(String::strip)
                            .toList())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
