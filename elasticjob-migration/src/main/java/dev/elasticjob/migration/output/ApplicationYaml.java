package dev.elasticjob.migration.output;

import dev.elasticjob.migration.conversion.ConvertedDocument;
import dev.elasticjob.migration.conversion.ConvertedJob;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Represent;
import org.yaml.snakeyaml.representer.Representer;

/** The text of an {@code application.yml}: one YAML document for each converted one. */
public final class ApplicationYaml {
    private static final String HEADER = """
            # Converted by elasticjob-migration. Copy it into your configuration, and read report.txt.
            """;

    private final SettingsPlacement placement;
    private final Set<String> alike;

    private ApplicationYaml(List<ConvertedDocument> documents, SettingsPlacement placement) {
        this.placement = placement;
        this.alike = documents.stream()
                .flatMap(document -> document.jobs().stream())
                .map(ConvertedJob::name)
                .distinct()
                .collect(Collectors.groupingBy(ApplicationYaml::uniform))
                .values()
                .stream()
                .filter(names -> names.size() > 1)
                .flatMap(List::stream)
                .collect(Collectors.toSet());
    }

    /** @param documents those of the same file */
    public static String text(List<ConvertedDocument> documents, SettingsPlacement placement) {
        var yaml = new ApplicationYaml(documents, placement);
        return documents.stream()
                .map(yaml::tree)
                .filter(tree -> !tree.isEmpty())
                .map(ApplicationYaml::dump)
                .collect(Collectors.joining("---\n", HEADER, ""));
    }

    private Map<String, Object> tree(ConvertedDocument document) {
        Map<String, Object> ours = new LinkedHashMap<>();
        document.settings().forEach((property, value) -> put(ours, property, value));
        Map<String, Object> jobs = new LinkedHashMap<>();
        for (ConvertedJob job : document.jobs()) {
            Map<String, Object> settings = new LinkedHashMap<>();
            job.settings().forEach((property, value) -> {
                if (!isInAnnotation(document, job, property, value)) {
                    put(settings, property, value);
                }
            });
            if (!settings.isEmpty()) {
                jobs.put(key(job.name()), settings);
            }
        }
        if (!jobs.isEmpty()) {
            ours.put("jobs", jobs);
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        if (!ours.isEmpty()) {
            document.profile().ifPresent(profile -> put(tree, "spring.config.activate.on-profile", profile));
            tree.put("elasticjob", ours);
        }
        return tree;
    }

    private boolean isInAnnotation(ConvertedDocument document, ConvertedJob job, String property, Object value) {
        return placement == SettingsPlacement.ANNOTATIONS
                && JavaText.isAnnotated(document, job)
                && Annotation.canHold(property, value);
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> tree, String property, Object value) {
        int bracket = property.indexOf(".[");
        int dot = bracket >= 0 ? bracket : property.indexOf('.');
        boolean key = property.startsWith("[");
        if (dot < 0 || key) {
            tree.put(
                    key && property.matches("\\[[a-z0-9-]+]") ? property.substring(1, property.length() - 1) : property,
                    value);
            return;
        }
        var inner =
                (Map<String, Object>) tree.computeIfAbsent(property.substring(0, dot), any -> new LinkedHashMap<>());
        put(inner, property.substring(dot + 1), value);
    }

    private String key(String job) {
        return job.matches("[a-z0-9-]+") && !alike.contains(job) ? job : "[" + job + "]";
    }

    private static String uniform(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    static String dump(Map<String, Object> tree) {
        var options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setSplitLines(false);
        options.setAllowUnicode(true);
        return new Yaml(new Texts(options), options).dump(tree);
    }

    /** Writes each text as one: SnakeYAML makes binary data of a control character, which Spring Boot can't bind. */
    private static final class Texts extends Representer {
        private static final Pattern TO_ESCAPE =
                Pattern.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff\\p{Cs}]");

        Texts(DumperOptions options) {
            super(options);
            Represent others = Objects.requireNonNull(representers.get(String.class));
            representers.put(
                    String.class,
                    text -> TO_ESCAPE.matcher(text.toString()).find()
                            ? representScalar(Tag.STR, text.toString(), DumperOptions.ScalarStyle.DOUBLE_QUOTED)
                            : others.representData(text));
        }
    }
}
