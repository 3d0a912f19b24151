package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.job.HttpJobFailedException;
import dev.elasticjob.time.DurationText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends the request of an HTTP job for one item, with the context in a header; any status but 2xx is a failure. The
 * calling thread waits for all of the answer; interrupted, it cancels the request.
 */
final class HttpJobInvoker implements JobInvoker {
    private static final int FIRST_THAT_FAILS = 300;

    private final HttpClients clients;
    private final ContextText text = new ContextText();

    HttpJobInvoker(HttpClients clients) {
        this.clients = clients;
    }

    @Override
    public void invoke(ItemContext context) throws IOException, InterruptedException, HttpJobFailedException {
        HttpRequestSettings settings = context.definition()
                .http()
                .orElseThrow(() -> new IllegalStateException(
                        "Job \"%s\" is an HTTP job here, but of the type %s in the registry: stop the instances of one of"
                                        .formatted(
                                                context.getJobName(),
                                                context.definition().jobType())
                                + " the two"));
        CompletableFuture<HttpResponse<String>> sent =
                clients.with(settings.connectTimeout()).sendAsync(request(settings, context), HeadOfBody::handler);
        HttpResponse<String> response = await(sent, settings.responseTimeout());
        if (response.statusCode() >= FIRST_THAT_FAILS) {
            String asked = settings.method() + " " + settings.uri();
            throw new HttpJobFailedException(asked, response.statusCode(), response.body());
        }
    }

    private HttpRequest request(HttpRequestSettings settings, ItemContext context) {
        BodyPublisher body =
                settings.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(settings.body());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(settings.uri()))
                .method(settings.method(), body)
                .header(HttpRequestSettings.CONTEXT_HEADER, text.json(context));
        settings.headers().forEach(request::header);
        if (!settings.contentType().isEmpty()) {
            request.header("Content-Type", settings.contentType());
        }
        return request.build();
    }

    /** The client's own limit ends with the response's head: what trickles in after it would be waited for for ever. */
    private static HttpResponse<String> await(CompletableFuture<HttpResponse<String>> sent, Duration atMost)
            throws IOException, InterruptedException {
        try {
            return sent.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException(
                    "no complete response within %s (http.responseTimeout)".formatted(DurationText.of(atMost)));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(e.getCause());
        } finally {
            // Nothing where there is an answer; else it ends the request.
            sent.cancel(true);
        }
    }
}
