package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.PlanView;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The setting {@code overlap=CANCEL_RUNNING}: cancels what an item executes when its next firing is due, as an operator would:
 * "Overlap" in {@code docs/internals/protocol.md}. Each call decides by what the registry says then. Thread-safe.
 */
public final class OverlapCancellations {
    /** The actor of these cancellations. */
    public static final String ACTOR = "overlap";

    private final JobTree tree;
    private final Registry registry;
    private final GuardedWrites writes;

    public OverlapCancellations(String jobName, Registry registry) {
        this.tree = new JobTree(jobName);
        this.registry = registry;
        this.writes = new GuardedWrites(registry);
    }

    /**
     * Cancels the execution of the item if it is one of an earlier firing and hasn't been cancelled.
     *
     * @param firing the one that is due
     * @return completes when the cancellation is written, or isn't to be
     */
    public CompletionStage<Void> cancel(int item, Instant firing) {
        return writes.repeat(
                        tree.jobName(), () -> registry.read(reads(item)).thenCompose(job -> cancel(item, firing, job)))
                .thenApply(done -> null);
    }

    private List<RegistryRead> reads(int item) {
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(tree.config(), tree.extension()));
        reads.addAll(RegistryRead.allData(tree.sharding(), tree.item(item), tree.disabled(item)));
        return reads;
    }

    private CompletionStage<Optional<Boolean>> cancel(int item, Instant firing, RegistryAnswer job) {
        Optional<ItemRecord> record = running(item, firing, job);
        if (record.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(false));
        }
        Cancellation cancellation = Cancellation.of(ACTOR, "its firing at %s is due".formatted(firing));
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .check(tree.sharding(), job.node(tree.sharding()).orElseThrow().version())
                .set(
                        tree.item(item),
                        ItemRecordCodec.write(record.get().cancelling(cancellation)),
                        job.node(tree.item(item)).orElseThrow().version());
        String executing = tree.instance(Objects.requireNonNull(record.get().instance()));
        return registry.read(RegistryRead.allData(executing)).thenCompose(instance -> {
            // Wakes who executes it. An instance that is gone executes nothing, or is not reached any more.
            instance.node(executing).ifPresent(node -> commit.set(executing, node.data(), node.version()));
            return writes.attempt(commit.build(), true);
        });
    }

    /** The record, if it shows an execution that this firing cancels. */
    private Optional<ItemRecord> running(int item, Instant firing, RegistryAnswer job) {
        Optional<RegistryNode> node = job.node(tree.item(item));
        Optional<Assignment> plan = PlanView.of(tree, job).map(PlanView::assignment);
        if (node.isEmpty() || plan.isEmpty() || job.node(tree.disabled(item)).isPresent()) {
            return Optional.empty();
        }
        try {
            ItemRecord record = ItemRecordCodec.read(tree.item(item), node.get().data());
            boolean due = plan.get().owners().containsKey(item)
                    && plan.get().latestDue(firing).filter(firing::equals).isPresent();
            return due && isEarlier(record, firing) && cancelsRunning(job) ? Optional.of(record) : Optional.empty();
        } catch (CorruptNodeException | UnreadableDefinitionException e) {
            // Nothing is claimed until that is corrected.
            return Optional.empty();
        }
    }

    /** Manual runs, and what was cancelled before, go on to their ends. */
    private static boolean isEarlier(ItemRecord record, Instant firing) {
        @Nullable Instant seen = record.scheduledAt();
        return record.state() == ItemState.RUNNING
                && record.run() == null
                && record.cancelled() == null
                && record.instance() != null
                && seen != null
                && seen.isBefore(firing);
    }

    private boolean cancelsRunning(RegistryAnswer job) {
        return StoredDefinition.of(tree, job)
                        .decode(Optional.empty(), job.node(tree.sharding()))
                        .definition()
                        .overlap()
                == Overlap.CANCEL_RUNNING;
    }
}
