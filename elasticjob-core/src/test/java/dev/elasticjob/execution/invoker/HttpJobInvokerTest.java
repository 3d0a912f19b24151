package dev.elasticjob.execution.invoker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.execution.Claims;
import dev.elasticjob.job.HttpJobFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class HttpJobInvokerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final UnaryOperator<String> SECRETS = text -> text.replace("${token}", "s3cret");

    private final HttpJobInvoker invoker = declaring(HttpRequestSettings.of("http://localhost/"), text -> text);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CompletableFuture<Asked> asked = new CompletableFuture<>();
    private HttpServer server;

    private record Asked(String method, String path, Map<String, String> headers, String body) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void theRequestIsSentAsItIsSetWithTheContextInAHeader() throws Exception {
        answer(204, "");

        invoker.invoke(Claims.context(job(request("/close-day?dry=true")
                .withBody("PUT", "{\"a\":\"ü\"}", "application/json")
                .withHeaders(Map.of("X-Key", "s3cret")))));

        Asked got = asked.join();
        assertThat(got.method()).isEqualTo("PUT");
        assertThat(got.path()).isEqualTo("/close-day?dry=true");
        assertThat(got.body()).isEqualTo("{\"a\":\"ü\"}");
        assertThat(got.headers())
                .containsEntry("content-type", "application/json")
                .containsEntry("x-key", "s3cret");
        JsonNode context = JsonMapper.shared().readTree(got.headers().get("shardingcontext"));
        assertThat(context.get("shardingItem").asInt()).isEqualTo(1);
        assertThat(context.get("shardingParameter").asString()).isEqualTo("北京");
        assertThat(context.get("attempt").asInt()).isEqualTo(2);
    }

    @Test
    void referencesAreReplacedByWhatTheInstanceHas() throws Exception {
        answer(204, "");
        var request = authorized("/").withBody("POST", "token=${token}", "");

        declaring(request, SECRETS).invoke(Claims.context(job(request)));

        assertThat(asked.join().body()).isEqualTo("token=s3cret");
        assertThat(asked.join().headers()).containsEntry("authorization", "Bearer s3cret");
    }

    /** The path, the method and what has no reference may be changed by operators. */
    @Test
    void referencesAreReplacedIfTheRegistryHasAnotherPathOnTheSameHost() throws Exception {
        answer(204, "");
        var stored = authorized("/close-month").withBody("POST", "all", "text/plain");

        declaring(authorized("/close-day"), SECRETS).invoke(Claims.context(job(stored)));

        assertThat(asked.join().path()).isEqualTo("/close-month");
        assertThat(asked.join().headers()).containsEntry("authorization", "Bearer s3cret");
    }

    /** Otherwise, whoever can change the stored request could read the secrets of an instance. */
    @Test
    void noSecretIsSentByARequestThatTheInstanceDoesNotDeclare() {
        answer(204, "");
        var declared = HttpRequestSettings.of("https://billing.example.com/")
                .withHeaders(Map.of("Authorization", "Bearer ${token}"));

        for (var declares : List.of(declared, request("/"), authorized("/").withHeaders(Map.of("X-Key", "${token}")))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> declaring(declares, SECRETS).invoke(Claims.context(job(authorized("/")))))
                    .withMessageContaining("\"Authorization\"")
                    .withMessageContaining(declares == declared ? "another host" : "another text")
                    .satisfies(failure -> assertThat(failure).hasMessageNotContaining("s3cret"));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> declaring(authorized("/"), SECRETS)
                        .invoke(Claims.context(job(authorized("/").withBody("POST", "${token}", "")))))
                .withMessageContaining("the body");
        assertThat(asked).isNotDone();
    }

    @Test
    void aReferenceWithoutAValueIsNamed() {
        var request = request("/").withHeaders(Map.of("Authorization", "Bearer s3cret ${token}"));
        var missing = declaring(request, text -> {
            throw new IllegalArgumentException("Set the property \"token\"", new IllegalStateException(text));
        });

        assertThatIllegalArgumentException()
                .isThrownBy(() -> missing.invoke(Claims.context(job(request))))
                .withMessageContainingAll("\"Authorization\"", "Set the property \"token\"")
                .withNoCause()
                .satisfies(failure -> assertThat(failure).hasMessageNotContaining("s3cret"));
    }

    @Test
    void aValueThatAHeaderCannotHaveIsRefused() {
        var unsendable = declaring(authorized("/"), text -> "s3cret\r\nHost: elsewhere");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> unsendable.invoke(Claims.context(job(authorized("/")))))
                .withMessageContaining("\"Authorization\"")
                .satisfies(failure -> assertThat(failure).hasMessageNotContaining("s3cret"));
    }

    @Test
    void withoutABodyNoneIsSent() throws Exception {
        answer(200, "done");

        invoker.invoke(Claims.context(job(request("/"))));

        assertThat(asked.join().method()).isEqualTo("GET");
        assertThat(asked.join().headers()).doesNotContainKey("content-type");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 500, 503})
    void aStatusThatSaysNoIsAFailureWithTheHeadOfTheAnswer(int status) {
        answer(status, "day is closed " + "x".repeat(100_000));

        var failure = failure(
                HttpJobFailedException.class, job(request("/close-day").withHeaders(Map.of("X-Key", "s3cret"))));

        assertThat(failure.status()).isEqualTo(status);
        assertThat(failure.answer()).startsWith("day is closed x").hasSizeLessThan(1_010);
        assertThat(failure)
                .hasMessageContainingAll("GET http://", "/close-day", String.valueOf(status))
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aRedirectIsAFailureAndNotFollowed() {
        server.createContext("/elsewhere", exchange -> asked.complete(null));
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            send(exchange, 302, "");
        });

        assertThat(failure(HttpJobFailedException.class, job(request("/"))))
                .hasMessageContainingAll("302", "redirect is not followed");
        assertThat(asked).isNotDone();
    }

    @Test
    void anAnswerThatDoesNotBeginInTimeIsAFailure() {
        server.createContext("/", exchange -> asked.complete(null));

        assertThat(failure(HttpTimeoutException.class, job(hurried(request("/")))))
                .hasMessageContainingAll("GET http://", "within 300 ms");
    }

    @Test
    void anAnswerThatDoesNotEndInTimeIsAFailure() {
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
        });

        assertThat(failure(HttpTimeoutException.class, job(hurried(request("/")))))
                .hasMessageContainingAll("GET http://", "within 300 ms");
    }

    @Test
    void nobodyThereIsAFailure() {
        server.stop(0);

        assertThat(failure(ConnectException.class, job(request("/close-day?token=s3cret"))))
                .hasMessageContainingAll(
                        "GET http://", "/close-day?…", "no connection to the server", "ConnectException")
                .hasMessageNotContaining("s3cret")
                .hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void aConnectionThatBreaksIsAFailureOfTheRequest() {
        server.createContext("/", HttpExchange::close);

        assertThat(failure(IOException.class, job(request("/close-day"))))
                .hasMessageContainingAll("GET http://", "/close-day", "failed: ");
    }

    @Test
    void interruptionCancelsTheRequest() throws Exception {
        CompletableFuture<Throwable> cut = new CompletableFuture<>();
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            asked.complete(null);
            try {
                while (true) {
                    exchange.getResponseBody().write(new byte[1_000]);
                }
            } catch (IOException e) {
                cut.complete(e);
            }
        });
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread item = new Thread(() -> {
            try {
                invoker.invoke(Claims.context(job(request("/").withTimeouts(PATIENCE, PATIENCE.multipliedBy(10)))));
            } catch (Exception e) {
                ended.complete(e);
            }
        });
        item.start();
        asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        item.interrupt();

        assertThat(ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(cut.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    }

    private void answer(int status, String body) {
        server.createContext("/", exchange -> {
            asked.complete(new Asked(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders().entrySet().stream()
                            .collect(java.util.stream.Collectors.toMap(
                                    header -> header.getKey().toLowerCase(java.util.Locale.ROOT),
                                    header -> header.getValue().get(0))),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            send(exchange, status, body);
        });
    }

    private static void send(HttpExchange exchange, int status, String body) {
        try (exchange) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <E extends Throwable> E failure(Class<E> type, JobDefinition job) {
        return catchThrowableOfType(type, () -> invoker.invoke(Claims.context(job)));
    }

    private static HttpJobInvoker declaring(HttpRequestSettings declared, UnaryOperator<String> references) {
        return new HttpJobInvoker(
                claimed -> claimed.http().orElseThrow().resolved(declared, references), new HttpClients());
    }

    private HttpRequestSettings authorized(String path) {
        return request(path).withHeaders(Map.of("Authorization", "Bearer ${token}"));
    }

    private HttpRequestSettings request(String path) {
        return HttpRequestSettings.of("http://localhost:" + server.getAddress().getPort() + path);
    }

    private static HttpRequestSettings hurried(HttpRequestSettings request) {
        return request.withTimeouts(PATIENCE, Duration.ofMillis(300));
    }

    private static JobDefinition job(HttpRequestSettings request) {
        return JobDefinition.builder("billing")
                .cron("0 * * * * ?")
                .jobType(JobType.HTTP)
                .http(request)
                .shardingTotalCount(3)
                .shardingItemParameters("1=北京")
                .build();
    }
}
