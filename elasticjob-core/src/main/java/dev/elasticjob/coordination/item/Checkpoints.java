package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes the newest checkpoint of each execution: those of a job together, and at most once a second, so that a stream
 * may set one after each batch. A checkpoint that is not written when its execution ends is written with the end.
 *
 * <p>A checkpoint is written only while the record is the one that the claim wrote, so that a superseded execution
 * can't overwrite the checkpoint of its successor. A checkpoint from a former session waits for the end of its
 * execution.
 *
 * <p>Confined to the coordination executor.
 */
public final class Checkpoints {
    public static final int MAX_BYTES = ItemView.MAX_BYTES_OF_CHECKPOINT;

    private static final Duration REST = Duration.ofSeconds(1);

    private final JobScope scope;
    private final JobViewReader reader;
    private final CompletionTransactions transactions;
    private final ReconcileLoop loop;
    private final Map<Integer, Unwritten> open = new TreeMap<>();
    private boolean rests;

    public Checkpoints(JobScope scope, JobViewReader reader) {
        this.scope = scope;
        this.reader = reader;
        this.transactions = new CompletionTransactions(scope.tree());
        this.loop = scope.loop("checkpoints", this::round);
    }

    private static final class Unwritten {
        private final ClaimedItem claim;
        private int epoch;
        private boolean hasNode;
        private @Nullable String unwritten;
        private boolean superseded;

        Unwritten(ClaimedItem claim) {
            this.claim = claim;
            this.epoch = claim.epoch();
            this.hasNode = claim.checkpoint().isPresent();
        }

        Optional<Checkpoint> next() {
            return Optional.ofNullable(unwritten).map(text -> new Checkpoint(claim, epoch, text, hasNode));
        }
    }

    /** Sets the newest checkpoint of a running execution. */
    public void keep(ClaimedItem claim, String text) {
        open.computeIfAbsent(claim.item(), any -> new Unwritten(claim)).unwritten = text;
        loop.again();
    }

    /** The execution has ended. Returns the checkpoint to write with its end. */
    public Optional<Checkpoint> end(ClaimedItem claim) {
        return Optional.ofNullable(open.remove(claim.item())).flatMap(Unwritten::next);
    }

    private CompletionStage<Next> round() {
        Optional<RegistrySession> session = scope.connection().session();
        List<Checkpoint> due = session.map(this::unwritten).orElse(List.of());
        if (rests || due.isEmpty()) {
            return Next.WAIT.stage();
        }
        rests = true;
        scope.connection().later(REST, () -> {
            rests = false;
            loop.again();
        });
        return Stages.inOrder(transactions.checkpoint(due), batch -> write(session.get(), batch))
                .thenCompose(
                        refused -> look(refused.stream().flatMap(List::stream).toList()));
    }

    private List<Checkpoint> unwritten(RegistrySession session) {
        return open.values().stream()
                .filter(progress -> !progress.superseded && progress.claim.sessionId() == session.id())
                .flatMap(progress -> progress.next().stream())
                .toList();
    }

    /** Returns the refused parts. */
    private CompletionStage<List<Checkpoint>> write(RegistrySession session, Batch<Checkpoint> batch) {
        // If an execution ends now, its end sets the node. This transaction, which may create the node, is sent before.
        batch.parts().forEach(part -> progress(part).ifPresent(progress -> progress.hasNode = true));
        return scope.connection().commit(session, batch.commit()).thenApply(outcome -> {
            if (!outcome.isCommitted()) {
                return batch.parts();
            }
            batch.parts().forEach(this::written);
            return List.of();
        });
    }

    private Optional<Unwritten> progress(Checkpoint of) {
        return Optional.ofNullable(open.get(of.claim().item())).filter(progress -> progress.claim.equals(of.claim()));
    }

    private void written(Checkpoint checkpoint) {
        progress(checkpoint)
                .filter(progress -> checkpoint.text().equals(progress.unwritten))
                .ifPresent(progress -> progress.unwritten = null);
    }

    /** Either the epoch has moved, the node has changed or an answer was lost; or the execution is superseded. */
    private CompletionStage<Next> look(List<Checkpoint> refused) {
        if (refused.isEmpty()) {
            return Next.WAIT.stage();
        }
        return reader.items(refused.stream().map(part -> part.claim().item()).toList())
                .thenApply(view -> {
                    refused.forEach(part -> progress(part).ifPresent(progress -> look(progress, view)));
                    rests = false;
                    return Next.AGAIN;
                });
    }

    private static void look(Unwritten progress, ItemsView view) {
        ItemView item = view.items().get(progress.claim.item());
        if (item == null
                || item.version() != progress.claim.version()
                || !item.current().isSameExecution(progress.claim.claimed())) {
            progress.superseded = true;
        } else {
            progress.epoch = view.epoch();
            progress.hasNode = item.children().checkpoint();
        }
    }
}
