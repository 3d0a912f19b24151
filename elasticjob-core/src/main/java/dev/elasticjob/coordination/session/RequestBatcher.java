package dev.elasticjob.coordination.session;

import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Combines the requests of all jobs. Requests made in one turn of the executor are sent together, in order. While a
 * request is in flight, further ones gather for the next. No request waits for others: a single one is sent at once.
 * Each caller gets the answer that it would have got alone: if an answer doesn't apply to all, each request is sent
 * again alone.
 *
 * <p>Confined to the coordination executor. This is group commit, as databases do it (DeWitt et al., "Implementation
 * Techniques for Main Memory Database Systems", SIGMOD 1984), for reads too.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
final class RequestBatcher<Q, A> {
    /** Enough for hundreds of small transactions, and soon written. */
    private static final int MAX_BYTES_OF_COMMIT = 128 * 1024;

    /** The limit of an answer, as far as its size can be estimated: a client accepts 1 MB at most. */
    private static final int MAX_BYTES_OF_ANSWER = 256 * 1024;

    private final int maxBytes;
    private final BiPredicate<Q, Q> together;
    private final Function<List<Q>, CompletionStage<A>> transport;
    private final Predicate<A> answersAll;
    private final Predicate<Throwable> failsAll;
    private final Executor executor;
    private final Deque<Asked<Q, A>> waiting = new ArrayDeque<>();
    private boolean underWay;

    private record Asked<Q, A>(Q request, int bytes, CompletableFuture<A> answer) {}

    /** A transaction and its session. */
    record Commit(RegistrySession session, RegistryCommit commit) {}

    private RequestBatcher(
            int maxBytes,
            BiPredicate<Q, Q> together,
            Function<List<Q>, CompletionStage<A>> transport,
            Predicate<A> answersAll,
            Predicate<Throwable> failsAll,
            Executor executor) {
        this.maxBytes = maxBytes;
        this.together = together;
        this.transport = transport;
        this.answersAll = answersAll;
        this.failsAll = failsAll;
        this.executor = executor;
    }

    /**
     * Combines transactions: all are committed, or none. A refusal doesn't show which part caused it, so each is then
     * sent alone. A lost answer is lost for all parts.
     */
    static RequestBatcher<Commit, CommitOutcome> ofCommits(
            BiFunction<RegistrySession, RegistryCommit, CompletionStage<CommitOutcome>> transport, Executor executor) {
        return new RequestBatcher<>(
                MAX_BYTES_OF_COMMIT,
                (one, other) -> one.session().equals(other.session()),
                all -> transport.apply(all.get(0).session(), joined(all)),
                CommitOutcome::isCommitted,
                RegistryUnavailableException.class::isInstance,
                executor);
    }

    private static RegistryCommit joined(List<Commit> all) {
        RegistryCommit.Builder joined = RegistryCommit.builder();
        all.forEach(one -> joined.addAll(one.commit()));
        return all.size() == 1 ? all.get(0).commit() : joined.build();
    }

    /**
     * Combines reads. The answer may contain more than a caller asked for. Reads that fail together are sent alone: the
     * node of one job may be forbidden, or larger than expected.
     */
    static RequestBatcher<List<RegistryRead>, RegistryAnswer> ofReads(
            Function<List<RegistryRead>, CompletionStage<RegistryAnswer>> transport, Executor executor) {
        return new RequestBatcher<>(
                MAX_BYTES_OF_ANSWER,
                (one, other) -> true,
                all -> transport.apply(all.stream().flatMap(List::stream).toList()),
                answer -> true,
                error -> false,
                executor);
    }

    /**
     * Sends a request in its turn; completes on the executor.
     *
     * @param bytes its approximate size; a request larger than the limit is sent alone
     */
    CompletionStage<A> send(Q request, int bytes) {
        Asked<Q, A> asked = new Asked<>(request, bytes, new CompletableFuture<>());
        waiting.add(asked);
        if (!underWay) {
            underWay = true;
            executor.execute(this::sendNext);
        }
        return asked.answer();
    }

    private void sendNext() {
        List<Asked<Q, A>> next = next();
        underWay = !next.isEmpty();
        if (underWay) {
            send(next).whenComplete((answered, error) -> {
                if (error != null) {
                    next.forEach(one -> one.answer().completeExceptionally(Stages.unwrap(error)));
                }
                sendNext();
            });
        }
    }

    private List<Asked<Q, A>> next() {
        List<Asked<Q, A>> next = new ArrayList<>();
        int total = 0;
        for (Asked<Q, A> head = waiting.peek(); head != null; head = waiting.peek()) {
            total += head.bytes();
            if (!next.isEmpty()
                    && (total > maxBytes || !together.test(next.get(0).request(), head.request()))) {
                break;
            }
            next.add(waiting.remove());
        }
        return next;
    }

    /** A failure to send, even for lack of memory, counts as an answer, so that the next request is sent. */
    private CompletionStage<Void> send(List<Asked<Q, A>> all) {
        try {
            return transport
                    .apply(all.stream().map(Asked::request).toList())
                    .handle((answer, error) ->
                            error == null ? answered(all, answer) : failed(all, Stages.unwrap(error)))
                    .thenCompose(stage -> stage);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(Failures.printable(e));
        }
    }

    private CompletionStage<Void> answered(List<Asked<Q, A>> all, A answer) {
        if (all.size() > 1 && !answersAll.test(answer)) {
            return sendEachAlone(all);
        }
        all.forEach(one -> one.answer().complete(answer));
        return CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> failed(List<Asked<Q, A>> all, Throwable error) {
        if (all.size() > 1 && !failsAll.test(error)) {
            return sendEachAlone(all);
        }
        all.forEach(one -> one.answer().completeExceptionally(error));
        return CompletableFuture.completedFuture(null);
    }

    private CompletionStage<Void> sendEachAlone(List<Asked<Q, A>> all) {
        return Stages.all(all.stream().map(one -> send(List.of(one))).toList());
    }
}
