package dev.elasticjob.samples.observability;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.testing.Heard;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.SmartLifecycle;

/** Each step of the sample's README, for the first item that fails: it leads from the metric to the stack trace. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailedInvoiceTest {
    private static final String FAILURE = "Expected the tax rate of ASIA within 2 s";

    private final Heard<JobEvent.ItemFinished> finished = new Heard<>();
    private final Heard<Line> log = new Heard<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            log.add(new Line(event.getLoggerName(), event.getFormattedMessage(), event.getMDCPropertyMap()));
        }
    };
    private ConfigurableApplicationContext application;
    private int port;
    private JobEvent.ItemFinished failed;

    private record Line(String logger, String text, Map<String, String> context) {
        boolean isOf(String simpleName) {
            return logger.endsWith("." + simpleName);
        }
    }

    @BeforeAll
    void startAndWaitForAFailure() throws Exception {
        // Chosen beforehand: the application posts its alerts to itself.
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        application = new SpringApplicationBuilder(ObservabilityApplication.class)
                .initializers(this::listen)
                .run(
                        "--server.port=" + port,
                        "--spring.datasource.url=jdbc:h2:mem:history;DB_CLOSE_DELAY=-1",
                        "--elasticjob.jobs.invoices.cron=* * * * * ?",
                        "--tax-service.requests-per-failure=2",
                        "--management.opentelemetry.tracing.export.schedule-delay=100ms",
                        "--logging.level.root=info",
                        "--logging.level.dev.elasticjob=info");
        // What comes after the failure shows that all listeners have received the failure.
        finished.await("a failed item, and the next firing", all -> {
            int first = indexOfFailure(all);
            return first >= 0 && isFollowedByAnotherFiring(all, first);
        });
        failed = finished.all().get(indexOfFailure(finished.all()));
    }

    /** To the log only now: Spring Boot removes all appenders when it sets up logging. */
    private void listen(ConfigurableApplicationContext context) {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        context.addApplicationListener(event -> {
            if (event instanceof PayloadApplicationEvent<?> payload
                    && payload.getPayload() instanceof JobEvent.ItemFinished one) {
                finished.add(one);
            }
        });
    }

    @AfterAll
    void stop() {
        application.close();
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).detachAppender(appender);
    }

    @Test
    void theMetricOfTheAlertCountsTheFailureAndNamesItsTrace() throws Exception {
        assertThat(get("/actuator/prometheus", "text/plain").lines())
                .anyMatch(
                        line -> line.matches(
                                "elasticjob_executions_seconds_count\\{.*job=\"invoices\",outcome=\"failed\",trigger=\"schedule\"} [1-9].*"));
        assertThat(get("/actuator/prometheus", "application/openmetrics-text;version=1.0.0")
                        .lines())
                .anyMatch(line -> line.matches("elasticjob_item_seconds_count\\{.*outcome=\"failed\".*trace_id=\".*"));
    }

    @Test
    void theHistoryHasTheFailedItemWithItsStackTrace() throws Exception {
        // Writes what it has received.
        application.getBean("elasticJobEventTrace", SmartLifecycle.class).stop();

        List<Map<String, Object>> entries = entries("/actuator/elasticjob/invoices/history?outcome=failed&runId="
                + URLEncoder.encode(failed.runId(), StandardCharsets.UTF_8));
        assertThat(entries).hasSize(1);
        assertThat(entries.get(0)).containsEntry("item", 2).containsEntry("outcome", "FAILED");
        assertThat(get("/actuator/elasticjob/invoices/history/" + entries.get(0).get("id"), "application/json"))
                .contains(
                        FAILURE, "InvoicesJob.execute(InvoicesJob.java:", "Caused by: java.net.SocketTimeoutException");
    }

    @Test
    void theSpansOfTheRunHaveTheTraceIdOfItsLogLines() {
        Line error = awaitLine(
                "the failure",
                line -> line.isOf("AlertErrorHandler")
                        && line.text().contains("item 2 failed (run \"" + failed.runId() + "\""));
        String trace = error.context().get("traceId");

        Line span = awaitLine(
                "the span of the item",
                line -> line.isOf("LoggingSpanExporter")
                        && line.text().startsWith("'item invoices' : " + trace)
                        && line.text().contains("elasticjob.item=\"2\""));
        assertThat(span.text()).contains("elasticjob.run=\"" + failed.runId() + "\"", "outcome=\"failed\"");
        awaitLine(
                "the span that the job made",
                line -> line.isOf("LoggingSpanExporter")
                        && line.text().startsWith("'tax.rate' : " + trace)
                        && line.text().contains("region=\"ASIA\""));
    }

    @Test
    void theAlertNamesTheItemAndTheRun() {
        Line alert = awaitLine("the alert", line -> line.isOf("AlertInbox"));

        assertThat(alert.text())
                .contains("\"job\":\"invoices\",\"item\":2,\"runId\":\"" + failed.runId() + "\"", FAILURE);
    }

    // ------------------------------------------------------------------ sentences

    private static int indexOfFailure(List<JobEvent.ItemFinished> all) {
        return all.stream().map(JobEvent.ItemFinished::outcome).toList().indexOf(ExecutionOutcome.FAILED);
    }

    private static boolean isFollowedByAnotherFiring(List<JobEvent.ItemFinished> all, int failure) {
        return all.stream()
                .skip(failure)
                .anyMatch(one -> !one.runId().equals(all.get(failure).runId()));
    }

    private Line awaitLine(String what, Predicate<Line> wanted) {
        log.await(what, lines -> lines.stream().anyMatch(wanted));
        return log.all().stream().filter(wanted).findFirst().orElseThrow();
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> entries(String path) throws Exception {
        return (List<Map<String, Object>>) JsonParserFactory.getJsonParser()
                .parseMap(get(path, "application/json"))
                .get("entries");
    }

    private String get(String path, String accepted) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Accept", accepted)
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }
}
