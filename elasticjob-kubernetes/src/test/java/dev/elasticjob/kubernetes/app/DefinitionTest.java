package dev.elasticjob.kubernetes.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.elasticjob.kubernetes.app.SpecField.ValueType;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The custom resource definition says what the check checks. */
class DefinitionTest {
    private static final CelCompiler COMPILED = CelCompilerFactory.standardCelCompilerBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("self", SimpleType.DYN)
            .build();
    private static final CelRuntime EVALUATED =
            CelRuntimeFactory.standardCelRuntimeBuilder().build();

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

    /** As the API server does it: with the defaults filled in, and all other rules kept. */
    @Test
    void itsRulesRefuseWhatTheCheckRefuses() throws Exception {
        List<Rule> ofRoot = Rule.of(root);
        List<Rule> ofPools = Rule.of(spec.getProperties().get("pools"));
        List<Rule> ofPool = Rule.of(pool);
        var check = new ElasticAppCheck(new KubernetesSerialization());
        var random = new Random(1);
        var faults = new TreeSet<String>();
        for (int i = 0; i < 2_000; i++) {
            String name = "a".repeat(random.nextInt(30, 50));
            List<Map<String, Object>> pools = pools(random);
            var written = Map.of(
                    "pools",
                    pools,
                    "template",
                    Map.of("spec", Map.of("containers", List.of(Map.of("name", "app", "image", "shop:1.4")))));

            List<String> found = check.check(name, written).faults();
            pools.forEach(one -> SpecField.OF_POOL.forEach(field -> field.fallback()
                    .ifPresent(value -> one.putIfAbsent(
                            field.name(), value instanceof Integer number ? Long.valueOf(number) : value))));
            List<String> refusals = new ArrayList<>();
            refusals.addAll(refusals(ofRoot, Map.of("metadata", Map.of("name", name))));
            refusals.addAll(refusals(ofPools, pools));
            for (Map<String, Object> one : pools) {
                refusals.addAll(refusals(ofPool, one));
            }

            assertThat(refusals.stream().map(DefinitionTest::beginning))
                    .as("%s: %s", name, pools)
                    .containsExactlyInAnyOrderElementsOf(found.stream()
                            .map(fault -> beginning(fault.replaceFirst("^spec.pools\\[\\d+]\\W+", "")))
                            .toList());
            faults.addAll(refusals);
        }
        assertThat(faults)
                .as("each rule refuses something")
                .hasSize(6)
                .hasSize(ofRoot.size() + ofPools.size() + ofPool.size());
        assertThat(spec.getProperties().get("pools").getXKubernetesListMapKeys())
                .containsExactly("name");
    }

    /** Each with a name of its own. */
    private static List<Map<String, Object>> pools(Random random) {
        List<Map<String, Object>> pools = new ArrayList<>();
        for (int number = 0; number < random.nextInt(1, 4); number++) {
            Map<String, Object> pool = new HashMap<>();
            pool.put("name", "pool" + number);
            pool.put("maxWorkers", random.nextLong(1, 4));
            if (random.nextBoolean()) {
                pool.put("jobs", random.nextInt(4) == 0 ? List.of() : List.of("job-" + number));
            }
            draw(random, pool, "baseWorkers", random.nextLong(4));
            draw(random, pool, "freshWorkers", random.nextBoolean());
            draw(random, pool, "startAhead", List.of("0s", "900ms", "1s", "2m").get(random.nextInt(4)));
            draw(random, pool, "idleAfter", List.of("0ms", "1s", "60s", "1h").get(random.nextInt(4)));
            draw(random, pool, "startTimeout", List.of("0h", "1s", "5m").get(random.nextInt(3)));
            pools.add(pool);
        }
        return pools;
    }

    private static void draw(Random random, Map<String, Object> pool, String field, Object value) {
        if (random.nextBoolean()) {
            pool.put(field, value);
        }
    }

    private record Rule(CelRuntime.Program program, String message) {
        static List<Rule> of(JSONSchemaProps schema) throws Exception {
            List<Rule> rules = new ArrayList<>();
            for (ValidationRule rule : schema.getXKubernetesValidations()) {
                rules.add(new Rule(
                        EVALUATED.createProgram(COMPILED.compile(rule.getRule()).getAst()), rule.getMessage()));
            }
            return rules;
        }
    }

    private static List<String> refusals(List<Rule> rules, Object self) throws Exception {
        List<String> refusals = new ArrayList<>();
        for (Rule rule : rules) {
            if (rule.program.eval(Map.of("self", self)).equals(false)) {
                refusals.add(rule.message);
            }
        }
        return refusals;
    }

    /** Without what is found, which a message of the definition can't say. */
    private static String beginning(String message) {
        return message.split("[,;.] ", 2)[0];
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
