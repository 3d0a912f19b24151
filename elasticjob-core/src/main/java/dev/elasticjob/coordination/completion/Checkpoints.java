package dev.elasticjob.coordination.completion;

import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.registry.CommitOutcome.Committed;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Writes how far executions have come: the newest word of each, those of a job together, and once a second at most, so
 * that a stream may tell after each batch. What is not written when an execution ends goes out with its end.
 *
 * <p>Written only while the record still is the one that the claim wrote, so that nobody who was superseded overwrites
 * his successor's. A claim of a former session waits for its end, which is decided by what is there.
 *
 * <p>Confined to the coordination executor.
 */
public final class Checkpoints {
    /** How many bytes of UTF-8 a checkpoint may have. */
    public static final int MAX_BYTES = ItemView.MAX_BYTES_OF_CHECKPOINT;

    private static final Duration REST = Duration.ofSeconds(1);
    private static final CompletionStage<Boolean> NOTHING_MORE = CompletableFuture.completedFuture(false);

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
        this.loop = new ReconcileLoop(
                "Checkpoints of job \"" + scope.jobName() + "\"", scope.connection(), scope.executor(), this::round);
    }

    /** How far one execution has come, and what is known of its node. */
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

    /** The newest word of an execution that has not ended. */
    public void keep(ClaimedItem claim, String text) {
        open.computeIfAbsent(claim.item(), any -> new Unwritten(claim)).unwritten = text;
        loop.again();
    }

    /** The execution has ended; what its end has to write. */
    public Optional<Checkpoint> end(ClaimedItem claim) {
        return Optional.ofNullable(open.remove(claim.item())).flatMap(Unwritten::next);
    }

    private CompletionStage<Boolean> round() {
        Optional<RegistrySession> session = scope.connection().session();
        List<Checkpoint> due = session.map(this::unwritten).orElse(List.of());
        if (rests || due.isEmpty()) {
            return NOTHING_MORE;
        }
        rests = true;
        scope.connection().later(REST, () -> {
            rests = false;
            loop.again();
        });
        CompletionStage<List<Checkpoint>> refused = CompletableFuture.completedFuture(new ArrayList<>());
        for (Batch<Checkpoint> batch : transactions.checkpoint(due)) {
            refused = refused.thenComposeAsync(soFar -> write(session.get(), batch, soFar), scope.executor());
        }
        return refused.thenComposeAsync(this::look, scope.executor());
    }

    private List<Checkpoint> unwritten(RegistrySession session) {
        return open.values().stream()
                .filter(progress -> !progress.superseded && progress.claim.sessionId() == session.id())
                .flatMap(progress -> progress.next().stream())
                .toList();
    }

    private CompletionStage<List<Checkpoint>> write(
            RegistrySession session, Batch<Checkpoint> batch, List<Checkpoint> refused) {
        // Whoever ends meanwhile is to find the node: this transaction is on its way before his.
        batch.parts().forEach(part -> progress(part).ifPresent(progress -> progress.hasNode = true));
        return scope.connection()
                .commit(session, batch.commit())
                .thenApplyAsync(
                        outcome -> {
                            if (outcome instanceof Committed) {
                                batch.parts().forEach(this::written);
                            } else {
                                refused.addAll(batch.parts());
                            }
                            return refused;
                        },
                        scope.executor());
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

    /** The epoch has moved, somebody has touched the node, or an answer was lost; else the execution is superseded. */
    private CompletionStage<Boolean> look(List<Checkpoint> refused) {
        if (refused.isEmpty()) {
            return NOTHING_MORE;
        }
        return reader.items(refused.stream().map(part -> part.claim().item()).toList())
                .thenApplyAsync(
                        view -> {
                            refused.forEach(part -> progress(part).ifPresent(progress -> look(progress, view)));
                            rests = false;
                            return true;
                        },
                        scope.executor());
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
