package dev.elasticjob.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What was measured, as a table in Markdown: in the output, and in {@code target/performance.md}. */
final class Table {
    private static final Path FILE = Path.of("target", "performance.md");
    private static final String NONE = "–";

    private final List<Row> rows = new ArrayList<>();

    /**
     * One figure; less is better.
     *
     * @param limit what it must not exceed
     */
    record Row(
            String figure, OptionalDouble ours, OptionalDouble peer, OptionalDouble bare, String limit, boolean kept) {
        String line() {
            String ratio = ours.isPresent() && peer.isPresent()
                    ? number(peer.getAsDouble() / ours.getAsDouble()) + " ×"
                    : NONE;
            return "| %s | %s | %s | %s | %s | %s | %s |"
                    .formatted(figure, cell(ours), cell(peer), ratio, cell(bare), limit, kept ? "yes" : "**no**");
        }

        private static String cell(OptionalDouble value) {
            return value.isPresent() ? number(value.getAsDouble()) : NONE;
        }
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.1f", value);
    }

    /** A figure of ours alone, with a limit. */
    void add(String figure, double ours, double limit) {
        add(figure, ours, OptionalDouble.empty(), OptionalDouble.empty(), limit);
    }

    /** A figure beside the peer's. */
    void add(String figure, double ours, double peer, double limit) {
        add(figure, ours, OptionalDouble.of(peer), OptionalDouble.empty(), limit);
    }

    void add(String figure, double ours, OptionalDouble peer, OptionalDouble bare, double limit) {
        add(new Row(figure, OptionalDouble.of(ours), peer, bare, "≤ " + number(limit), ours <= limit));
    }

    void add(Row row) {
        rows.add(row);
        System.out.println("benchmark: " + row.line());
    }

    void write() {
        String text = """
                | figure | ours | ElasticJob 3.0.4 | ratio | bare transactions | must reach | reached |
                |---|---|---|---|---|---|---|
                """ + rows.stream().map(Row::line).collect(Collectors.joining("\n", "", "\n"));
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
