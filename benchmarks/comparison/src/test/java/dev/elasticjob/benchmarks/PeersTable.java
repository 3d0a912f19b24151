package dev.elasticjob.benchmarks;

import static dev.elasticjob.benchmarks.Report.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured beside peers on PostgreSQL: in the output, and in the {@link Report}. */
final class PeersTable {
    static final List<Side> COLUMNS = List.of(Side.OURS, Side.DB_SCHEDULER, Side.QUARTZ);

    private final List<String> lines = new ArrayList<>();

    /** A figure of all contenders, taken from what each was measured to do. */
    <T> void add(String figure, Map<Side, T> measured, ToDoubleFunction<T> value) {
        String line = Stream.concat(
                        Stream.of(figure),
                        COLUMNS.stream().map(side -> number(value.applyAsDouble(measured.get(side)))))
                .collect(Collectors.joining(" | ", "| ", " |"));
        lines.add(line);
        System.out.println("benchmark: " + line);
    }

    void write() {
        Report.write("Beside peers on PostgreSQL", """
                | figure | ours, on ZooKeeper | db-scheduler | Quartz, clustered |
                |---|---|---|---|
                """ + lines.stream().collect(Collectors.joining("\n", "", "\n")));
    }
}
