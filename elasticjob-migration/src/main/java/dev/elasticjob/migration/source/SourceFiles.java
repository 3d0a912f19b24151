package dev.elasticjob.migration.source;

import dev.elasticjob.migration.source.YamlText.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.Stream;

/**
 * Reads files of any kind: Spring XML, Spring Boot properties, texts of {@code config} nodes, registrations of
 * Elastic-Job-Cloud, Java sources, Quartz's XML, and XXL-JOB's table. Of a folder, the Java sources below it.
 */
public final class SourceFiles {
    static final String DEFAULT_OUTPUT = "application.yml";

    private static final String JAVA = ".java";

    private SourceFiles() {}

    /** @throws UnreadableSourceException if one is none of these, or malformed */
    public static List<SourceDocument> read(List<Path> files) {
        return merged(files.stream().flatMap(file -> read(file).stream()).toList());
    }

    /** Those that may have jobs. */
    private static List<SourceDocument> sources(Path folder) {
        try (Stream<Path> below = Files.walk(folder)) {
            List<SourceDocument> found = below.filter(file -> file.toString().endsWith(JAVA))
                    .sorted()
                    .flatMap(file -> java(file.toString(), text(file.toString(), bytes(file))).stream())
                    .toList();
            if (found.isEmpty()) {
                throw new UnreadableSourceException(
                        SourceLocation.of(folder.toString()),
                        "expected Java sources with @Scheduled below the folder, but there are none");
            }
            return found;
        } catch (IOException | UncheckedIOException e) {
            throw new UnreadableSourceException(
                    SourceLocation.of(folder.toString()), "can't be read (%s)".formatted(e), e);
        }
    }

    private static Optional<SourceDocument> java(String file, String text) {
        return ScheduledMethods.mayBeIn(text) ? Optional.of(ScheduledMethods.read(file, text)) : Optional.empty();
    }

    private static List<SourceDocument> read(Path path) {
        String file = path.toString();
        String name = file.toLowerCase(Locale.ROOT);
        if (Files.isDirectory(path)) {
            return sources(path);
        }
        byte[] bytes = bytes(path);
        if (name.endsWith(".properties")) {
            return BootFiles.readProperties(file, bytes);
        }
        String text = text(file, bytes);
        if (name.endsWith(JAVA)) {
            return List.of(ScheduledMethods.read(file, text));
        }
        if (XxlJobTable.isTable(text)) {
            return List.of(XxlJobTable.read(file, text));
        }
        if (QuartzXml.isQuartz(text)) {
            return List.of(QuartzXml.read(file, text));
        }
        if (text.strip().startsWith("<")) {
            return SpringXml.read(file, text);
        }
        if (CloudRegistrations.areIn(text)) {
            return CloudRegistrations.read(file, text);
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
                "expected Spring XML, Spring Boot properties with \"elasticjob.\", the text of a \"config\" node of"
                        + " ElasticJob (YAML with \"jobName\", or JSON), registrations of"
                        + " Elastic-Job-Cloud (JSON), a Java source with @Scheduled, Quartz's XML of jobs"
                        + " (job-scheduling-data), or XXL-JOB's table xxl_job_info as mysql --batch prints it");
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
    static List<SourceDocument> merged(List<SourceDocument> documents) {
        Map<List<String>, DocumentBuilder> merged = new LinkedHashMap<>();
        documents.forEach(document -> merged.computeIfAbsent(
                        List.of(document.output(), document.profile().orElse("")),
                        any -> new DocumentBuilder(document.output(), document.profile()))
                .addAll(document));
        return merged.values().stream().map(DocumentBuilder::build).toList();
    }
}
