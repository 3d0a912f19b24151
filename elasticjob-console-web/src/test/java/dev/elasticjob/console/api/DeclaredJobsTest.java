package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.ManyJobs;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** All jobs of a registry as one block of an {@code application.yml}. */
class DeclaredJobsTest {
    private static final String ALL = "/api/v1/registries/default/definitions.yaml";
    private static final Optional<Caller> OPERATOR = Optional.of(new Caller("li", Set.of("operator")));

    private final ManyJobs console = new ManyJobs(ManyJobs.withRoles());

    @Test
    void allJobsStandInOneBlockWhateverTheirNamesAre() {
        console.write("每日对账: #1", "report.daily");

        assertThat(new Yaml().<Map<String, Map<String, Map<String, Object>>>>load(ask(ALL)))
                .extractingByKey("elasticjob")
                .extracting("jobs")
                .isEqualTo(Map.of("[每日对账: #1]", declared(), "[report.daily]", declared()));
    }

    private static Map<String, Object> declared() {
        return Map.of("cron", "0 0 4 * * ?", "time-zone", ZoneId.systemDefault().getId(), "sharding-total-count", 2);
    }

    @Test
    void onlyThoseThatMatchAreWritten() {
        console.write("report-daily", "orders");

        assertThat(ask(ALL + "?jobs=report*")).contains("report-daily").doesNotContain("orders");
    }

    @Test
    void aJobWhoseSettingsCannotBeUsedIsAComment() {
        console.write("orders", "spoilt");
        console.registry
                .commit(RegistryCommit.builder()
                        .set(new JobTree("spoilt").config(), "{", RegistryCommit.ANY_VERSION)
                        .build())
                .toCompletableFuture()
                .join();

        assertThat(ask(ALL)).contains("    orders:\n").endsWith("    # spoilt: the settings can't be used\n");
    }

    @Test
    void moreThanFiveHundredAreToBeChosen() {
        console.write(501);

        ConsoleResponse refused = console.ask("GET", ALL, Map.of(), OPERATOR)
                .toCompletableFuture()
                .join();

        assertThat(refused.status()).isEqualTo(400);
        assertThat(ask(ALL + "?jobs=job-001*")).contains("job-00100:");
    }

    private String ask(String address) {
        ConsoleResponse answer = console.ask("GET", address, Map.of(), OPERATOR)
                .toCompletableFuture()
                .join();
        assertThat(answer.status()).isEqualTo(200);
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
