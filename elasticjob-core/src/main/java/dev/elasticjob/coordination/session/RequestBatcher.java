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
 * Lets what all jobs ask of the registry share requests. What is asked in one turn of the executor goes out together, in
 * its order; while a request is under way, what is asked gathers for the next one. Nothing waits for company: a request
 * goes out at once if there is no other. Each asker gets the answer that it would have got alone: where an answer is not
 * one for all, each request is sent again alone.
 *
 * <p>Confined to the coordination executor. This is group commit, as databases do it (DeWitt et al., "Implementation
 * Techniques for Main Memory Database Systems", SIGMOD 1984), for reads too.
 *
 * @param <Q> what is asked
 * @param <A> the answer
 */
final class RequestBatcher<Q, A> {
    /** Enough for hundreds of small transactions, and soon written. */
    private static final int MAX_BYTES_OF_COMMIT = 128 * 1024;

    /** As far as an answer can be foreseen: a client takes one of 1 MB at most. */
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

    /** A transaction, in the session in which it is to be carried out. */
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
     * Shares transactions: all are carried out, or none. A refusal does not tell whose fault it is, so each is sent alone
     * then. An answer that is lost is lost to all that shared it.
     *
     * @param transport sends a transaction, once; completes on the executor
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
     * Shares reads; the answer may hold more than was asked. Reads that fail together are sent alone: one job's node may
     * be forbidden, or have outgrown the answer that was expected.
     *
     * @param transport sends a request, once; completes on the executor
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
     * @param bytes that it will take, roughly; what is larger than a shared request may be goes alone
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

    /** A failure to send, even for lack of memory, is an answer too: the next request has to go out. */
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
