package dev.elasticjob.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One line for each row of the fault table, in the output and in {@code target/fault-table.txt}, where CI looks for it. */
final class FaultTable {
    private static final Path FILE = Path.of("target", "fault-table.txt");

    private FaultTable() {}

    @SuppressWarnings("SystemOut")
    static void report(String row, String figures) {
        String line = "fault-table: " + row + ": " + figures;
        System.out.println(line);
        try {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
