package dev.elasticjob.console.api;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people paste becomes the settings that it declares, or is refused by its line. */
class YamlSettingsTest {
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    static List<JobDefinition> jobs() {
        JobDefinition orders = JobDefinition.builder("每日订单 eu")
                .cron("0 0 4 * * ?")
                .timeZone(ZoneId.of("Asia/Shanghai"))
                .shardingTotalCount(2)
                .shardingItemParameters("0=北京,1=上海")
                .jobParameter("${user.home} and \\${x} and ${a ${b} {c} and ${a:${b}} and #{x} ${")
                .jobProperties(Map.of("table", "t", "a.b", "c", "My Key", "2024", "键", "值"))
                .timeout(Duration.ofSeconds(90))
                .retry(new RetrySettings(
                        3,
                        Duration.ofMillis(1_500),
                        1.5,
                        Duration.ofMinutes(2),
                        Duration.ofMillis(10),
                        List.of("java.io.IOException", "java.lang.Error"),
                        List.of("java.net.SocketException")))
                .failover(true)
                .maxFailovers(7)
                .misfire(false)
                .overlap(Overlap.CANCEL_RUNNING)
                .runOn("zone in (a,b), version != 1.3")
                .jobShardingStrategyClass("ZONE")
                .description("yes")
                .startAt(Instant.parse("2026-12-24T08:00:00Z"))
                .build();
        return List.of(
                orders,
                JobDefinition.builder("follower")
                        .after(AfterSettings.of("import", "stock: eu"))
                        .runAtStart(true)
                        .build(),
                JobDefinition.builder("catches")
                        .every(Duration.ofSeconds(10))
                        .catchUp(CatchUp.EACH)
                        .catchUpLimit(5)
                        .expectWithin(Duration.ofMinutes(1))
                        .build(),
                JobDefinition.builder("billing")
                        .jobType(JobType.HTTP)
                        .http(HttpRequestSettings.of("https://billing.example.com/close"))
                        .build(),
                JobDefinition.builder("nightly")
                        .jobType(JobType.SCRIPT)
                        .scriptCommandLine("/opt/run.sh --all")
                        .build());
    }

    /** The other way round it is {@code DefinitionYaml}, and with Spring Boot {@code ExportedYamlTest}. */
    @ParameterizedTest
    @MethodSource("jobs")
    void whatAJobIsShownAsComesBack(JobDefinition job) {
        YamlSettings.Declared declared = YamlSettings.read("other", CODEC.yaml(job));

        assertThat(declared.job()).hasValue(job.jobName());
        assertThat(declared.ignored()).isEmpty();
        assertThat(CODEC.changed(JobDefinition.builder(job.jobName()).build(), declared.settings()))
                .isEqualTo(job);
    }

    @Test
    void settingsMayStandAloneInAnySpelling() {
        YamlSettings.Declared declared = YamlSettings.read("orders", """
                cron: 0 0 4 * * ?
                shardingTotalCount: 3
                RETRY:
                  max_attempts: 2
                after-outcome: any
                job-properties: {table: x}
                job-class: Mine
                jobExceptionHandler: THROW
                """);

        assertThat(declared.job()).isEmpty();
        assertThat(declared.settings())
                .isEqualTo(Map.of(
                        "cron",
                        "0 0 4 * * ?",
                        "shardingTotalCount",
                        3,
                        "retry",
                        Map.of("maxAttempts", 2),
                        "after",
                        Map.of("outcome", "ANY"),
                        "jobProperties",
                        Map.of("table", "x")));
        assertThat(declared.ignored()).containsExactly("jobClass", "jobExceptionHandler");
    }

    @Test
    void ofSeveralJobsTheOneThatIsOpenIsMeant() {
        String two = """
                elasticjob.jobs:
                  orders:
                    cron: 0 0 4 * * ?
                  report:
                    cron: 0 0 5 * * ?
                """;

        assertThat(YamlSettings.read("report", two).settings()).isEqualTo(Map.of("cron", "0 0 5 * * ?"));
        assertThat(refused("mails", two))
                .containsExactly("yaml [orders, report] expected one job, or \"mails\" among several");
    }

