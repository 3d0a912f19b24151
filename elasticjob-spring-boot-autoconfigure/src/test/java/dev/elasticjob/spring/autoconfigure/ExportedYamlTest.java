package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/** What is exported as YAML is the same definition, where an application declares it. */
class ExportedYamlTest {
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    @ParameterizedTest
    @MethodSource("dev.elasticjob.spring.autoconfigure.EverySettingTest#properties")
    void eachSettingComesBack(String setting) {
        JobDefinition job = EverySettingTest.sample(setting);

        assertThat(declaredBy(CODEC.yaml(job), job)).isEqualTo(withoutSecrets(job));
    }

    /** Nobody is shown the body and the headers of a request. */
    private static JobDefinition withoutSecrets(JobDefinition job) {
        return job.http()
                .map(http -> job.toBuilder()
                        .http(http.withBody(http.method(), "", http.contentType())
                                .withHeaders(Map.of()))
                        .build())
                .orElse(job);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "每日订单",
                "com.acme.Orders",
                "say \"hi\"",
                "a: b # c",
                "[x]",
                "true",
                "2024",
                "Orders_EU",
                "O'Brien & Sons",
                "- x",
                "*",
                "{a}",
                "--"
            })
    void theJobIsFoundWhateverItsName(String name) {
        JobDefinition job =
                JobDefinition.builder(name).cron("0 0 4 * * ?").failover(true).build();

        assertThat(declaredBy(CODEC.yaml(job), job)).isEqualTo(job);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "costs: 5 # no comment",
                "${user.home} and \\${x} and ${",
                "${a ${b} {c}",
                "${a:${b}}",
                "#{systemProperties}",
                "C:\\temp\\",
                " spaces ",
                "two\nlines\tand\r\na bell\u0007",
                "\u2028\ufeff\u0085",
                "'single' \"double\"",
                "yes",
                "NO",
                "null",
                "~",
                "0x1F",
                "1_000",
                "2026-12-24",
                "1:30",
                ".inf",
                "12e3",
                "- list",
                "[a, b]",
                "!!str x",
                "&anchor",
                "北京，上海",
                "日报🙂"
            })
    void aValueIsATextWhateverItLooksLike(String value) {
        JobDefinition job = JobDefinition.builder("orders")
                .cron("0 0 4 * * ?")
                .description(value)
                .jobParameter(value)
                .jobProperties(Map.of("table", value, "a.b", value, "My_Key", value, "键", value, "true", value))
                .build();

        assertThat(declaredBy(CODEC.yaml(job), job)).isEqualTo(job);
    }

    @Test
    void theZoneOfAJvmIsNoDefaultElsewhere() {
        JobDefinition job = JobDefinition.builder("orders")
                .cron("0 0 4 * * ?")
                .timeZone(ZoneId.systemDefault())
                .build();

        assertThat(CODEC.yaml(job)).contains("time-zone: ");
    }

    @Test
    void handlersAndMapsComeBackTogether() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("empty", "");
        properties.put("2024", "x");
        JobDefinition job = JobDefinition.builder("orders")
                .cron("0 0 4 * * ?")
                .jobProperties(properties)
                .jobExceptionHandler("THROW")
                .executorServiceHandler("own")
                .build();

        assertThat(declaredBy(CODEC.yaml(job), job)).isEqualTo(job);
    }

    /** A mask is no value: what a reader may not see is not declared. */
    @Test
    void whatIsMaskedIsNotDeclared() {
        JobDefinition job = JobDefinition.builder("orders")
                .cron("0 0 4 * * ?")
                .jobParameter("hunter2")
                .jobProperties(Map.of("password", "hunter2"))
                .build();

        assertThat(declaredBy(CODEC.yaml(job), job))
                .isEqualTo(job.toBuilder().jobProperties(Map.of()).build());
        assertThat(declaredBy(CODEC.yamlWithoutParameters(job), job))
                .isEqualTo(
                        job.toBuilder().jobProperties(Map.of()).jobParameter("").build());
    }

    private static JobDefinition declaredBy(String yaml, JobDefinition original) {
        var environment = new StandardEnvironment();
        try {
            new YamlPropertySourceLoader()
                    .load("exported", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                    .forEach(environment.getPropertySources()::addFirst);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JobProperties properties = new JobProperties(environment);
        assertThat(properties.keysBeside(Set.of(original.jobName()))).isEmpty();
        ElasticJob annotation =
                AnnotationUtils.synthesizeAnnotation(Map.of("name", original.jobName()), ElasticJob.class, null);
        var merge = new DefinitionMerge(
                Declared.byAnnotation("bean", original.jobName(), annotation, "a test"),
                properties.of(original.jobName()),
                text -> text,
                KnownNames.ANY,
                new Calendars(Map.of(), Map.of(), LocalDate.EPOCH));
        return merge.definition(original.jobType(), original.jobClass())
                .orElseThrow(() -> new AssertionError("%s in%n%s".formatted(merge.violations(), yaml)));
    }
}
