package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Reads for all jobs, several at once where they are asked for at the same time. What fails together is read alone: one
 * job's node may be forbidden, or have outgrown the answer that was expected.
 *
 * <p>Confined to the coordination executor.
 */
final class ReadBatcher implements RequestBatcher.Sending<ReadBatcher.Asked> {
    /** Of one answer, as far as it can be foreseen: a client takes one of 1 MB at most. */
    private static final int MAX_BYTES = 256 * 1024;

    private final Function<List<RegistryRead>, CompletionStage<RegistryAnswer>> transport;
    private final RequestBatcher<Asked> requests;

    /** @param transport sends a request, once; completes on the executor */
    ReadBatcher(Function<List<RegistryRead>, CompletionStage<RegistryAnswer>> transport, Executor executor) {
        this.transport = transport;
        this.requests = new RequestBatcher<>(MAX_BYTES, Asked::bytes, (one, other) -> true, this, executor);
    }

    record Asked(List<RegistryRead> reads, int bytes, CompletableFuture<RegistryAnswer> answer) {}

    /**
     * Reads; completes on the executor. The answer may hold more than was asked for.
     *
     * @param bytes that the answer will take, roughly
     */
    CompletionStage<RegistryAnswer> read(List<RegistryRead> reads, int bytes) {
        CompletableFuture<RegistryAnswer> answer = new CompletableFuture<>();
        requests.add(new Asked(reads, bytes, answer));
        return answer;
    }

    @Override
    public CompletionStage<Boolean> together(List<Asked> all) {
        List<RegistryRead> joined = new ArrayList<>();
        all.forEach(one -> joined.addAll(one.reads()));
        return transport.apply(joined).handle((answer, error) -> {
            if (error == null) {
                all.forEach(one -> one.answer().complete(answer));
            }
            return error == null;
        });
    }

    @Override
    public CompletionStage<?> alone(Asked one) {
        return transport.apply(one.reads()).handle((answer, error) -> RequestBatcher.pass(one.answer(), answer, error));
    }

    @Override
    public void failed(Asked one, Throwable failure) {
        one.answer().completeExceptionally(failure);
    }
}
