package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.definition.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.ReflectionUtils;

/**
 * What editors are told about a job's properties, as their rows have it. What a property that has no row means is in its
 * Javadoc: of a part of a group, or of one that says where the job is.
 */
final class JobMetadata {
    /** Read when the properties are compiled. The hints in it are written by hand. */
    static final Path FILE = Path.of(
            "src/main/resources/META-INF/spring/configuration-metadata/additional",
            ElasticJobProperties.Job.class.getName() + ".json");

    private static final String HINTS = "  \"hints\": [";

    /** Without a row: what holds for them where they aren't set. */
    private static final Map<String, Object> FURTHER_STANDARDS = Map.of(
            "enabled", true, "afterOutcome", AfterSettings.NONE.outcome(), "afterWindow", AfterSettings.NONE.window());

    /** As they are where no part of them is set. */
    private static final Map<String, Record> GROUPS =
            Map.of("retry", RetrySettings.NONE, "http", HttpRequestSettings.of(""), "after", AfterSettings.NONE);

    private JobMetadata() {}

    /** In the order of their names. The description is empty if it is in the Javadoc. */
    static List<DescribedProperty> properties() {
        return Stream.of(ElasticJobProperties.Job.class.getRecordComponents())
                .flatMap(
                        component -> component.getType().isRecord() ? parts(component) : Stream.of(property(component)))
                .sorted(Comparator.comparing(DescribedProperty::name))
                .toList();
    }

    static Optional<Setting<?>> row(String name) {
        return JobSettings.ALL.stream().filter(row -> row.name().equals(name)).findAny();
    }

    /** Whether a group is stored with a member of this name. */
    static boolean isPart(String group, String name) {
        return GROUPS.containsKey(group) && component(GROUPS.get(group), name).isPresent();
    }

    private static Stream<DescribedProperty> parts(RecordComponent group) {
        Record standard = GROUPS.get(group.getName());
        return Stream.of(group.getType().getRecordComponents()).map(part -> {
            Method accessor = component(standard, part.getName()).orElseThrow().getAccessor();
            return new DescribedProperty(
                    group.getName() + "." + DescribedProperty.kebab(part.getName()),
                    type(part),
                    shown(ReflectionUtils.invokeMethod(accessor, standard)),
                    "");
        });
    }

    private static Optional<RecordComponent> component(Record settings, String name) {
        return Stream.of(settings.getClass().getRecordComponents())
                .filter(component -> component.getName().equals(name))
                .findAny();
    }

    private static DescribedProperty property(RecordComponent component) {
        String name = component.getName();
        return row(name)
                .map(row -> withStandard(
                        new DescribedProperty(DescribedProperty.kebab(name), type(component), "", row.description()),
                        row.standard()))
                .orElseGet(() -> new DescribedProperty(
                        DescribedProperty.kebab(name),
                        type(component),
                        shown(FURTHER_STANDARDS.getOrDefault(name, "")),
                        ""));
    }

    private static DescribedProperty withStandard(DescribedProperty property, Object standard) {
        return property.saysWhatHoldsByDefault() ? property : property.withStandard(shown(standard));
    }

    private static String type(RecordComponent component) {
        return component.getGenericType().getTypeName().replace(" ", "");
    }

    /** As people write it. Empty for an empty list or map. */
    private static String shown(Object value) {
        if (value instanceof Duration duration) {
            return Stream.of(ChronoUnit.HOURS, ChronoUnit.MINUTES)
                    .filter(unit -> duration.toSeconds() % unit.getDuration().toSeconds() == 0
                            && duration.compareTo(unit.getDuration()) > 0)
                    .map(unit -> duration.toSeconds() / unit.getDuration().toSeconds()
                            + unit.name().substring(0, 1).toLowerCase(Locale.ROOT))
                    .findFirst()
                    .orElseGet(() -> duration.toSeconds() + "s");
        }
        boolean none = value instanceof List || value instanceof Map;
        return none
                ? ""
                : value instanceof Enum<?> constant ? constant.name().toLowerCase(Locale.ROOT) : value.toString();
    }

    // ------------------------------------------------------------------ as a file

    /** With the hints of the present file. */
    static String file() {
        try {
            String present = Files.readString(FILE);
            String entries = properties().stream()
                    .map(JobMetadata::entry)
                    .filter(entry -> !entry.isEmpty())
                    .collect(Collectors.joining(",\n"));
            return "{\n  \"properties\": [\n" + entries + "\n  ],\n" + present.substring(present.indexOf(HINTS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String entry(DescribedProperty property) {
        String standard = property.type().matches("java\\.lang\\.(Boolean|Integer|Double)")
                ? property.standard()
                : quoted(property.standard());
        String members = Stream.of(
                        member("name", quoted(property.name())),
                        member("type", quoted(property.type())),
                        property.description().isEmpty() ? "" : member("description", quoted(property.description())),
                        property.standard().isEmpty() ? "" : member("defaultValue", standard))
                .filter(member -> !member.isEmpty())
                .collect(Collectors.joining(",\n"));
        boolean saysNothing =
                property.description().isEmpty() && property.standard().isEmpty();
        return saysNothing ? "" : "    {\n" + members + "\n    }";
    }

    private static String member(String name, String value) {
        return "      \"%s\": %s".formatted(name, value);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
