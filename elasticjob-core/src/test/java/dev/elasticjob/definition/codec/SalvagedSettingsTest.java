package dev.elasticjob.definition.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What of a spoilt definition can still be read, and what a repair makes of it. */
class SalvagedSettingsTest {
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 4 * * ?")
            .shardingTotalCount(3)
            .jobParameter("p")
            .jobProperties(Map.of("table", "t"))
            .maxFailovers(7)
            .build();

    @Test
    void everythingCanBeReadOfADefinitionThatIsWell() {
        SalvagedSettings salvaged = salvaged(config(), extension());

        assertThat(salvaged.faults()).isEmpty();
        assertThat(salvaged.corrected("orders", Map.of())).isEqualTo(ORDERS);
    }

    @Test
    void onlyWhatCannotBeUsedIsCorrected() {
        SalvagedSettings salvaged =
                salvaged(config().replace("\"shardingTotalCount\":3", "\"shardingTotalCount\":0"), extension());

        assertThat(salvaged.faults()).extracting(Violation::setting).containsExactly("shardingTotalCount");
        assertThat(salvaged.corrected("orders", Map.of("shardingTotalCount", 3)))
                .isEqualTo(ORDERS);
        assertThatThrownBy(() -> salvaged.corrected("orders", Map.of("failover", true)))
                .isInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("shardingTotalCount");
    }

    @Test
    void whatStandsBeforeTheEndOfHalfANodeIsKept() {
        String half = config().substring(0, config().indexOf("\"jobParameter\""));

        SalvagedSettings salvaged = salvaged(half, extension());

        assertThat(salvaged.values()).containsEntry("cron", "0 0 4 * * ?").doesNotContainKey("jobParameter");
        assertThat(salvaged.faults())
                .extracting(Violation::setting)
                .contains("misfire")
                .doesNotContain("cron");
        assertThat(salvaged.corrected("orders", given(salvaged, Map.of("jobParameter", "p"))))
                .isEqualTo(ORDERS);
    }

    @Test
    void nothingOfAnExtensionThatWasCutIsGuessed() {
        SalvagedSettings salvaged = salvaged(config(), extension().substring(0, 15));

        assertThat(salvaged.faults()).extracting(Violation::setting).contains("timeZone", "timeout");
        assertThatThrownBy(() -> salvaged.corrected("orders", Map.of()))
                .isInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("timeZone");
    }

    /** What the faults need, as it was. */
    private static Map<String, Object> given(SalvagedSettings salvaged, Map<String, Object> more) {
        Map<String, Object> given = new HashMap<>(more);
        Map<String, Object> before = CODEC.settings(ORDERS);
        salvaged.faults().forEach(fault -> given.put(fault.setting(), before.get(fault.setting())));
        return given;
    }

    @Test
    void ofAGroupOnlyThePartThatIsWrongIsLost() {
        JobDefinition request = JobDefinition.builder("orders")
                .cron("0 0 4 * * ?")
                .jobType(JobType.HTTP)
                .http(HttpRequestSettings.of("http://localhost/orders")
                        .withBody("POST", "a body", "text/plain")
                        .withHeaders(Map.of("Authorization", "a token")))
                .build();
        String spoilt = new String(CODEC.extension(request, Optional.empty()), StandardCharsets.UTF_8)
                .replace("http://localhost/orders", "nowhere");

        SalvagedSettings salvaged = SalvagedSettings.of("orders", Optional.empty(), Optional.of(bytes(spoilt)));

        assertThat(salvaged.faults()).extracting(Violation::setting).containsExactly("http.uri");
        assertThat(salvaged.corrected("orders", Map.of("http", Map.of("uri", "http://localhost/orders"))))
                .isEqualTo(request);
        assertThatThrownBy(() -> salvaged.corrected("orders", Map.of("http", Map.of("method", "PUT"))))
                .isInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("http.uri");
    }

