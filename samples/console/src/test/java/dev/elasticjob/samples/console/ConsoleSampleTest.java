package dev.elasticjob.samples.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The sample as it is run, and what its page reads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleSampleTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String JOBS = "/elasticjob/api/v1/registries/default/jobs";
    private static final String OPS =
            "Basic " + Base64.getEncoder().encodeToString("ops:ops".getBytes(StandardCharsets.UTF_8));

    private final HttpClient browser = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext shop = SpringApplication.run(
            ConsoleSampleApplication.class,
            "--server.port=0",
            "--elasticjob.registry.embedded.port=0",
            "--elasticjob.shutdown-timeout=1s");

    @AfterAll
    void stop() {
        shop.close();
    }

    @Test
    void thePageIsServedToTheOperator() {
        assertThat(get("/elasticjob/", "").body()).contains("id=\"console\"");
        assertThat(get("/elasticjob/api/v1/session", "").body())
                .contains("\"user\":\"ops\"", "\"OPERATOR\"", "\"namespace\":\"shop\"");
    }

    @Test
    void theListShowsJobsInDifferentStates() {
        String list = await(JOBS, text -> text.contains("\"PAUSED\"") && text.contains("\"DISABLED\""));

        assertThat(list)
                .contains("\"orders\"", "\"report\"", "\"import\"", "\"newsletter\"", "\"old-report\"", "\"reindex\"");
    }

    @Test
    void theFailureOfAnItemAndTheDisabledItemAreThere() {
        await(JOBS + "/orders", text -> text.contains("\"disabled\":true"));
        shop.getBean(JobAdmin.class)
                .run("orders", RunRequest.create())
                .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();

        String job = await(JOBS + "/orders", text -> text.contains("\"FAILED\""));
        String items = await(JOBS + "/orders/items", text -> text.contains("Order 4711 has no address"));

        assertThat(job).contains("\"COMPLETED\"");
        assertThat(items).contains("\"item\":3");
        assertThat(get(JOBS + "/orders/items/5/explanation", "").body()).contains("ITEM_DISABLED");
        assertThat(get(JOBS + "/newsletter/next?count=3", "").body()).contains("\"times\":[");
    }

    /** As the page does: asks again when something has changed, which the console holds the request for. */
    private String await(String path, Predicate<String> wanted) {
        Instant end = Instant.now().plus(LIMIT);
        HttpResponse<String> answer = get(path, "");
        String text = answer.body();
        while (!wanted.test(text)) {
            assertThat(Instant.now()).as(text).isBefore(end);
            answer = get(path, answer.headers().firstValue("ETag").orElse(""));
            text = answer.statusCode() == 304 ? text : answer.body();
        }
        return text;
    }

    private HttpResponse<String> get(String path, String known) {
        String port = shop.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(LIMIT)
                .header("Authorization", OPS);
        if (!known.isEmpty()) {
            request.header("If-None-Match", known).header("Prefer", "wait=8");
        }
        try {
            HttpResponse<String> response = browser.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isIn(200, 304);
            return response;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
