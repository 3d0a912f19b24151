package dev.elasticjob.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The tables of all benchmarks of a run, in Markdown: {@code target/performance.md}. Safe for use by any thread. */
final class Report {
    static final String NONE = "–";

    private static final Path FILE = Path.of("target", "performance.md");
    private static final Map<String, String> SECTIONS = new TreeMap<>();

    private Report() {}

    static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.1f", value);
    }

    /** Puts a table there, beside those that are there from this run. */
    static synchronized void write(String title, String table) {
        SECTIONS.put(title, table);
        String text = SECTIONS.entrySet().stream()
                .map(section -> "## " + section.getKey() + "\n" + section.getValue())
                .collect(Collectors.joining("\n"));
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