    @Test
    void aSecretThatIsWrongIsNotShown() {
        String whole = new String(
                        CODEC.extension(
                                JobDefinition.builder("orders")
                                        .jobType(JobType.HTTP)
                                        .http(HttpRequestSettings.of("http://localhost")
                                                .withBody("POST", "hidden", ""))
                                        .build(),
                                Optional.empty()),
                        StandardCharsets.UTF_8)
                .replace("\"hidden\"", "{\"k\":\"hidden\"}");

        SalvagedSettings salvaged = SalvagedSettings.of("orders", Optional.empty(), Optional.of(bytes(whole)));

        assertThat(salvaged.faults()).extracting(Violation::setting).containsExactly("http.body");
        assertThat(salvaged.faults().toString()).doesNotContain("hidden");
        assertThatThrownBy(() -> CODEC.decodeWhole("orders", bytes(whole)))
                .hasMessageContaining("http.body")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void aCronThatIsWrongMakesNothingElseAFault() {
        JobDefinition scheduled = ORDERS.toBuilder()
                .calendar("SAT,SUN")
                .moveToNextDay(true)
                .spread(Duration.ofMinutes(5))
                .startAt(Instant.parse("2026-12-01T00:00:00Z"))
                .build();
        String config = new String(CODEC.config(scheduled, Optional.empty()), StandardCharsets.UTF_8);
        String extension = new String(CODEC.extension(scheduled, Optional.empty()), StandardCharsets.UTF_8);

        SalvagedSettings salvaged = salvaged(config.replace("0 0 4 * * ?", "0 0 99 * * ?"), extension);

        assertThat(salvaged.faults()).extracting(Violation::setting).containsExactly("cron");
        assertThat(salvaged.corrected("orders", Map.of("cron", "0 0 4 * * ?"))).isEqualTo(scheduled);
    }

    @Test
    void aNodeThatIsNoJsonNeedsWhatAJobCannotDoWithout() {
        SalvagedSettings salvaged = salvaged("mend me", extension());

        assertThat(salvaged.faults())
                .extracting(Violation::setting)
                .containsExactly(
                        "jobType", "cron", "shardingTotalCount", "failover", "misfire", "monitorExecution", "disabled");
        assertThat(salvaged.values())
                .containsEntry("maxFailovers", 7)
                .containsEntry("jobProperties", Map.of("table", "t"));
    }

    @Test
    void aWholeDefinitionInTheExtensionIsSalvagedToo() {
        JobDefinition oneOff =
                JobDefinition.builder("orders").shardingTotalCount(2).build();
        String stored = new String(CODEC.extension(oneOff, Optional.empty()), StandardCharsets.UTF_8)
                .replace("\"SIMPLE\"", "\"not a kind\"");

        SalvagedSettings salvaged = SalvagedSettings.of("orders", Optional.empty(), Optional.of(bytes(stored)));

        assertThat(salvaged.faults()).extracting(Violation::setting).containsExactly("jobType");
        assertThat(salvaged.corrected("orders", Map.of("jobType", JobType.SIMPLE.name())))
                .isEqualTo(oneOff);
    }

    @Test
    void partsOfAGroupAreCorrectedOneByOne() {
        SalvagedSettings salvaged = salvaged(config(), extension());

        JobDefinition corrected = salvaged.corrected("orders", Map.of("retry", Map.of("maxAttempts", 5)));

        assertThat(corrected.retry().maxAttempts()).isEqualTo(5);
        assertThat(corrected.retry().delay()).isEqualTo(ORDERS.retry().delay());
    }

    private static String config() {
        return new String(CODEC.config(ORDERS, Optional.empty()), StandardCharsets.UTF_8);
    }

    private static String extension() {
        return new String(CODEC.extension(ORDERS, Optional.empty()), StandardCharsets.UTF_8);
    }

    private static SalvagedSettings salvaged(String config, String extension) {
        return SalvagedSettings.of("orders", Optional.of(bytes(config)), Optional.of(bytes(extension)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
