package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.spring.trace.EventTrace;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
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
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The history of jobs over HTTP, from a trace in a database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryWebTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() {
        application = new SpringApplication(Shop.class)
                .run(
                        "--server.port=0",
                        "--management.endpoints.web.exposure.include=elasticjob",
                        "--elasticjob.tracing.enabled=true",
                        "--elasticjob.tracing.retention=0");
        EventTrace trace = application.getBean(EventTrace.class);
        for (int firing = 0; firing < 3; firing++) {
            trace.onEvent(finished(0, firing, ExecutionOutcome.COMPLETED));
            trace.onEvent(finished(1, firing, firing == 1 ? ExecutionOutcome.FAILED : ExecutionOutcome.COMPLETED));
        }
        trace.stop();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @Test
    void historyIsPagedAndFiltered() throws Exception {
        Map<String, Object> first = json(get("/orders/history?limit=4"));
        Map<String, Object> second = json(get("/orders/history?limit=4&after=" + first.get("next")));
        Map<String, Object> failed =
                json(get("/orders/history?outcome=failed,timeout&item=1&from=2026-03-01T12:00:01Z"));

        assertThat(entries(first)).hasSize(4);
        assertThat(entries(second)).hasSize(2);
        assertThat(second).containsEntry("next", null);
        assertThat(entries(failed))
                .singleElement()
                .satisfies(entry -> assertThat(entry)
                        .containsEntry("runId", "orders@2026-03-01T12:00:01Z")
                        .containsEntry("outcome", "FAILED")
                        .containsEntry("instance", "10.0.0.1@-@7")
                        .containsEntry("trigger", "SCHEDULE"));
    }

    @Test
    void anEntryHasTheStackTraceAndItsSteps() throws Exception {
        Map<String, Object> failed = json(get("/orders/history?outcome=FAILED"));
        String id = String.valueOf(entries(failed).get(0).get("id"));

        HttpResponse<String> response = get("/orders/history/" + id);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("java.lang.IllegalStateException: no stock", "\\tat ", "TASK_ERROR");
        assertThat(get("/billing/history/" + id).statusCode()).isEqualTo(404);
    }

    @Test
    void runsAreAGrid() throws Exception {
        Map<String, Object> grid = json(get("/orders/runs?limit=2"));

        assertThat(grid.get("items")).isEqualTo(List.of(0, 1));
        assertThat(grid.get("runs"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .hasSize(2);
        assertThat(json(get("/orders/runs?limit=2&after=" + grid.get("next")))).containsEntry("next", null);
    }

    @Test
    void whatCannotBeUnderstoodIsABadRequest() throws Exception {
        assertThat(get("/orders/history?outcome=broken").statusCode()).isEqualTo(400);
        assertThat(get("/orders/history?outcome=broken").body()).contains("COMPLETED", "broken");
        assertThat(get("/orders/history?limit=0").statusCode()).isEqualTo(400);
        assertThat(get("/orders/history?after=broken").statusCode()).isEqualTo(400);
        assertThat(get("/orders/history?from=yesterday").statusCode()).isEqualTo(400);
        assertThat(get("/orders/runs?limit=1000000").statusCode()).isEqualTo(400);
        assertThat(get("/orders/other").statusCode()).isEqualTo(404);
    }

    @Test
    void aDatabaseThatCannotBeReadIsReportedAsUnavailable() throws Exception {
        JdbcTemplate jdbc = new JdbcTemplate(application.getBean(DataSource.class));
        jdbc.execute("ALTER TABLE JOB_STATUS_TRACE_LOG RENAME TO GONE");
        try {
            String id =
                    String.valueOf(entries(json(get("/orders/history"))).get(0).get("id"));

            HttpResponse<String> response = get("/orders/history/" + id);

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).contains("The database of the event trace can't be read");
        } finally {
            jdbc.execute("ALTER TABLE GONE RENAME TO JOB_STATUS_TRACE_LOG");
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        URI uri = URI.create("http://localhost:" + port + "/actuator/elasticjob" + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, Object> json(HttpResponse<String> response) {
        return JsonParserFactory.getJsonParser().parseMap(response.body());
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> entries(Map<String, Object> page) {
        return (List<Map<String, Object>>) page.get("entries");
    }

    private static JobEvent finished(int item, int firing, ExecutionOutcome outcome) {
        Instant at = NOON.plusSeconds(firing);
        return new JobEvent.ItemFinished(
                "orders",
                "10.0.0.1@-@7",
                item,
                at,
                "orders@" + at,
                1,
                ExecutionTrigger.SCHEDULE,
                at,
                at.plusMillis(100),
                0,
                outcome,
                outcome == ExecutionOutcome.FAILED
                        ? Optional.of(new IllegalStateException("no stock"))
                        : Optional.empty(),
                Optional.empty());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }
    }
}
