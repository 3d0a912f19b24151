package dev.elasticjob.migration.source;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;

/** A {@code .properties} file as its entries with their lines. A key that is there twice has two. */
final class PropertiesText {
    private final String file;
    private final List<String> lines;
    private final boolean utf8;

    /** @param mistaken whether Spring Boot, which reads such a file as ISO-8859-1, sees other characters */
    record Property(String key, String value, int line, boolean mistaken) {}

    private PropertiesText(String file, String text, boolean utf8) {
        this.file = file;
        this.lines = text.lines().toList();
        this.utf8 = utf8;
    }

    /** The properties of each document: a line {@code #---} or {@code !---} ends one. */
    static List<List<Property>> documents(String file, byte[] bytes) {
        Optional<String> utf8 = utf8(bytes);
        String text = utf8.orElseGet(() -> new String(bytes, StandardCharsets.ISO_8859_1));
        return new PropertiesText(file, text, utf8.isPresent()).documents();
    }

    /** Empty if the bytes are something else. */
    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private List<List<Property>> documents() {
        List<List<Property>> documents = new ArrayList<>();
        List<Property> properties = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches("[#!]---\\s*")) {
                documents.add(properties);
                properties = new ArrayList<>();
            } else if (!lines.get(i).matches("[ \\t\\f]*([#!].*)?")) {
                int last = lastOf(i);
                properties.add(property(String.join("\n", lines.subList(i, last + 1)), i + 1));
                i = last;
            }
        }
        documents.add(properties);
        return documents;
    }

    /** An odd number of backslashes at its end continues a line. */
    private int lastOf(int first) {
        return IntStream.range(first, lines.size() - 1)
                .filter(i ->
                        lines.get(i).replaceFirst("^(?s:.*?)(\\\\*)$", "$1").length() % 2 == 0)
                .findFirst()
                .orElse(lines.size() - 1);
    }

    private Property property(String text, int line) {
        var one = new Properties();
        try {
            one.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw new UnreadableSourceException(
                    new SourceLocation(file, line),
                    "expected properties, but: %s. Correct the file".formatted(e.getMessage()),
                    e);
        }
        String key = one.stringPropertyNames().iterator().next();
        return new Property(
                key, one.getProperty(key), line, utf8 && text.chars().anyMatch(c -> c > 0x7f));
    }
}
