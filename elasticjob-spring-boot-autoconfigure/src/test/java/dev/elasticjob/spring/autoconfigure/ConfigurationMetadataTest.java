package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.DefinitionNames;
import dev.elasticjob.spring.alert.AlertAutoConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

/** What the jar tells editors about properties, and Spring Boot about auto-configurations. */
class ConfigurationMetadataTest {
    private static final String OF_APPLICATION = "META-INF/spring-configuration-metadata.json";
    private static final String OF_A_JOB =
            "META-INF/spring/configuration-metadata/dev.elasticjob.spring.autoconfigure.ElasticJobProperties$Job.json";
    private static final Set<String> ALERTS = Set.of("EMAIL", "WEBHOOK", "SLACK", "DINGTALK", "WECHAT", "FEISHU");

    @ParameterizedTest
    @ValueSource(strings = {OF_APPLICATION, OF_A_JOB})
    void everyPropertyHasATypeAndADescription(String file) throws IOException {
        assertThat(parts(file, "properties")).isNotEmpty().allSatisfy(property -> {
            assertThat(property.get("type")).as("type of %s", property).isNotNull();
            assertThat(property.get("description"))
                    .asString()
                    .as("description of %s", property)
                    .endsWith(".");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_APPLICATION, OF_A_JOB})
    void everyHintIsForAProperty(String file) throws IOException {
        Set<String> properties = parts(file, "properties").stream()
                .map(one -> (String) one.get("name"))
                .collect(Collectors.toSet());

        assertThat(parts(file, "hints"))
                .isNotEmpty()
                .extracting(hint -> hint.get("name"))
                .allSatisfy(name -> assertThat(properties).contains((String) name));
    }

    @ParameterizedTest
    @ValueSource(strings = {OF_APPLICATION, OF_A_JOB})
    void everyValueOfAnEnumIsExplained(String file) throws IOException, ClassNotFoundException {
        Map<String, Set<String>> explained = hints(file);

        for (Map<?, ?> property : parts(file, "properties")) {
            String type = ((String) property.get("type")).replaceAll("<.*", "");
            String name = (String) property.get("name");
            Class<?> present = ClassUtils.forName(type, null);
            if (present.isEnum() && !present.getName().startsWith("org.springframework.")) {
                Set<String> constants = Arrays.stream(present.getEnumConstants())
                        .map(constant ->
                                constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .filter(constant -> !name.equals("job-type")
                                || Set.of("script", "http").contains(constant))
                        .collect(Collectors.toSet());
                assertThat(explained.get(name)).as("hint for \"%s\"", name).isEqualTo(constants);
            }
        }
    }

    /** Where the description says what holds by default, there is none. */
    @Test
    void everyDefaultOfAJobIsTheOneThatHolds() throws IOException {
        Map<String, String> others = Map.of(
                "enabled",
                "true",
                "http.method",
                HttpRequestSettings.DEFAULT_METHOD,
                "http.connect-timeout",
                HttpRequestSettings.DEFAULT_CONNECT_TIMEOUT.toSeconds() + "s",
                "http.response-timeout",
                HttpRequestSettings.DEFAULT_RESPONSE_TIMEOUT.toSeconds() + "s");

        assertThat(parts(OF_A_JOB, "properties")).isNotEmpty().allSatisfy(property -> {
            String name = (String) property.get("name");
            String holds = SettingsReference.attribute(DescribedProperty.of(property))
                    .map(SettingsReference::standard)
                    .orElseGet(() -> others.getOrDefault(name, ""))
                    .replaceAll("\\.0$", "");
            Object value = property.get("defaultValue");
            assertThat(value == null ? "" : value.toString())
                    .as("default of \"%s\"; it stands in additional/…ElasticJobProperties$Job.json", name)
                    .isEqualToIgnoringCase(holds);
            assertThat(value == null || property.get("type").equals("java.lang.Boolean") == value instanceof Boolean)
                    .as("type of the default of \"%s\"", name)
                    .isTrue();
        });
    }

    @Test
    void strategiesAndErrorHandlersAreAllProposed() throws IOException {
        Map<String, Set<String>> proposed = hints(OF_A_JOB);

        assertThat(proposed.get("job-sharding-strategy-class"))
                .allSatisfy(name -> assertThat(DefinitionNames.unknownStrategy(name, List.of()))
                        .isEmpty())
                .containsAll(names(DefinitionNames.unknownStrategy("?", List.of())
                        .orElseThrow()
                        .expected()));
        assertThat(proposed.get("job-exception-handler"))
                .allSatisfy(name -> assertThat(DefinitionNames.unknownErrorHandler(name, ALERTS))
                        .isEmpty())
                .containsAll(ALERTS)
                .containsAll(names(DefinitionNames.unknownErrorHandler("?", List.of())
                        .orElseThrow()
                        .expected()));
    }

    @Test
    void proposedCronExpressionsAreValid() throws IOException {
        assertThat(hints(OF_A_JOB).get("cron"))
                .contains("-")
                .allSatisfy(cron -> JobDefinition.builder("orders")
                        .cron(cron.equals("-") ? "" : cron)
                        .build());
    }

    @Test
    void conditionsOfAllAutoConfigurationsAreInOneFile() throws IOException {
        var conditions = new Properties();
        try (InputStream file = resource("META-INF/spring-autoconfigure-metadata.properties")) {
            conditions.load(file);
        }

        List<String> ours = Stream.of(ImportCandidates.load(
                                AutoConfiguration.class, getClass().getClassLoader())
                        .getCandidates()
                        .toArray(String[]::new))
                .filter(name -> name.startsWith("dev.elasticjob."))
                .toList();
        assertThat(ours)
                .hasSizeGreaterThan(5)
                .allSatisfy(name -> assertThat(conditions).containsKey(name));
        assertThat(conditions).containsKey(AlertAutoConfiguration.class.getName());
    }

    private static Set<String> names(String expected) {
        return Stream.of(expected.replaceAll(".*expected one of ([A-Z_, ]+),.*", "$1")
                        .split(", "))
                .collect(Collectors.toSet());
    }

    private static Map<String, Set<String>> hints(String file) throws IOException {
        Map<String, Set<String>> hints = new TreeMap<>();
        for (Map<?, ?> hint : parts(file, "hints")) {
            List<?> values = hint.get("values") instanceof List<?> given ? given : List.of();
            hints.put(
                    (String) hint.get("name"),
                    values.stream()
                            .map(value -> ((Map<?, ?>) value).get("value").toString())
                            .collect(Collectors.toCollection(TreeSet::new)));
        }
        return hints;
    }

    private static List<Map<?, ?>> parts(String file, String part) throws IOException {
        try (InputStream metadata = resource(file)) {
            String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
            List<?> parts =
                    (List<?>) JsonParserFactory.getJsonParser().parseMap(text).get(part);
            return parts.stream().<Map<?, ?>>map(one -> (Map<?, ?>) one).toList();
        }
    }

    /** Of our own jar: others have files of these names too. */
    private static InputStream resource(String name) throws IOException {
        String root = ElasticJobProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        for (var found :
                Collections.list(ElasticJobProperties.class.getClassLoader().getResources(name))) {
            if (found.toString().contains(root)) {
                return found.openStream();
            }
        }
        return Objects.requireNonNull(null, name);
    }
}
