package dev.elasticjob.migration.source;

import dev.elasticjob.migration.source.YamlText.Entry;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spring Boot properties of 3.x, with Boot's freedom to spell keys, and its documents with profiles. */
final class BootFiles {
    private static final Pattern ELEMENT = Pattern.compile("\\[[^]]*]|[^.\\[]+");
    private static final Pattern DOCUMENTS = Pattern.compile("(?m)^[#!]---\\s*$\\R?");
    private static final String OURS = "elasticjob";
    private static final Set<String> PROFILE = Set.of("spring.config.activate.onprofile", "spring.profiles");

    private final String file;
    private final String output;

    private BootFiles(String file) {
        this.file = file;
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        this.output = name.replaceFirst("\\.[^.]*$", "") + ".yml";
    }

    static List<SourceDocument> readProperties(String file, String text) {
        var files = new BootFiles(file);
        List<SourceDocument> documents = new ArrayList<>();
        int firstLine = 1;
        Matcher separator = DOCUMENTS.matcher(text);
        int from = 0;
        while (separator.find()) {
            String part = text.substring(from, separator.start());
            documents.add(files.document(files.properties(part, firstLine)));
            firstLine += (int) text.substring(from, separator.end()).lines().count();
            from = separator.end();
        }
        documents.add(files.document(files.properties(text.substring(from), firstLine)));
        return documents;
    }

    static boolean isBoot(List<List<Entry>> documents) {
        return documents.stream()
                .flatMap(List::stream)
                .anyMatch(entry -> uniform(elements(entry.path()).get(0)).equals(OURS));
    }

    static List<SourceDocument> ofYaml(String file, List<List<Entry>> documents) {
        var files = new BootFiles(file);
        return documents.stream()
                .map(entries -> files.document(entries.stream()
                        .map(entry -> new Entry(elements(entry.path()), entry.value(), entry.line()))
                        .toList()))
                .toList();
    }

    private List<Entry> properties(String text, int firstLine) {
        var properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalArgumentException e) {
            throw new UnreadableSourceException(
                    Place.of(file), "expected properties, but: %s. Correct the file".formatted(e.getMessage()), e);
        }
        List<Entry> entries = new ArrayList<>();
        List<String> lines = text.lines().toList();
        new TreeMap<>(properties).forEach((key, value) -> {
            int line = lineOf(key.toString(), lines);
            entries.add(
                    new Entry(elements(List.of(key.toString())), value.toString(), line < 0 ? 0 : line + firstLine));
        });
        entries.sort(Comparator.comparingInt(Entry::line));
        return entries;
    }

    /** -1 if the key is written with escapes. */
    private static int lineOf(String key, List<String> lines) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            String line = lines.get(i).strip();
            if (line.startsWith(key) && line.substring(key.length()).matches("\\s*[=:\\s].*|")) {
                return i;
            }
        }
        return -1;
    }

    private SourceDocument document(List<Entry> entries) {
        var document = new DocumentBuilder(output, profile(entries));
        Map<String, List<SourceSetting>> jobs = new LinkedHashMap<>();
        List<SourceSetting> registry = new ArrayList<>();
        int foreign = 0;
        for (Entry entry : entries) {
            List<String> path = entry.path();
            String section = path.size() > 1 ? uniform(path.get(1)) : "";
            if (!uniform(path.get(0)).equals(OURS)) {
                foreign++;
            } else if (section.equals("jobs") && path.size() > 3) {
                jobs.computeIfAbsent(inBrackets(path.get(2)), any -> new ArrayList<>())
                        .add(setting(path.subList(3, path.size()), entry));
            } else if (section.equals("regcenter") && path.size() > 2) {
                registry.add(setting(path.subList(2, path.size()), entry));
            } else {
                document.other(setting(path.subList(1, path.size()), entry));
            }
        }
        jobs.forEach((name, settings) -> document.add(
                new SourceJob(name, Dialect.PROPERTIES_3, settings.get(0).place(), settings)));
        if (!registry.isEmpty()) {
            document.add(
                    new SourceRegistry("", Dialect.PROPERTIES_3, registry.get(0).place(), registry));
        }
        if (foreign > 0) {
            document.remark(
                    Place.of(file), "%d properties don't begin with \"elasticjob.\"; keep them".formatted(foreign));
        }
        return document.build();
    }

    private static Optional<String> profile(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> PROFILE.contains(uniform(String.join(".", entry.path()))))
                .map(Entry::value)
                .findFirst();
    }

    private SourceSetting setting(List<String> path, Entry entry) {
        return new SourceSetting(
                String.join(".", path).replace(".[", "["), entry.value(), new Place(file, entry.line()));
    }

    private static String inBrackets(String element) {
        return element.startsWith("[") ? element.substring(1, element.length() - 1) : element;
    }

    /** A key such as {@code elasticjob.jobs[my.job].cron} has four elements. */
    private static List<String> elements(List<String> path) {
        List<String> elements = new ArrayList<>();
        for (String key : path) {
            Matcher matcher = ELEMENT.matcher(key);
            while (matcher.find()) {
                elements.add(matcher.group());
            }
        }
        return elements.isEmpty() ? List.of("") : elements;
    }

    /** As Boot compares keys. */
    static String uniform(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }
}
