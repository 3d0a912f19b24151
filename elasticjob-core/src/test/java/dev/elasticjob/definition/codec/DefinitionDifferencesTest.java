package dev.elasticjob.definition.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.RetrySettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefinitionDifferencesTest {
    private static final JobDefinition ORDERS =
            JobDefinition.builder("orders").cron("0 0 9 * * ?").build();
    private static final HttpRequestSettings SECRET = HttpRequestSettings.of("https://billing.example.com/close-day")
            .withBody("POST", "pin=4711", "text/plain")
            .withHeaders(Map.of("Authorization", "Bearer s3cret"));

    @Test
    void differencesNameTheSettingAndBothValues() {
        JobDefinition registry =
                ORDERS.toBuilder().cron("0 0 8 * * ?").shardingTotalCount(4).build();

        assertThat(DefinitionDifferences.between(registry, ORDERS))
                .isEqualTo(List.of(
                        "cron: \"0 0 8 * * ?\" in the registry, \"0 0 9 * * ?\" here",
                        "shardingTotalCount: \"4\" in the registry, \"1\" here"));
        assertThat(DefinitionDifferences.between(ORDERS, ORDERS)).isEmpty();
    }

    @Test
    void durationsThatDifferAreShownAsOneMayWriteThem() {
        JobDefinition minute = ORDERS.toBuilder()
                .timeout(Duration.ofSeconds(60))
                .retry(RetrySettings.of(3, Duration.ofMillis(1_500)))
                .build();

        assertThat(DefinitionDifferences.between(minute, ORDERS))
                .anySatisfy(line -> assertThat(line).isEqualTo("timeout: \"1m\" in the registry, \"0s\" here"))
                .anySatisfy(line -> assertThat(line).startsWith("retry:").contains("delay=1500ms"));
        assertThat(DefinitionDifferences.between(
                        minute.toBuilder().timeout(Duration.ofMillis(60_500)).build(), minute))
                .containsExactly("timeout: \"60500ms\" in the registry, \"1m\" here");
    }

    @Test
    void aDifferenceOfSecretsIsReportedWithoutThem() {
        JobDefinition here = job().jobType(JobType.HTTP).http(SECRET).build();
        JobDefinition there = job().jobType(JobType.HTTP)
                .http(SECRET.withBody("PUT", "pin=1234", "text/plain")
                        .withHeaders(Map.of("Authorization", "Bearer old")))
                .build();

        assertThat(DefinitionDifferences.between(there, here))
                .anySatisfy(line -> assertThat(line).isEqualTo("http.method: \"PUT\" in the registry, \"POST\" here"))
                .anySatisfy(line -> assertThat(line).startsWith("http.body"))
                .anySatisfy(line -> assertThat(line).startsWith("http.headers"))
                .hasSize(3);
        assertThat(String.join("", DefinitionDifferences.between(there, here)))
                .doesNotContain("s3cret")
                .doesNotContain("Bearer")
                .doesNotContain("4711")
                .doesNotContain("1234");
    }

    @Test
    void jobPropertiesWhoseNamesSuggestASecretAreMasked() {
        JobDefinition there =
                job().jobProperties(Map.of("db.password", "swordfish")).build();
        JobDefinition here = job().jobProperties(Map.of("db.password", "trout")).build();

        assertThat(DefinitionDifferences.changes(there, here))
                .containsExactly("jobProperties: \"{db.password=******}\" -> \"{db.password=******}\"");
        assertThat(new JobDefinitionCodec().settings(here))
                .containsEntry("jobProperties", Map.of("db.password", "******"));
    }

    private static JobDefinition.Builder job() {
        return JobDefinition.builder("billing").cron("0 * * * * ?");
    }
}
