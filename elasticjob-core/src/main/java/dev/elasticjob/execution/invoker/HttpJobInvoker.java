package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.HttpJobFailedException;
import dev.elasticjob.time.DurationText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Sends the request of an HTTP job for one item, with the context in a header; any status but 2xx is a failure. The
 * calling thread waits for the whole response; if it is interrupted, it cancels the request.
 */
final class HttpJobInvoker implements JobInvoker {
    private static final int FIRST_THAT_FAILS = 300;
    private static final int KEPT_OF_BODY = 1_000;

    private final Function<JobDefinition, HttpRequestSettings> requests;
    private final HttpClients clients;

    /**
     * Sends all requests.
     *
     * @param references replaces the references in what a job of the application sends
     */
    record OfRequests(UnaryOperator<String> references, HttpClients clients) implements KindInvoker {
        @Override
        public JobType type() {
            return JobType.HTTP;
        }

        @Override
        public JobInvoker declared(JobDefinition declared, UnaryOperator<JobDefinition> chosen) {
            HttpRequestSettings here = request(declared);
            return new HttpJobInvoker(claimed -> request(chosen.apply(claimed)).resolved(here, references), clients);
        }

        /** Without its references replaced. */
        @Override
        public JobInvoker kept() {
            return new HttpJobInvoker(OfRequests::request, clients);
        }

        private static HttpRequestSettings request(JobDefinition job) {
            return job.http().orElseThrow();
        }
    }

    /** @param requests makes the request that is sent from the definition of the claim */
    HttpJobInvoker(Function<JobDefinition, HttpRequestSettings> requests, HttpClients clients) {
        this.requests = requests;
        this.clients = clients;
    }

    @Override
    public void invoke(ItemContext context) throws IOException, InterruptedException, HttpJobFailedException {
        HttpRequestSettings settings = requests.apply(context.definition());
        String asked = asked(settings);
        HttpResponse<String> response;
        try {
            HttpClient client = clients.of(settings.connectTimeout());
            response = await(
                    client.sendAsync(request(settings, context), any -> headOfBody()), settings.responseTimeout());
        } catch (IOException e) {
            throw named(asked, e);
        }
        if (response.statusCode() >= FIRST_THAT_FAILS) {
            throw new HttpJobFailedException(asked, response.statusCode(), response.body());
        }
    }

    /** The method and the URI, without what may be secret in it. */
    private static String asked(HttpRequestSettings settings) {
        String uri = settings.uri();
        int query = uri.indexOf('?');
        return settings.method() + " " + (query < 0 ? uri : uri.substring(0, query) + "?…");
    }

    /** The same kind of failure with the request in its text: those of the client often have none at all. */
    private static IOException named(String asked, IOException failure) {
        if (failure instanceof ConnectException) {
            ConnectException named = new ConnectException(
                    "\"%s\" was not sent, because there is no connection to the server: %s. Check that it runs, and that this instance may reach it"
                            .formatted(asked, Failures.text(failure)));
            named.initCause(failure);
            return named;
        }
        String text = "\"%s\" failed: %s".formatted(asked, Failures.text(failure));
        if (failure instanceof HttpTimeoutException) {
            HttpTimeoutException named = new HttpTimeoutException(text);
            named.initCause(failure);
            return named;
        }
        return new IOException(text, failure);
    }

    private static HttpRequest request(HttpRequestSettings settings, ItemContext context) {
        BodyPublisher body =
                settings.body().isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(settings.body());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(settings.uri()))
                .method(settings.method(), body)
                .header(HttpRequestSettings.CONTEXT_HEADER, ContextText.json(context));
        settings.headers().forEach(request::header);
        if (!settings.contentType().isEmpty()) {
            request.header("Content-Type", settings.contentType());
        }
        return request.build();
    }

    /** Keeps the beginning of the body, and discards the rest. */
    private static BodySubscriber<String> headOfBody() {
        ByteBuffer head = ByteBuffer.allocate(KEPT_OF_BODY);
        return BodySubscribers.mapping(
                BodySubscribers.ofByteArrayConsumer(next ->
                        next.ifPresent(bytes -> head.put(bytes, 0, Math.min(bytes.length, head.remaining())))),
                done -> {
                    String text = StandardCharsets.UTF_8.decode(head.flip()).toString();
                    return head.limit() == KEPT_OF_BODY ? text + "…" : text;
                });
    }

    /** The client's own limit covers only the head of the response: a slow body could take forever. */
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
            // Has no effect if there is a response; otherwise it ends the request.
            sent.cancel(true);
        }
    }
}
