package dev.elasticjob.migration.source;

import dev.elasticjob.migration.source.YamlText.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads files of any kind: Spring XML, Spring Boot properties, and texts of {@code config} nodes. */
public final class SourceFiles {
    static final String DEFAULT_OUTPUT = "application.yml";

    private SourceFiles() {}

    /** @throws UnreadableSourceException if one is none of these, or malformed */
    public static List<SourceDocument> read(List<Path> files) {
        return merged(files.stream().flatMap(file -> read(file).stream()).toList());
    }

    private static List<SourceDocument> read(Path path) {
        String file = path.toString();
        String name = file.toLowerCase(Locale.ROOT);
        byte[] bytes = bytes(path);
        if (name.endsWith(".properties")) {
            return BootFiles.readProperties(file, bytes);
        }
        String text = text(file, bytes);
        if (text.strip().startsWith("<")) {
            return SpringXml.read(file, text);
        }
        if (StoredJob.isJson(text)) {
            return List.of(stored(StoredJob.ofJson(file, text)));
        }
        List<List<Entry>> documents = YamlText.documents(file, text);
        if (BootFiles.isBoot(documents)) {
            return BootFiles.ofYaml(file, documents);
        }
        if (StoredJob.isYaml(documents)) {
            return documents.stream()
                    .filter(entries -> !entries.isEmpty())
                    .map(entries -> stored(StoredJob.ofYaml(file, entries, Optional.empty())))
                    .toList();
        }
        throw new UnreadableSourceException(
                SourceLocation.of(file),
                "expected Spring XML, Spring Boot properties with \"elasticjob.\", or the text of a \"config\" node of"
                        + " ElasticJob (YAML with \"jobName\", or JSON)");
    }

    private static SourceDocument stored(SourceJob job) {
        return new DocumentBuilder(DEFAULT_OUTPUT, Optional.empty()).add(job).build();
    }

    private static byte[] bytes(Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            String message = Files.exists(path) ? "can't be read (%s)" : "expected a file, but there is none (%s)";
            throw new UnreadableSourceException(SourceLocation.of(path.toString()), message.formatted(e), e);
        }
    }

    private static String text(String file, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new UnreadableSourceException(
                    SourceLocation.of(file), "expected UTF-8, but some bytes are not. Convert the file to UTF-8", e);
        }
    }

    /** What goes into the same document of the same file. */
    private static List<SourceDocument> merged(List<SourceDocument> documents) {
        Map<List<String>, DocumentBuilder> merged = new LinkedHashMap<>();
        documents.forEach(document -> merged.computeIfAbsent(
                        List.of(document.output(), document.profile().orElse("")),
                        any -> new DocumentBuilder(document.output(), document.profile()))
                .addAll(document));
        return merged.values().stream().map(DocumentBuilder::build).toList();
    }
}
