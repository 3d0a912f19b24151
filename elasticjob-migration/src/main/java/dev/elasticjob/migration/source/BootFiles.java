package dev.elasticjob.migration.source;

import dev.elasticjob.migration.source.PropertiesText.Property;
import dev.elasticjob.migration.source.YamlText.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Spring Boot properties of 3.x, with Boot's freedom to spell keys, and its documents with profiles. */
final class BootFiles {
    private static final Pattern ELEMENT = Pattern.compile("\\[[^]]*]|[^.\\[]+");
    private static final String OURS = "elasticjob";
    private static final Pattern PROFILE =
            Pattern.compile("spring\\.(config\\.activate\\.onprofile|profiles)(\\[\\d+])?");
    private static final Pattern CONDITION =
            Pattern.compile("spring\\.(config\\.activate\\.|profiles(\\.?\\[\\d+])?$)");

    private static final String CONDITION_LOST = "the condition %s=%s is not in the produced document: add it by hand";
    private static final String MISTAKEN =
            "the file is UTF-8, but Spring Boot reads .properties as ISO-8859-1: ElasticJob had other characters in"
                    + " \"%s\". The produced file has those that an editor shows";

    private final String file;
    private final String output;

    private BootFiles(String file) {
        this.file = file;
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        this.output = name.replaceFirst("\\.[^.]*$", "") + ".yml";
    }

    static List<SourceDocument> readProperties(String file, byte[] bytes) {
        var files = new BootFiles(file);
        return PropertiesText.documents(file, bytes).stream()
                .map(properties -> files.document(
                        properties.stream()
                                .map(property ->
                                        new Entry(elements(List.of(property.key())), property.value(), property.line()))
                                .toList(),
                        properties.stream()
                                .filter(Property::mistaken)
                                .map(Property::line)
                                .collect(Collectors.toSet())))
                .toList();
    }

    static boolean isBoot(List<List<Entry>> documents) {
        return documents.stream()
                .flatMap(List::stream)
                .anyMatch(entry -> uniform(elements(entry.path()).get(0)).equals(OURS));
    }

    static List<SourceDocument> ofYaml(String file, List<List<Entry>> documents) {
        var files = new BootFiles(file);
        return documents.stream()
                .map(entries -> files.document(
                        entries.stream()
                                .map(entry ->
                                        new Entry(elements(entry.path()), entry.value(), entry.written(), entry.line()))
                                .toList(),
                        Set.of()))
                .toList();
    }

    /** @param mistaken the lines in which Spring Boot saw other characters */
    private SourceDocument document(List<Entry> entries, Set<Integer> mistaken) {
        var document = new DocumentBuilder(output, profile(entries));
        Map<String, List<SourceSetting>> jobs = new LinkedHashMap<>();
        List<SourceSetting> registry = new ArrayList<>();
        int foreign = 0;
        for (Entry entry : entries) {
            List<String> path = entry.path();
            String section = path.size() > 1 ? uniform(path.get(1)) : "";
            if (!uniform(path.get(0)).equals(OURS)) {
                foreign += isCondition(entry) ? 0 : 1;
                noteCondition(entry, document);
                continue;
            }
            if (mistaken.contains(entry.line())) {
                document.remark(new SourceLocation(file, entry.line()), MISTAKEN.formatted(String.join(".", path)));
            }
            if (!entry.value().equals(entry.written())) {
                document.remark(
                        new SourceLocation(file, entry.line()),
                        "\"%s\" is \"%s\" in YAML, unless it is in quotes; so it was in ElasticJob, and is here"
                                .formatted(entry.written(), entry.value()));
            }
            if (section.equals("jobs") && path.size() > 3) {
                jobs.computeIfAbsent(path.get(2), any -> new ArrayList<>())
                        .add(setting(path.subList(3, path.size()), entry));
            } else if (section.equals("regcenter") && path.size() > 2) {
                registry.add(setting(path.subList(2, path.size()), entry));
            } else {
                document.other(setting(path.subList(1, path.size()), entry));
            }
        }
        jobs.forEach((key, settings) -> document.add(job(key, settings, document)));
        if (!registry.isEmpty()) {
            document.add(
                    new SourceRegistry("", Dialect.PROPERTIES_3, registry.get(0).place(), registry));
        }
        if (foreign > 0) {
            document.remark(
                    SourceLocation.of(file),
                    "%d properties don't begin with \"elasticjob.\"; keep them".formatted(foreign));
        }
        return document.build();
    }

    /** Spring Boot drops some characters of a key that is not in brackets. */
    private static SourceJob job(String key, List<SourceSetting> settings, DocumentBuilder document) {
        SourceLocation place = settings.get(0).place();
        String name = inBrackets(key);
        String bound = key.startsWith("[") ? name : name.replaceAll("[^A-Za-z0-9_-]", "");
        if (!bound.equals(name)) {
            document.remark(
                    place,
                    ("without brackets, Spring Boot reads the key \"%s\" as \"%s\", and so did ElasticJob. The job is"
                                    + " \"%s\" here, and its key is in brackets")
                            .formatted(name, bound, name));
        }
        return new SourceJob(name, Dialect.PROPERTIES_3, place, settings);
    }

    private static boolean isCondition(Entry entry) {
        return CONDITION.matcher(uniform(String.join(".", entry.path()))).lookingAt();
    }

    /** A condition that the produced document doesn't have. */
    private void noteCondition(Entry entry, DocumentBuilder document) {
        String key = String.join(".", entry.path()).replace(".[", "[");
        if (isCondition(entry) && !PROFILE.matcher(uniform(key)).matches()) {
            document.lost(new SourceLocation(file, entry.line()), CONDITION_LOST.formatted(key, entry.value()));
        }
    }

    private static Optional<String> profile(List<Entry> entries) {
        List<String> profiles = entries.stream()
                .filter(entry -> PROFILE.matcher(
                                uniform(String.join(".", entry.path()).replace(".[", "[")))
                        .matches())
                .map(Entry::value)
                .toList();
        return profiles.isEmpty() ? Optional.empty() : Optional.of(String.join(",", profiles));
    }

    private SourceSetting setting(List<String> path, Entry entry) {
        String key = path.stream()
                .map(element -> element.matches("\\[\\d+]") ? element : inBrackets(element))
                .collect(Collectors.joining("."));
        return new SourceSetting(key.replace(".[", "["), entry.value(), new SourceLocation(file, entry.line()));
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
