package dev.elasticjob.kubernetes.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.kubernetes.app.SpecField.ValueType;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The custom resource definition says what the check checks. */
class DefinitionTest {
    private final CustomResourceDefinition definition = read();
    private final JSONSchemaProps root =
            definition.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();
    private final JSONSchemaProps spec = root.getProperties().get("spec");
    private final JSONSchemaProps pool =
            spec.getProperties().get("pools").getItems().getSchema();

    @Test
    void itsFieldsOfAnAppAreThoseOfTheCheck() {
        compare(spec, SpecField.OF_APP);
    }

    @Test
    void itsFieldsOfAPoolAreThoseOfTheCheck() {
        compare(pool, SpecField.OF_POOL);
    }

    @Test
    void itsRulesAreThoseOfTheCheck() {
        assertThat(root.getXKubernetesValidations())
                .singleElement()
                .matches(rule -> rule.getRule().equals("size(self.metadata.name) <= " + SpecField.LONGEST_APP_NAME));
        assertThat(pool.getXKubernetesValidations()).hasSize(4);
        assertThat(spec.getProperties().get("pools").getXKubernetesValidations())
                .hasSize(1);
        assertThat(spec.getProperties().get("pools").getXKubernetesListMapKeys())
                .containsExactly("name");
    }

    @Test
    void theLongestNamesOfWorkersAreLabels() {
        int longest = SpecField.LONGEST_APP_NAME
                + 1
                + length(SpecField.OF_POOL, "name")
                + 1
                + "998".length()
                + 1
                + "99999".length();

        assertThat(longest).isLessThanOrEqualTo(63);
    }

    private static int length(List<SpecField> fields, String name) {
        return (int) fields.stream()
                .filter(field -> field.name().equals(name))
                .findFirst()
                .orElseThrow()
                .max();
    }

    private static void compare(JSONSchemaProps schema, List<SpecField> fields) {
        Map<String, JSONSchemaProps> properties = schema.getProperties();
        assertThat(properties.keySet())
                .containsExactlyElementsOf(fields.stream().map(SpecField::name).toList());
        assertThat(schema.getRequired())
                .containsExactlyElementsOf(fields.stream()
                        .filter(SpecField::required)
                        .map(SpecField::name)
                        .toList());
        fields.forEach(field -> compare(properties.get(field.name()), field));
    }

    private static void compare(JSONSchemaProps found, SpecField field) {
        assertThat(found.getType()).as(field.name()).isEqualTo(type(field.type()));
        assertThat(found.getDefault() == null ? null : found.getDefault().asString())
                .as(field.name())
                .isEqualTo(field.fallback().map(String::valueOf).orElse(null));
        JSONSchemaProps text =
                field.type() == ValueType.TEXTS ? found.getItems().getSchema() : found;
        assertThat(text.getPattern() == null ? "" : text.getPattern())
                .as(field.name())
                .isEqualTo(field.pattern());
        switch (field.type()) {
            case INTEGER -> limits(found.getMinimum(), found.getMaximum(), field);
            case TEXT -> limits(found.getMinLength(), found.getMaxLength(), field);
            case TEXTS, OBJECTS ->
                limits(found.getMinItems() == null ? Long.valueOf(0) : found.getMinItems(), found.getMaxItems(), field);
            case SWITCH, OBJECT -> assertThat(field.max()).isZero();
        }
    }

    private static void limits(Number min, Number max, SpecField field) {
        assertThat(min.longValue()).as(field.name()).isEqualTo(field.min());
        assertThat(max.longValue()).as(field.name()).isEqualTo(field.max());
    }

    private static String type(ValueType type) {
        return switch (type) {
            case TEXT -> "string";
            case INTEGER -> "integer";
            case SWITCH -> "boolean";
            case TEXTS, OBJECTS -> "array";
            case OBJECT -> "object";
        };
    }

    private static CustomResourceDefinition read() {
        try {
            return new KubernetesSerialization()
                    .unmarshal(Files.readString(Path.of("deploy", "crd.yaml")), CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
