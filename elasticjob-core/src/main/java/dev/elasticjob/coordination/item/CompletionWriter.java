package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Writes the ends of executions in groups: while one transaction is in flight, further ends gather and are written
 * together. An end that is refused, or that was claimed in an expired session, is decided again from the registry's
 * present state, as often as necessary.
 *
 * <p>Confined to the coordination executor.
 */
public final class CompletionWriter {
    private final JobScope scope;
    private final JobViewReader reader;
    private final CompletionTransactions transactions;
    private final Consumer<Completion> settled;
    private final LossReporter losses;
    private final ReconcileLoop loop;
    private final List<Completion> fresh = new ArrayList<>();
    /** Ends whose write is not confirmed: they were sent, or can't be sent as they are. */
    private final Map<Integer, Completion> disputed = new LinkedHashMap<>();

    /** @param settled receives each end that is written or superseded by another execution */
    public CompletionWriter(JobScope scope, JobViewReader reader, Consumer<Completion> settled) {
        this.scope = scope;
        this.reader = reader;
        this.transactions = new CompletionTransactions(scope.tree());
        this.settled = settled;
        this.losses = new LossReporter(scope);
        this.loop = scope.loop("completions", this::round);
    }

    public void add(Completion completion) {
        fresh.add(completion);
        loop.again();
    }

    private CompletionStage<Next> round() {
        if (fresh.isEmpty() && disputed.isEmpty()) {
            return Next.WAIT.stage();
        }
        Optional<RegistrySession> session = scope.connection().session();
        if (session.isEmpty()) {
            return scope.connection().whenConnected().thenApply(connected -> Next.AGAIN);
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
        return inOrder && !now.isEmpty()
                ? commit(session.get(), transactions.complete(now))
                : decideAnew(session.get());
    }

    /** Ends that this transaction doesn't write stay disputed. */
    private CompletionStage<Next> commit(RegistrySession session, List<Batch<Completion>> batches) {
        return Stages.inOrder(
                        batches,
                        batch -> scope.connection()
                                .commit(session, batch.commit())
                                .thenAccept(outcome -> {
                                    if (outcome.isCommitted()) {
                                        batch.parts().forEach(this::written);
                                    }
                                }))
                .thenApply(sent -> Next.AGAIN);
    }

    private void written(Completion completion) {
        if (completion.isCancelled()) {
            ClaimedItem claim = completion.claim();
            scope.events()
                    .accept(new JobEvent.ItemCancelled(
                            scope.jobName(),
                            claim.instance(),
                            claim.item(),
                            claim.scheduledAt(),
                            claim.runId(),
                            claim.attempt(),
                            String.valueOf(completion.next().failure())));
        }
        done(completion);
    }

    private void done(Completion completion) {
        disputed.remove(completion.claim().item());
        settled.accept(completion);
    }

    private CompletionStage<Next> decideAnew(RegistrySession session) {
        List<Completion> open = List.copyOf(disputed.values());
        return reader.itemsWithLocks(List.copyOf(disputed.keySet()))
                .thenCompose(view -> decideAnew(session, open, view));
    }

    private CompletionStage<Next> decideAnew(RegistrySession session, List<Completion> open, ItemsView view) {
        List<Completion> again = new ArrayList<>();
        List<Completion> superseded = new ArrayList<>();
        for (Completion completion : open) {
            int item = completion.claim().item();
            Optional<ItemView> read = Optional.ofNullable(view.items().get(item));
            Optional<Long> lock = Optional.ofNullable(view.locks().get(item)).map(RegistryNode::czxid);
            read.flatMap(now -> Completion.again(completion, now, lock))
                    .ifPresentOrElse(again::add, () -> superseded.add(completion));
        }
        Optional<RegistryNode> signal = again.stream().allMatch(Completion::holdsLock) ? Optional.empty() : view.runs();
        return Stages.inOrder(superseded, completion -> giveUp(session, completion, view))
                .thenCompose(done -> commit(session, transactions.completeAgain(view.epoch(), signal, again)));
    }

    /**
     * Whether the registry has lost its data since the claim, and nobody will repeat the execution: nothing shows that it
     * was interrupted. An older record shows that its firing is owed.
     */
    private boolean isForgotten(Completion completion, Optional<ItemView> read) {
        boolean over = completion.ending() instanceof ExecutionResult.Returned returned
                && returned.state() != ItemState.INTERRUPTED;
        return !over
                && !completion.claim().dataId().equals(scope.connection().dataId())
                && read.filter(item -> item.current().state() != ItemState.NEW).isEmpty();
    }

    private void tellLost(Completion completion) {
        ClaimedItem claim = completion.claim();
        claim.run()
                .ifPresentOrElse(
                        run -> losses.tellDropped(
                                claim.item(),
                                run.runIds(),
                                "it was interrupted, and the registry has lost its data. Trigger the job again if the work"
                                        + " is needed"),
                        () -> losses.tellLost(claim.item(), claim.scheduledAt()));
    }

    /** Only the lock remains to be deleted, if it is still that of the claim. */
    private CompletionStage<Next> giveUp(RegistrySession session, Completion completion, ItemsView view) {
        ClaimedItem claim = completion.claim();
        ItemView read = view.items().get(claim.item());
        RegistryNode lock = view.locks().get(claim.item());
        UnrecordedResult.of(completion, Optional.ofNullable(read)).ifPresent(UnrecordedResult::log);
        if (isForgotten(completion, Optional.ofNullable(read))) {
            tellLost(completion);
        }
        if (read == null || lock == null || lock.czxid() != claim.token()) {
            done(completion);
            return Next.AGAIN.stage();
        }
        return scope.connection()
                .commit(session, transactions.unlock(view.epoch(), claim, read))
                .thenApply(outcome -> {
                    if (outcome.isCommitted()) {
                        done(completion);
                    }
                    return Next.AGAIN;
                });
    }
}