    @Test
    void everythingThatIsWrongIsSaidByItsLine() {
        assertThat(refused("orders", """
                elasticjob:
                  registry:
                    servers: zk:2181
                  jobs:
                    orders:
                      crom: 0 0 4 * * ?
                      sharding-totl-count: 3
                      job-parameter: ${SECRET}
                      timeout:
                        seconds: 5
                """))
                .containsExactlyInAnyOrder(
                        "yaml, line 3 [elasticjob.registry.servers] \"elasticjob.registry.servers\": only the settings of jobs can be taken over, below elasticjob.jobs",
                        "yaml, line 6 [crom] \"crom\": there is no such setting in the registry (did you mean \"cron\"?)",
                        "yaml, line 7 [sharding-totl-count] \"sharding-totl-count\": there is no such setting in the registry (did you mean \"sharding-total-count\"?)",
                        "yaml, line 8 [${SECRET}] \"${SECRET}\": the console doesn't know an application's placeholders: write the value",
                        "yaml, line 10 [timeout] \"timeout\": expected a value, not further settings");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cron: [",
                "a: b: c",
                "\tcron: x",
                "cron: 1\ncron: 2",
                "!!java.lang.Thread {}",
                "cron: &a [*a]",
                "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"
            })
    void whatIsNoYamlSaysWhere(String text) {
        assertThat(refused("orders", text))
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one).startsWith("yaml"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# only a comment", "elasticjob:", "just a text", "- cron"})
    void whatDeclaresNothingIsRefused(String text) {
        assertThat(refused("orders", text)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"elasticjob.jobs.nightly:", "elasticjob: {jobs: {nightly: {}}}"})
    void aJobThatDeclaresNothingHasOnlyDefaults(String text) {
        YamlSettings.Declared declared = YamlSettings.read("nightly", text);

        assertThat(declared.job()).hasValue("nightly");
        assertThat(declared.settings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "elasticjob.jobs.nightly: 5",
                "\"\": 1",
                "\".\": 1",
                "job-properties: a=b",
                "[a, b]: c",
                "failover: {a: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: 1}}}}}}}}}}}"
            })
    void whatStandsWhereItMeansNothingIsRefused(String text) {
        assertThat(refused("nightly", text)).isNotEmpty();
    }

    /** What a small text can cost is bounded. */
    @Test
    void whatNoSettingsCouldNeedIsRefusedBeforeItIsRead() {
        assertThat(refused("orders", "? " + "k".repeat(30_000) + "\n: [" + "1,".repeat(15_000) + "1]"))
                .containsExactly("yaml, line 1 [] expected a key of at most 300 characters");
        assertThat(refused("orders", "a: [" + "1,".repeat(15_000) + "1]"))
                .containsExactly("yaml, line 1 [] expected at most 2000 keys and values");
        assertThat(refused("orders", "[".repeat(60_000))).containsExactly("yaml, line 1 [] expected at most 10 levels");
        assertThat(refused("orders", "description: \"" + "${".repeat(20_000) + "}".repeat(20_000) + "\""))
                .hasSize(1);
        assertThat(refused(
                        "orders",
                        IntStream.range(0, 500)
                                .mapToObj(n -> "unknown-" + n + ": 1\n")
                                .collect(joining())))
                .hasSize(50);
    }

    @Test
    void booleansAreReadAsSpringBootReadsThem() {
        assertThat(YamlSettings.read("orders", "failover: \"on\"\nmisfire: \"0\"\ndisabled: perhaps")
                        .settings())
                .isEqualTo(Map.of("failover", true, "misfire", false, "disabled", "perhaps"));
    }

    @Test
    void severalDocumentsAreRefused() {
        assertThat(refused("orders", "cron: a\n---\ncron: b"))
                .containsExactly("yaml [2 documents] expected one document, without a line \"---\" in it");
    }

    @Test
    void theDefaultsAreThoseOfAJobThatSetsNothing() {
        JobDefinition nothing = JobDefinition.builder("orders").build();
        Map<String, Object> standard = YamlSettings.read("orders", "cron: x").standard();

        assertThat(standard)
                .containsEntry("misfire", true)
                .containsEntry("retry.maxAttempts", 1)
                .doesNotContainKeys("timeZone", "jobType", "http.uri", "scriptCommandLine", "clusterListener");
        Map<String, Object> settings = CODEC.settings(nothing);
        assertThat(standard).allSatisfy((name, value) -> {
            if (settings.containsKey(name)) {
                assertThat(settings.get(name)).as(name).hasToString(String.valueOf(value));
            }
        });
    }

    private static List<String> refused(String job, String yaml) {
        return catchThrowableOfType(InvalidRequestException.class, () -> YamlSettings.read(job, yaml))
                .violations()
                .stream()
                .map(one -> "%s [%s] %s".formatted(one.field(), one.found(), one.expected()))
                .toList();
    }
}
