package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.testing.Heard;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Commands over HTTP, on an application that runs the job. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandsWebTest {
    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() {
        application = run("--management.endpoint.elasticjob.access=unrestricted");
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private static ConfigurableApplicationContext run(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--management.endpoints.web.exposure.include=elasticjob",
                "--elasticjob.instance.ip=10.0.0.1"));
        arguments.addAll(List.of(more));
        ConfigurableApplicationContext shop = new SpringApplication(Shop.class).run(arguments.toArray(String[]::new));
        shop.getBean(Events.class)
                .await(
                        2,
                        JobEvent.AssignmentChanged.class,
                        change -> !change.items().isEmpty());
        return shop;
    }

    @Test
    void commandsNeedUnrestrictedAccess() throws Exception {
        try (ConfigurableApplicationContext readOnly = run()) {
            assertThat(post(readOnly, "/orders/trigger", "{}").statusCode()).isIn(404, 405);
            assertThat(get(readOnly, "/orders").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anItemIsDisabledAndEnabledWithActorAndReason() throws Exception {
        HttpResponse<String> disabled =
                post(application, "/orders/disable-item", "{\"item\": 1, \"reason\": \"bad data\"}");

        assertThat(json(disabled)).containsEntry("command", "disable-item").containsEntry("actor", "anonymous");
        assertThat(get(application, "/orders/explain/1").body()).contains("ITEM_DISABLED");
        assertThat(commands())
                .contains(new JobEvent.CommandEnded(
                        "orders",
                        "disable item 1",
                        "anonymous",
                        Optional.of("bad data"),
                        "is enabled",
                        true,
                        "is disabled"));

        assertThat(post(application, "/orders/enable-item", "{\"item\": 1}").statusCode())
                .isEqualTo(200);
        assertThat(get(application, "/orders/explain/1").body()).doesNotContain("ITEM_DISABLED");
    }

    @Test
    void aJobIsCreatedInTheRegistryAndRemoved() throws Exception {
        String settings = "jobType=HTTP\\nhttp.uri=https://billing.example.com/close-day\\ncron=0 0 3 * * ?";
        HttpResponse<String> created =
                post(application, "/tenant/create", "{\"settings\": \"%s\", \"reason\": \"new\"}".formatted(settings));
        HttpResponse<String> definition = get(application, "/tenant/definition");
        HttpResponse<String> taken = post(application, "/tenant/create", "{\"settings\": \"jobClass=a\"}");
        HttpResponse<String> invalid =
                post(application, "/other/create", "{\"settings\": \"jobType=SCRIPT\\ncorn=0\"}");
        HttpResponse<String> removed = post(application, "/tenant/remove", "{}");

        assertThat(json(created))
                .containsEntry("command", "create")
                .containsEntry("version", json(definition).get("version"));
        assertThat(definition.body()).contains("https://billing.example.com/close-day");
        assertThat(taken.statusCode()).isEqualTo(409);
        assertThat(taken.body()).contains("There is already a job");
        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(invalid.body()).contains("scriptCommandLine", "corn");
        assertThat(json(removed)).containsEntry("ended", true);
        assertThat(get(application, "/tenant").statusCode()).isEqualTo(404);
    }

    @Test
    void aPausedJobSaysByWhomAndRefusesRunsUntilItIsResumed() throws Exception {
        Map<String, Object> paused = json(post(application, "/orders/pause", "{\"reason\": \"broken data\"}"));
        Map<String, Object> again = json(post(application, "/orders/pause", "{\"reason\": \"me too\"}"));
        String explained = get(application, "/orders/explain/1").body();
        HttpResponse<String> refused = post(application, "/orders/trigger", "{}");
        Map<String, Object> job = json(get(application, "/orders"));
        Map<String, Object> resumed = json(post(application, "/orders/resume", "{}"));

        assertThat(paused).containsEntry("changed", true).containsEntry("inForce", true);
        assertThat(again).containsEntry("changed", false).containsEntry("paused", paused.get("paused"));
        assertThat(job).containsEntry("status", "PAUSED").containsEntry("paused", paused.get("paused"));
        assertThat(explained).contains("\"PAUSED\"", "anonymous", "broken data");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("paused by anonymous", "broken data");
        assertThat(resumed).containsEntry("changed", true).doesNotContainKey("paused");
        assertThat(get(application, "/orders/explain/1").body()).doesNotContain("\"PAUSED\"");
    }

    @Test
    void allJobsOfTheNamespaceArePausedByOneCommand() throws Exception {
        Map<String, Object> paused = json(post(application, "/pause-all", "{\"reason\": \"migration\"}"));
        Map<String, Object> own = json(post(application, "/orders/resume", "{}"));
        Map<String, Object> resumed = json(post(application, "/resume-all", "{}"));

        assertThat(paused).containsEntry("inForce", true).doesNotContainKey("job");
        assertThat(own).containsEntry("changed", false).containsEntry("paused", paused.get("paused"));
        assertThat(resumed).containsEntry("changed", true).doesNotContainKey("paused");
        assertThat(commands())
                .filteredOn(JobEvent.CommandEnded.class::isInstance)
                .map(JobEvent.CommandEnded.class::cast)
                .filteredOn(command -> command.jobName().equals(JobEvent.CommandEnded.ALL_JOBS))
                .map(JobEvent.CommandEnded::command)
                .filteredOn(List.of("pause", "resume")::contains)
                .containsExactly("pause", "resume");
    }

    @Test
    void aLossOfDataThatIsNotThereNeedsNoConfirmation() throws Exception {
        try (ConfigurableApplicationContext shop = run("--management.endpoint.elasticjob.access=unrestricted")) {
            assertThat(json(post(shop, "/confirm-data-loss", "{\"reason\": \"OPS-12\"}")))
                    .containsEntry("command", "confirm-data-loss")
                    .containsEntry("actor", "anonymous")
                    .containsEntry("changed", false);
        }
    }

    @Test
    void aLossOfDataIsTheFirstFindingAndShownByItsMeterUntilItIsConfirmed() throws Exception {
        try (ConfigurableApplicationContext shop = run("--management.endpoint.elasticjob.access=unrestricted")) {
            double before = dataLost(shop);
            shop.getBean(InMemoryEnsemble.class).empty();
            Events events = shop.getBean(Events.class);
            events.await(1, JobEvent.RegistryDataLost.class, any -> true);
            events.await(
                    4,
                    JobEvent.AssignmentChanged.class,
                    change -> !change.items().isEmpty());
            String found = get(shop, "?scope=attention").body();
            double lost = dataLost(shop);
            Map<String, Object> planned = json(post(shop, "/confirm-data-loss?dryRun=true", "{}"));

            Map<String, Object> confirmed = json(post(shop, "/confirm-data-loss", "{\"reason\": \"OPS-12\"}"));
            Map<String, Object> again = json(post(shop, "/confirm-data-loss", "{\"reason\": \"OPS-12\"}"));

            assertThat(found)
                    .contains("\"REGISTRY_DATA_LOST\"", "The registry has lost its data", "POST confirm-data-loss");
            assertThat(planned).containsEntry("outcome", "CHANGES");
            assertThat(confirmed).containsEntry("actor", "anonymous").containsEntry("changed", true);
            assertThat(again).containsEntry("changed", false);
            assertThat(get(shop, "?scope=attention").body()).doesNotContain("REGISTRY_DATA_LOST");
            assertThat(List.of(before, lost, dataLost(shop))).containsExactly(0.0, 1.0, 0.0);
        }
    }

    private static double dataLost(ConfigurableApplicationContext shop) {
        return shop.getBean(MeterRegistry.class)
                .get("elasticjob.registry.data.lost")
                .gauge()
                .value();
    }

    @Test
    void fencingTokensAreRaisedOnceAndWhatIsNoTokenIsRefused() throws Exception {
        long above = 4_294_967_296_489L;
        String body = "{\"above\": %d, \"reason\": \"OPS-12\"}".formatted(above);

        Map<String, Object> planned = json(post(application, "/raise-fencing-tokens?dryRun=true", body));
        Map<String, Object> raised = json(post(application, "/raise-fencing-tokens", body));
        Map<String, Object> again = json(post(application, "/raise-fencing-tokens", body));
        Map<String, Object> plannedAgain = json(post(application, "/raise-fencing-tokens?dryRun=true", body));
        HttpResponse<String> negative = post(application, "/raise-fencing-tokens", "{\"above\": -1}");
        HttpResponse<String> without = post(application, "/raise-fencing-tokens", "{}");

        assertThat(planned).containsEntry("outcome", "CHANGES");
        assertThat(raised).containsEntry("command", "raise-fencing-tokens").containsEntry("changed", true);
        assertThat(again).containsEntry("changed", false);
        assertThat(plannedAgain).containsEntry("outcome", "NOTHING");
        assertThat(negative.statusCode()).isEqualTo(400);
        assertThat(negative.body()).contains("above", "from 0 to ");
        assertThat(without.statusCode()).isEqualTo(400);
        assertThat(without.body()).contains("above");
    }

    @Test
    void anInstanceIsDrainedOutOfItsJobsAndSaysByWhom() throws Exception {
        String instance = String.valueOf(json(get(application, "/orders")).get("instance"));
        String body = "{\"instance\": \"%s\", \"reason\": \"slow disk\"}".formatted(instance);

        Map<String, Object> drained = json(post(application, "/orders/drain", body));
        String shown = get(application, "/orders/instances").body();
        HttpResponse<String> everywhere = post(application, "/undrain-all", body);

        assertThat(drained).containsEntry("changed", true).containsEntry("inForce", true);
        assertThat(shown).contains("\"drainedBy\"", "anonymous", "slow disk");
        assertThat(everywhere.body()).contains("\"orders\":{\"changed\":true,\"inForce\":true}");
        assertThat(get(application, "/orders/instances").body()).doesNotContain("drainedBy");
    }

    @Test
    void someItemsAreTriggeredOnceForARunId() throws Exception {
        String body = "{\"runId\": \"month-end\", \"items\": \"0, 2\", \"parameter\": \"2026-10\"}";

        Map<String, Object> first = json(post(application, "/orders/trigger", body));
        Map<String, Object> again = json(post(application, "/orders/trigger", body));

        assertThat(first).containsEntry("runId", "month-end").containsEntry("items", List.of(0, 2));
        assertThat(again).isEqualTo(first);
    }

    @Test
    void whatSeveralItemsExecuteIsCancelledOfWhicheverRunItIs() throws Exception {
        Events events = application.getBean(Events.class);
        post(application, "/orders/trigger", "{\"runId\": \"left\", \"parameter\": \"hangs\", \"items\": \"0-1\"}");
        post(application, "/orders/trigger", "{\"runId\": \"right\", \"parameter\": \"hangs\", \"item\": 2}");
        events.await(2, JobEvent.ItemStarted.class, start -> start.runId().equals("left"));
        events.await(1, JobEvent.ItemStarted.class, start -> start.runId().equals("right"));

        Map<String, Object> some = json(post(application, "/orders/cancel", "{\"items\": \"1-2\"}"));
        Map<String, Object> ofOne =
                json(post(application, "/orders/cancel", "{\"items\": \"0,2\", \"runId\": \"left\"}"));
        events.await(
                2, JobEvent.ItemCancelled.class, cancelled -> cancelled.runId().equals("left"));
        events.await(
                1, JobEvent.ItemCancelled.class, cancelled -> cancelled.runId().equals("right"));

        assertThat(some)
                .containsEntry("results", Map.of("1", "ASKED", "2", "ASKED"))
                .containsEntry("runs", Map.of("left", "1", "right", "2"))
                .doesNotContainKey("runId");
        assertThat(ofOne)
                .containsEntry("runId", "left")
                .containsEntry("results", Map.of("0", "ASKED", "2", "NOTHING"))
                .doesNotContainKey("runs");
        assertThat(commands())
                .filteredOn(JobEvent.CommandEnded.class::isInstance)
                .extracting(event -> ((JobEvent.CommandEnded) event).command())
                .contains("cancel items [1-2]", "cancel run left on items [0,2]");
    }

    @Test
    void whatRunsIsCancelledAndWhatFailedRunsAgain() throws Exception {
        Events events = application.getBean(Events.class);
        post(application, "/orders/trigger", "{\"runId\": \"stuck\", \"parameter\": \"hangs\"}");
        events.await(3, JobEvent.ItemStarted.class, start -> start.runId().equals("stuck"));

        HttpResponse<String> one = post(application, "/orders/cancel", "{\"item\": 1, \"reason\": \"wrong data\"}");
        HttpResponse<String> all = post(application, "/orders/cancel", "{\"runId\": \"stuck\"}");
        events.await(
                3, JobEvent.ItemCancelled.class, cancelled -> cancelled.runId().equals("stuck"));
        HttpResponse<String> again =
                post(application, "/orders/run-again", "{\"runId\": \"stuck\", \"newRunId\": \"repaired\"}");

        assertThat(json(one)).containsEntry("runId", "stuck").containsEntry("results", Map.of("1", "ASKED"));
        assertThat((Map<?, ?>) json(all).get("results")).hasSize(3);
        assertThat(json(again)).containsEntry("runId", "repaired").containsEntry("items", List.of(0, 1, 2));
        assertThat(post(application, "/orders/cancel", "{}").statusCode()).isEqualTo(400);
        assertThat(post(application, "/orders/cancel", "{\"item\": 9}").statusCode())
                .isEqualTo(404);
        assertThat(post(application, "/orders/cancel", "{\"runId\": \"unknown\"}")
                        .statusCode())
                .isEqualTo(409);
        assertThat(post(application, "/orders/run-again", "{}").statusCode()).isEqualTo(400);
        assertThat(post(application, "/orders/run-again", "{\"runId\": \"unknown\"}")
                        .statusCode())
                .isEqualTo(409);
    }

    @Test
    void aRemovalThatWaitsForAnExecutionSaysThatItHasNotEnded() throws Exception {
        try (ConfigurableApplicationContext shop = run(
                "--management.endpoint.elasticjob.access=unrestricted",
                "--elasticjob.registry.connection-timeout=2s",
                "--elasticjob.shutdown-timeout=0s")) {
            post(shop, "/orders/trigger", "{\"runId\": \"stuck\", \"items\": \"1\", \"parameter\": \"hangs\"}");
            shop.getBean(Events.class)
                    .await(1, JobEvent.ItemStarted.class, start -> start.runId().equals("stuck"));

            HttpResponse<String> removed = post(shop, "/orders/remove", "{}");

            assertThat(removed.statusCode()).isEqualTo(200);
            assertThat(json(removed)).containsEntry("command", "remove").containsEntry("ended", false);
        }
    }

    @Test
    void scheduledTimesOfThePastRunOnceMore() throws Exception {
        String years = "{\"from\": \"2021-01-01T00:00:00Z\", \"until\": \"2024-06-01T00:00:00Z\", \"atOnce\": 2}";

        HttpResponse<String> begun = post(application, "/invoices/backfill", years);
        application.getBean(Events.class).await(1, JobEvent.BackfillEnded.class, end -> true);

        assertThat(json(begun)).containsEntry("times", 4);
        assertThat(application.getBean(Events.class).all())
                .filteredOn(JobEvent.ItemStarted.class::isInstance)
                .map(JobEvent.ItemStarted.class::cast)
                .filteredOn(start -> start.jobName().equals("invoices"))
                .extracting(start -> start.runId() + " " + start.scheduledAt())
                .containsExactly(
                        "invoices@2021-01-01T00:00:00Z 2021-01-01T00:00:00Z",
                        "invoices@2022-01-01T00:00:00Z 2022-01-01T00:00:00Z",
                        "invoices@2023-01-01T00:00:00Z 2023-01-01T00:00:00Z",
                        "invoices@2024-01-01T00:00:00Z 2024-01-01T00:00:00Z");
        assertThat(post(application, "/invoices/stop-backfill", "{}").statusCode())
                .isEqualTo(409);
        assertThat(post(application, "/invoices/backfill", "{}").statusCode()).isEqualTo(400);
    }

    @Test
    void aChangeOfTheDefinitionNamesTheVersionThatWasRead() throws Exception {
        Map<String, Object> read = json(get(application, "/orders/definition"));
        String change = "{\"version\": \"%s\", \"settings\": \"description=%s\"}";

        HttpResponse<String> mine =
                post(application, "/orders/redefine", change.formatted(read.get("version"), "mine"));
        HttpResponse<String> late =
                post(application, "/orders/redefine", change.formatted(read.get("version"), "late"));

        assertThat(mine.statusCode()).isEqualTo(200);
        assertThat(late.statusCode()).isEqualTo(409);
        assertThat(json(late)).containsEntry("version", json(mine).get("version"));
        assertThat(late.body()).contains("\"description\":\"mine\"");
    }

    @Test
    void theNamesOfJobPropertiesHaveDotsOfTheirOwn() throws Exception {
        String settings = "jobType=SQL\\njobProperties.sql.statement=DELETE FROM a";
        post(application, "/purge/create", "{\"settings\": \"%s\"}".formatted(settings));

        assertThat(get(application, "/purge/definition").body())
                .contains("\"jobProperties\":{\"sql.statement\":\"DELETE FROM a\"}");
    }

    @Test
    void settingsThatCannotBeUsedAreAllNamed() throws Exception {
        Object version = json(get(application, "/orders/definition")).get("version");

        HttpResponse<String> refused = post(
                application,
                "/orders/redefine",
                "{\"version\": \"%s\", \"settings\": \"cron=every so often\\nshardingTotalCount=0\\ncolour=1\"}"
                        .formatted(version));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("colour", "every so often", "shardingTotalCount");
        assertThat(json(get(application, "/orders/definition"))).containsEntry("version", version);
    }

    @Test
    void whatIsNotThereOrCannotBeUnderstoodChangesNothing() throws Exception {
        assertThat(post(application, "/unknown/trigger", "{}").statusCode()).isEqualTo(404);
        assertThat(post(application, "/orders/disable-item", "{\"item\": 9}").statusCode())
                .isEqualTo(404);
        assertThat(post(application, "/orders/disable-item", "{}").statusCode()).isEqualTo(400);
        assertThat(post(application, "/orders/disable-server", "{\"server\": \"10.9.9.9\"}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(post(application, "/orders/explode", "{}").body()).contains("disable-item", "pause");
        assertThat(post(application, "/explode", "{}").statusCode()).isEqualTo(400);
        assertThat(post(application, "/orders/drain", "{}").statusCode()).isEqualTo(400);
        assertThat(post(application, "/orders/drain", "{\"instance\": \"nobody\"}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(post(application, "/drain-all", "{\"instance\": \"../orders\"}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(post(application, "/orders/trigger", "{\"items\": \"7\"}").statusCode())
                .isEqualTo(400);
        assertThat(post(application, "/orders/trigger", "{\"runId\": \"no blanks\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    // ------------------------------------------------------------------ asking

    private List<JobEvent> commands() {
        return application.getBean(Events.class).all();
    }

    static HttpResponse<String> get(ConfigurableApplicationContext to, String path) throws Exception {
        return send(to, path, HttpRequest.newBuilder());
    }

    static HttpResponse<String> post(ConfigurableApplicationContext to, String path, String body) throws Exception {
        return send(
                to,
                path,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> send(
            ConfigurableApplicationContext to, String path, HttpRequest.Builder request) throws Exception {
        String port = to.getEnvironment().getProperty("local.server.port");
        URI uri = URI.create("http://localhost:" + port + "/actuator/elasticjob" + path);
        return HttpClient.newHttpClient().send(request.uri(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    static Map<String, Object> json(HttpResponse<String> response) {
        return JsonParserFactory.getJsonParser().parseMap(response.body());
    }

    static final class Events implements JobEventListener {
        private final Heard<JobEvent> heard = new Heard<>();

        @Override
        public void onEvent(JobEvent event) {
            heard.add(event);
        }

        List<JobEvent> all() {
            return heard.all();
        }

        <E extends JobEvent> void await(int count, Class<E> kind, Predicate<E> fits) {
            heard.await(
                    count + " " + kind.getSimpleName(),
                    all -> count
                            <= all.stream()
                                    .filter(kind::isInstance)
                                    .map(kind::cast)
                                    .filter(fits)
                                    .count());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OnMemory.class)
    static class Shop {
        @Bean
        Events events() {
            return new Events();
        }

        @Bean
        @ElasticJob(name = "invoices", cron = "0 0 0 1 1 ?", timeZone = "UTC")
        SimpleJob invoices() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0 0 0 1 1 ?", shardingTotalCount = 3)
        SimpleJob orders() {
            return context -> {
                if (context.getRunParameter().equals("hangs") && context.getAttempt() == 1) {
                    new CountDownLatch(1).await(60, TimeUnit.SECONDS);
                }
            };
        }
    }
}
