package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.migration.source.UnreadableSourceException;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.PropertySourcesPropertyResolver;
import org.springframework.core.io.ByteArrayResource;

/**
 * Sources in many shapes: each value is what Spring Boot binds from the produced file, or the report names it. Nothing else
 * is produced. With {@code -Dmigration.draws}, as many sources of each format.
 */
class NothingIsLostTest {
    private static final Map<String, Object> ENVIRONMENT =
            Map.of("x", "behind", "n", "7", "flag", "true", "cron", "0 0 5 * * ?");

    private static final Map<String, String> DEFAULTS = Map.of(
            "failover", "false",
            "misfire", "true",
            "monitor-execution", "true",
            "overwrite", "false",
            "disabled", "false",
            "max-time-diff-seconds", "-1");

    enum Format {
        XML_2,
        XML_3,
        PROPERTIES,
        YAML,
        JSON_OF_2,
        YAML_OF_3;

        boolean isBoot() {
            return this == PROPERTIES || this == YAML;
        }

        boolean isStored() {
            return this == JSON_OF_2 || this == YAML_OF_3;
        }

        boolean hasProperties() {
            return isBoot() || this == XML_3;
        }
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void everyValueIsInTheOutputOrNamed(Format format) throws IOException {
        for (long seed = 0; seed < Long.getLong("migration.draws", 300); seed++) {
            DrawnJob job = DrawnJob.draw(new Random(seed));
            if (format.isBoot() || format.isStored() || job.fitsXml()) {
                check(job, format, new Random(seed), "seed %d, %s".formatted(seed, format));
            }
        }
    }

    private void check(DrawnJob job, Format format, Random random, String description) throws IOException {
        var migration = new MigrationFixture(folder);
        String text = write(job, format, random, migration);
        MigrationResult result;
        try {
            result = migration.convert();
        } catch (UnreadableSourceException e) {
            assertThat(e).as(description + "\n" + text).hasMessageContaining(folder.toString());
            return;
        }
        String about = description + "\n" + text + "\n"
                + result.files().stream()
                        .map(file -> file.name() + "\n" + file.text())
                        .collect(Collectors.joining("\n"));
        Map<String, ElasticJobProperties.Job> bound = bound(yaml(result));
        if (bound.isEmpty()) {
            assertThat(result.isComplete()).as(about).isFalse();
            return;
        }
        assertThat(bound.keySet()).as(about).containsExactly(job.name());
        Map<String, String> produced = settings(bound.get(job.name()));
        Map<String, String> given = given(job, format, text);
        given.forEach((key, value) -> {
            String here = key.replaceFirst("^props\\.", "job-properties.");
            boolean carried = same(value, produced.getOrDefault(here, defaultOf(here, format)));
            assertThat(carried || isNamed(key, value, result))
                    .as("\"%s\" is \"%s\" in the source, and \"%s\" here; %s", key, value, produced.get(here), about)
                    .isTrue();
        });
        produced.keySet().stream()
                .filter(key -> !given.containsKey(key.replaceFirst("^job-properties\\.", "props.")))
                .forEach(key -> assertThat(isNamed(key, key, result))
                        .as("\"%s\" is not in the source; %s", key, about)
                        .isTrue());
    }

    private static String write(DrawnJob job, Format format, Random random, MigrationFixture migration)
            throws IOException {
        return switch (format) {
            case XML_2 -> xml(job.xml("job:simple", "class=\"a.Job\"", false), migration::xml2);
            case XML_3 -> xml(job.xml("elasticjob:job", "job-ref=\"job\"", true), migration::xml3);
            case PROPERTIES -> source("application.properties", job.properties(random), migration);
            case YAML -> source("application.yml", "elasticjob:\n  jobs:\n" + job.yaml(random), migration);
            case JSON_OF_2 -> source("job.json", job.json(), migration);
            case YAML_OF_3 -> source("job.yaml", job.yaml3(), migration);
        };
    }

    private interface Xml {
        void add(String elements) throws IOException;
    }

    private static String xml(String element, Xml migration) throws IOException {
        migration.add(element);
        return element;
    }

