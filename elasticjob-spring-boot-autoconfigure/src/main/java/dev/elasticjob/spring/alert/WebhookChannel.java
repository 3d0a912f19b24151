package dev.elasticjob.spring.alert;

import dev.elasticjob.job.Failures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends alerts as JSON by POST. The address counts as a secret: it usually has a token in it.
 *
 * @param headers further headers of each request
 * @param secret for formats that sign
 */
record WebhookChannel(
        HttpClient client,
        Duration timeout,
        MessageFormat format,
        URI uri,
        Map<String, String> headers,
        String prefix,
        @Nullable String secret)
        implements AlertChannel {
    private static final int SUCCESS = 2;

    @Override
    public void send(Alert alert) throws IOException, InterruptedException {
        Message message = format.message(uri, alert, prefix, secret);
        HttpRequest.Builder request = HttpRequest.newBuilder(message.uri())
                .timeout(timeout)
                .POST(HttpRequest.BodyPublishers.ofString(message.body(), StandardCharsets.UTF_8))
                .header("Content-Type", "application/json; charset=utf-8");
        headers.forEach(request::setHeader);
        HttpResponse<String> answer;
        try {
            answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException("%s did not answer: %s".formatted(host(), withoutSecrets(Failures.text(e))));
        }
        if (answer.statusCode() / 100 != SUCCESS) {
            throw new IOException("Expected %s to accept the message, but it answered with status %d"
                    .formatted(host(), answer.statusCode()));
        }
        format.refusal(answer.body()).ifPresent(reason -> {
            throw new IllegalStateException("%s refused the message: %s".formatted(host(), withoutSecrets(reason)));
        });
    }

    private String host() {
        return "\"" + uri.getScheme() + "://" + uri.getHost() + "\"";
    }

    private String withoutSecrets(String text) {
        String clean = text.replace(uri.toString(), host());
        return secret == null ? clean : clean.replace(secret, "…");
    }

    /** Without what may be a secret. */
    @Override
    public String toString() {
        return "WebhookChannel[format=%s, host=%s]".formatted(format, host());
    }
}
