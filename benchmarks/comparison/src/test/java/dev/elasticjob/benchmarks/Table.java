package dev.elasticjob.benchmarks;

import static dev.elasticjob.benchmarks.Report.NONE;
import static dev.elasticjob.benchmarks.Report.number;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What was measured beside ElasticJob: in the output, and in the {@link Report}. */
final class Table {
    private final String title;
    private final List<Row> rows = new ArrayList<>();

    Table(String title) {
        this.title = title;
    }

    /**
     * One figure.
     *
     * @param ratio how many times as much the peer needs
     * @param limit what it must reach
     */
    record Row(
            String figure,
            OptionalDouble ours,
            OptionalDouble peer,
            OptionalDouble bare,
            String ratio,
            String limit,
            boolean kept) {
        String line() {
            return "| %s | %s | %s | %s | %s | %s | %s |"
                    .formatted(figure, cell(ours), cell(peer), ratio, cell(bare), limit, kept ? "yes" : "**no**");
        }

        private static String cell(OptionalDouble value) {
            return value.isPresent() ? number(value.getAsDouble()) : NONE;
        }
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
        String ratio = peer.isPresent() ? number(peer.getAsDouble() / ours) + " ×" : NONE;
        add(new Row(figure, OptionalDouble.of(ours), peer, bare, ratio, "≤ " + number(limit), ours <= limit));
    }

    /** A figure that must reach a hundred. */
    void addPercent(String figure, double ours, OptionalDouble peer) {
        add(new Row(figure, OptionalDouble.of(ours), peer, OptionalDouble.empty(), NONE, "100", ours >= 100));
    }

    void add(Row row) {
        rows.add(row);
        System.out.println("benchmark: " + row.line());
    }

    void write() {
        Report.write(title, """
                | figure | ours | ElasticJob 3.0.4 | ratio | bare transactions | must reach | reached |
                |---|---|---|---|---|---|---|
                """ + rows.stream().map(Row::line).collect(Collectors.joining("\n", "", "\n")));
    }
}
