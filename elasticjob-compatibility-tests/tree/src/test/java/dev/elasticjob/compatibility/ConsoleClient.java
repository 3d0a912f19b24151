package dev.elasticjob.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks our console over HTTP as its page does: it waits by requests that are held until there is something new. */
final class ConsoleClient {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final String api;
    private final String authorization;

    /** @param console the address of the page, with a slash at its end */
    ConsoleClient(String console, String user, String password) {
        api = console + "api/v1/";
        authorization =
                "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    JsonNode get(String path) {
        HttpResponse<String> answer = send(request(path));
        assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** Waits until the answer is as it should be. */
    void await(String path, Predicate<JsonNode> wanted) {
        awaitAnswer(path, answer -> answer.statusCode() == 200 && wanted.test(JSON.readTree(answer.body())));
    }

    /** Waits until there is no such thing. */
    void awaitAbsence(String path) {
        awaitAnswer(path, answer -> answer.statusCode() == 404);
    }

    private void awaitAnswer(String path, Predicate<HttpResponse<String>> wanted) {
        long begun = System.nanoTime();
        HttpResponse<String> last = send(request(path));
        while (!wanted.test(last)) {
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .as("the wait for %s, which still answers %s", path, last.body())
                    .isLessThan(PATIENCE);
            HttpRequest.Builder next = request(path).header("Prefer", "wait=20");
            last.headers().firstValue("ETag").ifPresent(tag -> next.header("If-None-Match", tag));
            HttpResponse<String> answer = send(next);
            last = answer.statusCode() == 304 ? last : answer;
        }
    }

    /** Carries out a command, and answers with what came of it. */
    JsonNode command(String method, String path, String body) {
        JsonNode csrf = get("session").at("/csrf");
        return command(
                request(path)
                        .header(csrf.at("/header").asString(), csrf.at("/token").asString()),
                method,
                body);
    }

    /** A change of settings, on top of the present ones. */
    void change(String job, String settings) {
        String path = "registries/default/jobs/" + job + "/definition";
        JsonNode csrf = get("session").at("/csrf");
        command(
                request(path)
                        .header(csrf.at("/header").asString(), csrf.at("/token").asString())
                        .header("If-Match", "\"" + get(path).at("/version").asString() + "\""),
                "PATCH",
                "{\"settings\": " + settings + "}");
    }

    private JsonNode command(HttpRequest.Builder request, String method, String body) {
        HttpResponse<String> answer = send(request.header("Content-Type", "application/json")
                .header("X-ElasticJob", "1")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
        assertThat(answer.statusCode())
                .as("%s %s: %s", method, answer.uri(), answer.body())
                .isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(api + path))
                .header("Authorization", authorization)
                .timeout(PATIENCE);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
