package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ElasticJobEndpointWebTest {
    private static final JobReport ORDERS = new JobReport(
            "orders",
            Optional.of(JobType.SIMPLE),
            Optional.of("0/5 * * * * ?"),
            Optional.of("UTC"),
            Optional.of(Instant.parse("2026-11-21T10:00:05Z")),
            JobState.ACTIVE,
            Optional.of("10.0.0.1@-@7"),
            Optional.empty(),
            4,
            false,
            List.of("10.0.0.1@-@7"),
            List.of(new JobReport.ItemReport(
                    0,
                    Optional.of("10.0.0.1@-@7"),
                    true,
                    false,
                    false,
                    false,
                    new JobReport.Execution(
                            ItemState.RUNNING,
                            Optional.of(Instant.parse("2026-11-21T10:00:00Z")),
                            Optional.of("10.0.0.1@-@7"),
                            Optional.of("month-end"),
                            Optional.of("2026-10"),
                            1,
                            0,
                            Optional.of(Instant.parse("2026-11-21T10:00:00.010Z")),
                            Optional.empty(),
                            Optional.empty()),
                    Optional.of("line 1200"),
                    Optional.empty())),
            Optional.of("The node \"/orders/config\" can't be read."));

    @Test
    void showsAllJobsWithoutTheirItems() throws Exception {
        HttpResponse<String> response = get(Answering.class, "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).isEqualTo(json("""
                {"jobs": [{
                  "name": "orders",
                  "type": "SIMPLE",
                  "schedule": {"cron": "0/5 * * * * ?", "timeZone": "UTC"},
                  "nextDueTime": "2026-11-21T10:00:05Z",
                  "state": "ACTIVE",
                  "instance": "10.0.0.1@-@7",
                  "leader": null,
                  "epoch": 4,
                  "reshardingNecessary": false,
                  "instances": ["10.0.0.1@-@7"],
                  "problem": "The node \\"/orders/config\\" can't be read."
                }]}
                """));
    }

    @Test
    void showsOneJobWithItsItemsAndTheirRecords() throws Exception {
        HttpResponse<String> response = get(Answering.class, "/orders");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).containsAllEntriesOf(json("""
                {"items": [{
                  "item": 0,
                  "owner": "10.0.0.1@-@7",
                  "running": true,
                  "disabled": false,
                  "misfired": false,
                  "waitsForFailover": false,
                  "record": {
                    "state": "RUNNING",
                    "scheduledAt": "2026-11-21T10:00:00Z",
                    "instance": "10.0.0.1@-@7",
                    "runId": "month-end",
                    "runParameter": "2026-10",
                    "attempt": 1,
                    "crashes": 0,
                    "startedAt": "2026-11-21T10:00:00.010Z",
                    "finishedAt": null,
                    "failure": null
                  },
                  "checkpoint": "line 1200",
                  "problem": null
                }]}
                """));
    }

    @Test
    void jobThatIsNotThereIsNotFound() throws Exception {
        assertThat(get(Answering.class, "/unknown").statusCode()).isEqualTo(404);
    }

    @Test
    void registryThatCannotBeAskedIsReportedAsUnavailable() throws Exception {
        HttpResponse<String> response = get(Unavailable.class, "");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(json(response)).isEqualTo(json("{\"error\": \"no connection\"}"));
    }

    @Test
    void registryThatDoesNotAnswerIsWaitedForUpToTheLimit() throws Exception {
        HttpResponse<String> response = get(Silent.class, "/orders");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("within 50 ms");
    }

    @Test
    void applicationWithoutAnEventTraceHasNoHistory() throws Exception {
        assertThat(get(Answering.class, "/orders/history").statusCode()).isEqualTo(404);
        assertThat(get(Answering.class, "/orders/runs").statusCode()).isEqualTo(404);
        assertThat(get(Answering.class, "/orders/history/0d6b").statusCode()).isEqualTo(404);
    }

    @Test
    void applicationWithoutJobsShowsNone() throws Exception {
        HttpResponse<String> response = get(NoJobs.class, "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).isEqualTo(json("{\"jobs\": []}"));
        assertThat(get(NoJobs.class, "/orders").statusCode()).isEqualTo(404);
    }

    private static HttpResponse<String> get(Class<?> application, String path) throws Exception {
        var spring = new SpringApplication(application);
        try (ConfigurableApplicationContext context =
                spring.run("--server.port=0", "--management.endpoints.web.exposure.include=elasticjob")) {
            String port = context.getEnvironment().getProperty("local.server.port");
            URI uri = URI.create("http://localhost:" + port + "/actuator/elasticjob" + path);
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static Map<String, Object> json(HttpResponse<String> response) {
        return json(response.body());
    }

    private static Map<String, Object> json(String text) {
        return JsonParserFactory.getJsonParser().parseMap(text);
    }

    private static ElasticJobEndpoint endpoint(CompletionStage<JobReport> report) {
        JobInspector inspector = new JobInspector() {
            @Override
            public CompletionStage<List<JobReport>> jobs() {
                return report.thenApply(List::of);
            }

            @Override
            public CompletionStage<Optional<JobReport>> job(String jobName) {
                return report.thenApply(Optional::of)
                        .thenApply(found -> found.filter(job -> job.name().equals(jobName)));
            }
        };
        return new ElasticJobEndpoint(
                () -> List.of(inspector), List::of, new HistoryOperations(Optional::empty), Duration.ofMillis(50));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Answering {
        @Bean
        ElasticJobEndpoint answeringEndpoint() {
            return endpoint(CompletableFuture.completedFuture(ORDERS));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Unavailable {
        @Bean
        ElasticJobEndpoint unavailableEndpoint() {
            return endpoint(CompletableFuture.failedFuture(new RegistryUnavailableException("no connection")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Silent {
        @Bean
        ElasticJobEndpoint silentEndpoint() {
            return endpoint(new CompletableFuture<>());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class NoJobs {}
}