    private static String source(String name, String text, MigrationFixture migration) throws IOException {
        migration.source(name, text);
        return text;
    }

    /** What Elastic-Job had: in Spring Boot's files, what Spring Boot reads there. */
    private static Map<String, String> given(DrawnJob job, Format format, String text) throws IOException {
        Map<String, String> given = new LinkedHashMap<>();
        if (!format.isBoot()) {
            job.settings().forEach((key, value) -> {
                if (format.hasProperties() || !key.startsWith("props.")) {
                    given.put(
                            key,
                            format.isStored() ? value : resolved(key.startsWith("props.") ? value.strip() : value));
                }
            });
            return given;
        }
        PropertySourceLoader loader =
                format == Format.YAML ? new YamlPropertySourceLoader() : new PropertiesPropertySourceLoader();
        Map<?, ?> source = (Map<?, ?>) load(loader, text).get(0).getSource();
        job.settings().keySet().forEach(key -> {
            String suffix = key.startsWith("props.") ? "props[" + key.substring(6) + "]" : key;
            source.forEach((written, value) -> {
                if (written.toString().endsWith("." + suffix)) {
                    given.put(key, resolved(value.toString()));
                }
            });
        });
        return given;
    }

    private static List<PropertySource<?>> load(PropertySourceLoader loader, String text) throws IOException {
        return loader.load("test", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String yaml(MigrationResult result) {
        return result.files().get(0).text();
    }

    /** As the application binds it. */
    private static Map<String, ElasticJobProperties.Job> bound(String yaml) throws IOException {
        var sources = new MutablePropertySources();
        load(new YamlPropertySourceLoader(), yaml).forEach(sources::addLast);
        sources.addLast(new MapPropertySource("environment", ENVIRONMENT));
        return new Binder(ConfigurationPropertySources.from(sources), new PropertySourcesPlaceholdersResolver(sources))
                .bind("elasticjob.jobs", Bindable.mapOf(String.class, ElasticJobProperties.Job.class))
                .orElse(Map.of());
    }

    private static String resolved(String text) {
        var sources = new MutablePropertySources();
        sources.addLast(new MapPropertySource("environment", ENVIRONMENT));
        return new PropertySourcesPropertyResolver(sources).resolvePlaceholders(text);
    }

    /** By the property's name, without those that are missing. */
    private static Map<String, String> settings(ElasticJobProperties.Job job) {
        Map<String, String> settings = new TreeMap<>();
        for (RecordComponent component : ElasticJobProperties.Job.class.getRecordComponents()) {
            String name = component.getName().replaceAll("[A-Z]", "-$0").toLowerCase(Locale.ROOT);
            Object value = valueOf(component, job);
            if (value instanceof Map<?, ?> properties) {
                properties.forEach((key, text) -> settings.put(name + "." + key, String.valueOf(text)));
            } else if (value != null) {
                settings.put(name, value.toString());
            }
        }
        return settings;
    }

    private static Object valueOf(RecordComponent component, ElasticJobProperties.Job job) {
        try {
            return component.getAccessor().invoke(job);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A program stores defaults too, which are not repeated. */
    private static String defaultOf(String key, Format format) {
        return format.isStored() ? DEFAULTS.getOrDefault(key, "") : "";
    }

    private static boolean same(String given, String here) {
        return given.equals(here) || isNumberOrFlag(given) && plain(given).equals(plain(here));
    }

    private static boolean isNumberOrFlag(String text) {
        return text.strip().matches("-?\\d+|true|false|yes|no|on|off");
    }

    private static String plain(String text) {
        return text.strip()
                .replaceFirst("^0+(?=\\d)", "")
                .replaceFirst("^(yes|on)$", "true")
                .replaceFirst("^(no|off)$", "false");
    }

    private static boolean isNamed(String key, String value, MigrationResult result) {
        String last = key.substring(key.indexOf('.') + 1);
        return result.findings().stream()
                .map(finding -> finding.setting().orElse("") + " " + finding.reason())
                .anyMatch(text -> text.contains(last) || camelless(text).contains(camelless(last)));
    }

    private static String camelless(String text) {
        return text.replace("-", "").toLowerCase(Locale.ROOT);
    }
}
