package dev.elasticjob.coordination.completion;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how executions ended, in groups: while one transaction is in flight, further ends gather and go out together.
 * What is refused, or was claimed in a session that is over, is decided anew by what is there, as often as it takes.
 *
 * <p>Confined to the coordination executor.
 */
public final class CompletionWriter {
    private static final Logger log = LoggerFactory.getLogger(CompletionWriter.class);
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);

    private final JobScope scope;
    private final JobViewReader reader;
    private final CompletionTransactions transactions;
    private final Consumer<Completion> settled;
    private final ReconcileLoop loop;
    private final List<Completion> fresh = new ArrayList<>();
    private final Map<Integer, Completion> disputed = new LinkedHashMap<>();

    /** @param settled hears of each one that is written, or that somebody has superseded */
    public CompletionWriter(JobScope scope, JobViewReader reader, Consumer<Completion> settled) {
        this.scope = scope;
        this.reader = reader;
        this.transactions = new CompletionTransactions(scope.tree());
        this.settled = settled;
        this.loop = new ReconcileLoop(
                "Completions of job \"" + scope.jobName() + "\"", scope.connection(), scope.executor(), this::round);
    }

    public void add(Completion completion) {
        fresh.add(completion);
        loop.again();
    }

    private CompletionStage<Boolean> round() {
        Optional<RegistrySession> session = scope.connection().session();
        if (session.isEmpty()) {
            return fresh.isEmpty() && disputed.isEmpty()
                    ? NOTHING_MORE
                    : scope.connection().whenConnected().thenApply(connected -> true);
        }
        boolean inOrder = disputed.isEmpty();
        List<Completion> now = new ArrayList<>();
        for (Completion completion : fresh) {
            disputed.put(completion.claim().item(), completion);
            if (completion.claim().sessionId() == session.get().id()) {
                now.add(completion);
            }
        }
        fresh.clear();
        if (inOrder && !now.isEmpty()) {
            return commit(session.get(), transactions.settle(now));
        }
        return disputed.isEmpty() ? NOTHING_MORE : decideAnew(session.get());
    }

    /** Whatever is not written by this stays disputed. */
    private CompletionStage<Boolean> commit(RegistrySession session, List<Batch<Completion>> batches) {
        CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
        for (Batch<Completion> batch : batches) {
            all = all.thenComposeAsync(
                    soFar -> scope.connection()
                            .commit(session, batch.commit())
                            .thenApplyAsync(
                                    outcome -> {
                                        if (outcome instanceof Committed) {
                                            batch.parts().forEach(this::done);
                                        }
                                        return true;
                                    },
                                    scope.executor()),
                    scope.executor());
        }
        return all;
    }

    private void done(Completion completion) {
        disputed.remove(completion.claim().item());
        settled.accept(completion);
    }

    private CompletionStage<Boolean> decideAnew(RegistrySession session) {
        List<Completion> open = List.copyOf(disputed.values());
        return reader.itemsWithLocks(List.copyOf(disputed.keySet()))
                .thenComposeAsync(view -> decideAnew(session, open, view), scope.executor());
    }

    private CompletionStage<Boolean> decideAnew(RegistrySession session, List<Completion> open, ItemsView view) {
        List<Completion> again = new ArrayList<>();
        CompletionStage<Boolean> given = CompletableFuture.completedFuture(true);
        for (Completion completion : open) {
            int item = completion.claim().item();
            Optional<Completion> next = Optional.ofNullable(view.items().get(item))
                    .flatMap(read -> Completion.again(completion, read, lock(view, item)));
            if (next.isPresent()) {
                again.add(next.get());
            } else {
                given = given.thenComposeAsync(soFar -> giveUp(session, completion, view), scope.executor());
            }
        }
        Optional<RegistryNode> bell = again.stream().allMatch(Completion::holdsLock) ? Optional.empty() : view.runs();
        return given.thenComposeAsync(
                done -> commit(session, transactions.settleAgain(view.epoch(), bell, again)), scope.executor());
    }

    private static Optional<Long> lock(ItemsView view, int item) {
        return Optional.ofNullable(view.locks().get(item)).map(RegistryNode::czxid);
    }

    /** Nothing is left to write but, where it is still ours, the end of the lock. */
    private CompletionStage<Boolean> giveUp(RegistrySession session, Completion completion, ItemsView view) {
        ClaimedItem claim = completion.claim();
        ItemView read = view.items().get(claim.item());
        RegistryNode lock = view.locks().get(claim.item());
        if (read == null || !read.current().isSameExecution(claim.claimed())) {
            log.warn(
                    "Job \"{}\": the result of item {} (run \"{}\", attempt {}) was not recorded, because another"
                            + " instance has taken over the item",
                    scope.jobName(),
                    claim.item(),
                    claim.runId(),
                    claim.attempt());
        }
        if (read == null || lock == null || lock.czxid() != claim.token()) {
            done(completion);
            return CompletableFuture.completedFuture(true);
        }
        return scope.connection()
                .commit(session, transactions.unlock(view.epoch(), claim, read))
                .thenApplyAsync(
                        outcome -> {
                            if (outcome instanceof Committed) {
                                done(completion);
                            }
                            return true;
                        },
                        scope.executor());
    }
}
