package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Determines the outcome of a manual run from the registry. Thread-safe. */
public final class RunEnds {
    /** The maximum number of items to read at once. */
    public static final int ITEMS_PER_LOOK = JobViewReader.ITEMS_PER_READ / 2;

    private final JobTree tree;
    private final Registry registry;
    private final Function<RegistryCommit, CompletionStage<CommitOutcome>> committing;
    private final String runId;
    private final long job;

    /**
     * @param committing commits in the caller's session, or fails
     * @param job the {@link #identity} of the job at the time of the request
     */
    public RunEnds(
            JobTree tree,
            Registry registry,
            Function<RegistryCommit, CompletionStage<CommitOutcome>> committing,
            String runId,
            long job) {
        this.tree = tree;
        this.registry = registry;
        this.committing = committing;
        this.runId = runId;
        this.job = job;
    }

    /**
     * @param removed whether the job was removed, so that nothing more can be found
     * @param ended the items for which the run is over
     * @param unclear the items without a trace of the run in this read
     * @param written when the last of the records was written, by the registry's clock: no item has ended the run later
     */
    public record Look(boolean removed, Map<Integer, End> ended, Set<Integer> unclear, Instant written) {}

    /**
     * The outcome for one item.
     *
     * @param failure the beginning of its text; empty if the record doesn't have it, or has another execution's
     */
    public record End(RunEnd end, Optional<String> failure) {}

    /** Distinguishes the job from one of the same name that is registered later; 0 if no instance has joined yet. */
    public static long identity(StoredDefinition job) {
        return job.extension().map(RegistryNode::czxid).orElse(0L);
    }

    /** Reads items. Reported ends are certain, even if the answering server lags behind. */
    public CompletionStage<Look> look(Collection<Integer> items) {
        return registry.read(reads(items, Part.RECORDS, Part.TRIGGERS, Part.DEFINITION))
                .thenApply(answer -> look(items, answer, answer));
    }

    /**
     * Reads unclear items again. A write comes first: after its answer, the answering server is up to date. Then come
     * records, waiting runs, and records again. If the run is in none of them and the record has not changed, the run
     * was neither waiting nor claimed at one moment, so it is over.
     */
    public CompletionStage<Look> confirm(Collection<Integer> items) {
        RegistryCommit anything = RegistryCommit.builder()
                .check(tree.sharding(), RegistryCommit.ANY_VERSION)
                .build();
        return committing.apply(anything).thenCompose(done -> {
            CompletionStage<RegistryAnswer> before = registry.read(reads(items, Part.RECORDS));
            CompletionStage<RegistryAnswer> waiting = registry.read(reads(items, Part.TRIGGERS));
            CompletionStage<RegistryAnswer> after = registry.read(reads(items, Part.RECORDS, Part.DEFINITION));
            return before.thenCombine(waiting, RegistryAnswer::plus)
                    .thenCombine(after, (earlier, later) -> confirmed(items, earlier, later));
        });
    }

    private Look confirmed(Collection<Integer> items, RegistryAnswer earlier, RegistryAnswer later) {
        Look look = look(items, later, earlier);
        look.unclear().stream()
                .filter(item -> version(earlier, item).equals(version(later, item)))
                .forEach(item -> look.ended().put(item, new End(RunEnd.OVERTAKEN, Optional.empty())));
        look.unclear().removeAll(look.ended().keySet());
        return look;
    }

    /** The record's version, with the creation of its node: one that was created again differs. */
    private List<Long> version(RegistryAnswer answer, int item) {
        return answer.node(tree.item(item))
                .map(node -> List.of(node.czxid(), (long) node.version()))
                .orElse(List.of());
    }

    private Look look(Collection<Integer> items, RegistryAnswer records, RegistryAnswer triggers) {
        StoredDefinition stored = StoredDefinition.of(tree, records);
        boolean removed = !stored.isPresent() || (job != 0 && identity(stored) != job);
        Look look = new Look(removed, new TreeMap<>(), new TreeSet<>(), written(items, records));
        if (!removed) {
            // If the definition can't be read, failover counts as on, so no interrupted run is reported as ended.
            boolean failover = readable(stored).map(JobDefinition::failover).orElse(true);
            items.forEach(item -> judge(item, records, triggers, failover, look));
        }
        return look;
    }

    private Instant written(Collection<Integer> items, RegistryAnswer records) {
        return items.stream()
                .flatMap(item -> records.node(tree.item(item)).stream())
                .map(RegistryNode::modified)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }

    private void judge(int item, RegistryAnswer records, RegistryAnswer triggers, boolean failover, Look look) {
        boolean waits = triggers.node(tree.trigger(item))
                .filter(node -> NodeCodec.readRuns(node).runIds().contains(runId))
                .isPresent();
        Optional<ItemRecord> present;
        try {
            present = records.node(tree.item(item)).map(node -> ItemRecordCodec.read(tree.item(item), node.data()));
        } catch (CorruptNodeException untilItIsMended) {
            return;
        }
        Optional<RunEnd> end = present.flatMap(known -> known.endOf(runId, failover));
        boolean shown = present.filter(known -> known.isOf(runId)).isPresent();
        if (end.isPresent() && !waits) {
            Optional<String> failure =
                    present.filter(known -> shown).flatMap(known -> Optional.ofNullable(known.failure()));
            look.ended().put(item, new End(end.get(), failure));
        } else if (!waits && !shown) {
            look.unclear().add(item);
        }
    }

    private static Optional<JobDefinition> readable(StoredDefinition stored) {
        try {
            return Optional.of(stored.decode().definition());
        } catch (UnreadableDefinitionException e) {
            return Optional.empty();
        }
    }

    private enum Part {
        RECORDS,
        TRIGGERS,
        DEFINITION
    }

    private List<RegistryRead> reads(Collection<Integer> items, Part... parts) {
        List<RegistryRead> reads = new ArrayList<>();
        for (Part part : parts) {
            switch (part) {
                case RECORDS -> items.forEach(item -> reads.add(RegistryRead.data(tree.item(item))));
                case TRIGGERS -> items.forEach(item -> reads.add(RegistryRead.data(tree.trigger(item))));
                case DEFINITION -> reads.addAll(StoredDefinition.reads(tree));
            }
        }
        return reads;
    }
}
