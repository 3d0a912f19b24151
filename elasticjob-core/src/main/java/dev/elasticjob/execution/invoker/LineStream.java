package dev.elasticjob.execution.invoker;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Passes on the output of a process line by line, read as UTF-8. A line that is too long is split, so that no output
 * fills the memory. Keeps the last lines. Thread-safe.
 */
final class LineStream extends OutputStream {
    private static final int MAX_LINE = 8_192;
    private static final int REMEMBERED = 2_000;

    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    /** Keeps one character more than is shown, to detect that there was more. */
    private final StringBuilder tail = new StringBuilder();

    LineStream(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public synchronized void write(int next) {
        if (next == '\n') {
            end();
        } else {
            line.write(next);
            if (line.size() == MAX_LINE) {
                end();
            }
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    @Override
    public synchronized void close() {
        if (line.size() > 0) {
            end();
        }
    }

    /** The last lines, in at most two thousand characters. */
    synchronized String tail() {
        return tail.length() <= REMEMBERED ? tail.toString() : "…" + tail.substring(1);
    }

    private void end() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        String withoutReturn = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        tail.append(tail.isEmpty() ? "" : "\n").append(withoutReturn);
        tail.delete(0, Math.max(0, tail.length() - REMEMBERED - 1));
        lines.accept(withoutReturn);
    }
}
