package dev.elasticjob.coordination.completion;

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
 * Writes how far executions have come: the newest checkpoint of each, those of a job together, and once a second at most,
 * so that a stream may set one after each batch. A checkpoint that is not written when its execution ends is written with
 * the end.
 *
 * <p>Written only while the record still is the one that the claim wrote, so that a superseded execution doesn't overwrite
 * the checkpoint of its successor. A claim of a former session waits for its end, which is decided from what is there.
 *
 * <p>Confined to the coordination executor.
 */
public final class Checkpoints {
    /** How many bytes of UTF-8 a checkpoint may have. */
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

    /** How far one execution has come, and whether its node exists. */
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

    /** Sets the newest checkpoint of an execution that has not ended. */
    public void keep(ClaimedItem claim, String text) {
        open.computeIfAbsent(claim.item(), any -> new Unwritten(claim)).unwritten = text;
        loop.again();
    }

    /** The execution has ended; the checkpoint that is to be written with its end. */
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

    /** The parts that were refused. */
    private CompletionStage<List<Checkpoint>> write(RegistrySession session, Batch<Checkpoint> batch) {
        // An execution that ends meanwhile sets the node: this transaction, which may create it, is sent before its
        // end.
        batch.parts().forEach(part -> progress(part).ifPresent(progress -> progress.hasNode = true));
        return scope.connection().commit(session, batch.commit()).thenApply(outcome -> {
            if (!outcome.isCommitted()) {
                return batch.parts();
            }
            batch.parts().forEach(this::written);
            return List.of();
        });
    }

    /** Empty when the execution has ended meanwhile. */
    private Optional<Unwritten> progress(Checkpoint of) {
        return Optional.ofNullable(open.get(of.claim().item())).filter(progress -> progress.claim.equals(of.claim()));
    }

    private void written(Checkpoint checkpoint) {
        progress(checkpoint)
                .filter(progress -> checkpoint.text().equals(progress.unwritten))
                .ifPresent(progress -> progress.unwritten = null);
    }

    /** The epoch has moved, the node was changed, or an answer was lost; otherwise, the execution is superseded. */
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
