package dev.elasticjob.execution.invoker;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Keeps the head of a response's body, and lets the rest pass. Called by one thread at a time: the client's. */
final class HeadOfBody implements BodySubscriber<String> {
    private static final int KEPT = 1_000;

    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final ByteBuffer head = ByteBuffer.allocate(KEPT);

    static BodySubscriber<String> handler(ResponseInfo response) {
        return new HeadOfBody();
    }

    @Override
    public CompletionStage<String> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            int kept = Math.min(head.remaining(), buffer.remaining());
            head.put(buffer.slice(buffer.position(), kept));
            buffer.position(buffer.limit());
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        String text = StandardCharsets.UTF_8.decode(head.flip()).toString();
        body.complete(head.limit() == KEPT ? text + "…" : text);
    }
}
