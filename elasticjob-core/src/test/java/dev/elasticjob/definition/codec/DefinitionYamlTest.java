package dev.elasticjob.definition.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.RetrySettings;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The text itself; that it comes back is tested where Spring Boot reads it. */
class DefinitionYamlTest {
    private final JobDefinitionCodec codec = new JobDefinitionCodec();

    @Test
    void onlyWhatDiffersIsWrittenAsPeopleWriteIt() {
        JobDefinition job = JobDefinition.builder("daily orders")
                .jobClass("com.acme.Orders")
                .cron("0 0 4 * * ?")
                .timeZone(ZoneId.of("Asia/Shanghai"))
                .shardingTotalCount(2)
                .shardingItemParameters("0=北京,1=上海")
                .timeout(Duration.ofSeconds(90))
                .retry(RetrySettings.of(3, Duration.ofSeconds(1)))
                .overlap(Overlap.CANCEL_RUNNING)
                .jobExceptionHandler("THROW")
                .build();

        assertThat(codec.yaml(job)).isEqualTo("""
                # Job "daily orders" as the registry has it. What isn't here is as in the annotation, or has its default; its code is "com.acme.Orders".
                elasticjob:
                  jobs:
                    "[daily orders]":
                      cron: "0 0 4 * * ?"
                      time-zone: Asia/Shanghai
                      sharding-total-count: 2
                      sharding-item-parameters: "0=北京,1=上海"
                      timeout: 90s
                      retry:
                        max-attempts: 3
                      overlap: cancel-running
                      job-exception-handler: THROW
                """);
    }

    @Test
    void whatMayBeASecretIsACommentThatSaysSo() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("X-Region", "eu");
        JobDefinition job = JobDefinition.builder("billing")
                .jobType(JobType.HTTP)
                .after(AfterSettings.of("import", "stock: eu"))
                .http(HttpRequestSettings.of("https://billing.example.com/close")
                        .withBody("POST", "{}", "application/json")
                        .withHeaders(headers))
                .jobProperties(Map.of("password", "hunter2"))
                .build();

        assertThat(codec.yaml(job)).isEqualTo("""
                # Job "billing" as the registry has it. What isn't here is as in the annotation, or has its default.
                # What may be a secret is not shown: set it, or refer to a secret of your environment.
                elasticjob:
                  jobs:
                    billing:
                      job-type: http
                      # job-properties:
                        # password: ****** is not shown
                      http:
                        uri: "https://billing.example.com/close"
                        method: POST
                        # body: ****** is not shown
                        content-type: application/json
                        # headers: ****** is not shown
                      after: [import, "stock: eu"]
                """);
    }

    @Test
    void aJobThatHasOnlyDefaultsNeedsNothing() {
        assertThat(codec.yaml(JobDefinition.builder("orders").build()))
                .isEqualTo(
                        "# Job \"orders\" as the registry has it. What isn't here is as in the annotation, or has its default.\n");
    }
}
