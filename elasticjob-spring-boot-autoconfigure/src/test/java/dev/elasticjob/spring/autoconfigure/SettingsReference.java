package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.json.JsonParserFactory;

/** The page of all settings: from the metadata that editors read, the annotation, and what is stored. */
final class SettingsReference {
    private static final String OF_APPLICATION = "/META-INF/spring-configuration-metadata.json";
    private static final String OF_A_JOB =
            "/META-INF/spring/configuration-metadata/" + ElasticJobProperties.Job.class.getName() + ".json";
    private static final String REGISTRY = "elasticjob.registry.";
    private static final String ALERTS = "elasticjob.alerts.";
    private static final String TRACING = "elasticjob.tracing.";
    private static final String RETRY = "retry.";

    /** Those of the application, by their whole names. */
    List<DescribedProperty> ofApplication() {
        return read(OF_APPLICATION);
    }

    /** Those of one job, by their names below its own: as the rows have them, or else as compiled from the Javadoc. */
    List<DescribedProperty> ofAJob() {
        Map<String, String> javadoc = read(OF_A_JOB).stream()
                .collect(Collectors.toMap(DescribedProperty::name, DescribedProperty::description));
        return JobMetadata.properties().stream()
                .map(property -> property.description().isEmpty()
                        ? property.withDescription(javadoc.getOrDefault(property.name(), ""))
                        : property)
                .toList();
    }

    /** What the annotation has for it, if it has. */
    static Optional<Method> attribute(DescribedProperty setting) {
        String name = setting.camelCase();
        Class<?> annotation = name.startsWith(RETRY) ? ElasticJob.Retry.class : ElasticJob.class;
        String attribute = name.startsWith(RETRY) ? name.substring(RETRY.length()) : name;
        return Stream.of(annotation.getDeclaredMethods())
                .filter(method -> method.getName().equals(attribute))
                .findAny();
    }

    /** The default of the annotation's attribute; empty where its description says what holds. */
    static String standard(Method attribute) {
        Object value = Objects.requireNonNull(attribute.getDefaultValue(), attribute.getName());
        return value.getClass().isArray() && Array.getLength(value) == 0 ? "" : value.toString();
    }

    String page() {
        return """
                # All settings

                This page lists every property of the starter and every setting of a job. Editors with Spring Boot support show the same descriptions. Write durations with a unit, as `500ms`, `20s`, `10m` or `PT1H`; only `0` needs none. [Declaring and configuring jobs](../guide/configuration.md) explains which setting applies if several are given. The page is generated; a test keeps it current.

                ## The application

                %s
                ## The registry

                %s
                ## Alerts

                %s
                ## The event trace

                %s
                ## The Actuator

                %s
                ## A job

                Set these as attributes of `@ElasticJob`, or as properties under `elasticjob.jobs.<name>.`. A property overrides the attribute. The other settings are only properties: most are for script and HTTP jobs, which have no bean. The registry stores the settings as JSON, in the node and under the key shown here. For HTTP jobs, and for jobs without a cron expression, it stores all of them in the node `extension`.

                %s""".formatted(
                        table(setting -> setting.name().startsWith("elasticjob.")
                                && !setting.name().startsWith(REGISTRY)
                                && !setting.name().startsWith(ALERTS)
                                && !setting.name().startsWith(TRACING)),
                        table(setting -> setting.name().startsWith(REGISTRY)),
                        table(setting -> setting.name().startsWith(ALERTS)),
                        table(setting -> setting.name().startsWith(TRACING)),
                        table(setting -> setting.name().startsWith("management.")),
                        jobTable());
    }

    private String table(Predicate<DescribedProperty> shown) {
        return "| property | type | default | description |\n|---|---|---|---|\n"
                + ofApplication().stream()
                        .filter(shown)
                        .map(setting -> "| `%s` | %s | %s | %s |\n"
                                .formatted(setting.name(), setting.kind(), standard(setting), setting.description()))
                        .collect(Collectors.joining());
    }

    private String jobTable() {
        return "| property | in `@ElasticJob` | type | default | stored in | description |\n|---|---|---|---|---|---|\n"
                + ofAJob().stream().map(this::jobRow).collect(Collectors.joining());
    }

    private String jobRow(DescribedProperty setting) {
        return "| `%s` | %s | %s | %s | %s | %s |\n"
                .formatted(
                        setting.name(),
                        attribute(setting)
                                .map(found -> code(setting.camelCase()))
                                .orElse("–"),
                        setting.kind(),
                        standard(setting),
                        StoredKeys.of(setting.camelCase()).orElse("–"),
                        setting.description());
    }

    private static String standard(DescribedProperty setting) {
        return setting.standard().isEmpty() ? "–" : code(setting.standard().replaceAll("\\.0$", ""));
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static List<DescribedProperty> read(String resource) {
        try (InputStream metadata = ElasticJobProperties.class.getResourceAsStream(resource)) {
            String text = new String(Objects.requireNonNull(metadata, resource).readAllBytes(), StandardCharsets.UTF_8);
            List<?> properties =
                    (List<?>) JsonParserFactory.getJsonParser().parseMap(text).get("properties");
            return properties.stream()
                    .map(property -> DescribedProperty.of((Map<?, ?>) property))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
