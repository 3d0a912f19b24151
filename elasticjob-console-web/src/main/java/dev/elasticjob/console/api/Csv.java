package dev.elasticjob.console.api;

import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A table as RFC 4180 has it, for spreadsheets: they know UTF-8 by the mark at its beginning, and no cell is taken for a
 * formula. Confined to one thread.
 */
final class Csv {
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String FORMULAS = "=+-@\t\r";

    private final List<List<String>> lines = new ArrayList<>();

    Csv(String... header) {
        lines.add(List.of(header));
    }

    /** @param cells texts and numbers; empty optionals become empty cells */
    Csv line(Object... cells) {
        List<String> line = new ArrayList<>();
        for (Object cell : cells) {
            line.add(
                    cell instanceof Optional<?> optional
                            ? optional.map(String::valueOf).orElse("")
                            : cell.toString());
        }
        lines.add(line);
        return this;
    }

    ConsoleResponse response(String fileName) {
        String text = lines.stream()
                .map(line -> line.stream().map(Csv::cell).collect(Collectors.joining(",")))
                .collect(Collectors.joining("\r\n", BYTE_ORDER_MARK, "\r\n"));
        return ConsoleResponse.of(200, "text/csv;charset=UTF-8", text.getBytes(StandardCharsets.UTF_8))
                .with("Content-Disposition", "attachment; filename=\"%s\"".formatted(fileName));
    }

    private static String cell(String text) {
        boolean formula = !text.isEmpty() && FORMULAS.indexOf(text.charAt(0)) >= 0;
        String harmless = formula ? "'" + text : text;
        return '"' + harmless.replace("\"", "\"\"") + '"';
    }
}
