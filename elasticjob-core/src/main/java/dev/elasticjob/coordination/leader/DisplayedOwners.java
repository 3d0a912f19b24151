package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the owners that operators' tools see with the assignment, once for each leadership. Both are written
 * together. If they differ, other software has planned in the meantime, because it takes the displayed owners for the
 * assignment. The exception is a leader of ours that died before it had written all displays; the request for
 * resharding shows this.
 *
 * <p>Confined to the coordination executor.
 */
final class DisplayedOwners {
    private static final Logger log = LoggerFactory.getLogger(DisplayedOwners.class);

    private final JobScope scope;
    private Comparison found = Comparison.EQUAL;
    /** The {@code czxid} of the leader's node at the last comparison: while the node stays, no other software plans. */
    private Optional<Long> comparedUnder = Optional.empty();

    DisplayedOwners(JobScope scope) {
        this.scope = scope;
    }

    /**
     * @param differing the displayed owners that differ from the assignment, by item
     * @param byOthers whether other software has planned
     */
    record Comparison(NavigableMap<Integer, String> differing, boolean byOthers) {
        static final Comparison EQUAL = new Comparison(Collections.emptyNavigableMap(), false);

        Comparison {
            differing = Collections.unmodifiableNavigableMap(new TreeMap<>(differing));
        }
    }

    boolean areComparedUnder(JobView view) {
        return comparedUnder.equals(view.leaderNode().map(RegistryNode::czxid));
    }

    Comparison found() {
        return found;
    }

    boolean differ() {
        return !found.differing().isEmpty();
    }

    /** @return false if the epoch has moved since the view was read: start over */
    CompletionStage<Boolean> compare(LeaderView view) {
        return comparison(view).thenApply(comparison -> {
            comparison.ifPresent(result -> {
                found = result;
                comparedUnder = view.job().leaderNode().map(RegistryNode::czxid);
            });
            return comparison.isPresent();
        });
    }

    /** A plan was stored with all its displays, or was refused halfway. */
    void resharded(boolean done) {
        if (done && found.byOthers()) {
            report();
        }
        found = Comparison.EQUAL;
        comparedUnder = comparedUnder.filter(leader -> done);
    }

    private void report() {
        Map.Entry<Integer, String> first = found.differing().firstEntry();
        log.warn(
                "Job \"{}\": the registry displays item {} as owned by \"{}\", which is not its owner in \"{}\"."
                        + " Other software, such as Elastic-Job 2.x or 3.x, has resharded the job in the meantime."
                        + " Firings that were due until now may have run there, and are not repeated",
                scope.jobName(),
                first.getKey(),
                first.getValue(),
                scope.tree().sharding());
    }

    // ------------------------------------------------------------------ comparing

    private CompletionStage<Optional<Comparison>> comparison(LeaderView view) {
        if (view.job().assignment().isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(Comparison.EQUAL));
        }
        return differing(view)
                .thenCompose(differing ->
                        differing.filter(owners -> !owners.isEmpty()).isPresent()
                                ? judge(view, differing.get())
                                : CompletableFuture.completedFuture(differing.map(none -> Comparison.EQUAL)));
    }

    /**
     * The request is read after the epoch and before the owners are read again. If it doesn't say that displays are
     * missing, all are written.
     */
    private CompletionStage<Optional<Comparison>> judge(LeaderView view, NavigableMap<Integer, String> differing) {
        JobTree tree = scope.tree();
        return scope.registry().read(RegistryRead.allData(tree.necessary())).thenCompose(answer -> {
            if (ReshardingRequest.of(tree, answer).leavesOwners()) {
                return CompletableFuture.completedFuture(Optional.of(new Comparison(differing, false)));
            }
            return differing(view).thenApply(again -> again.map(owners -> new Comparison(owners, !owners.isEmpty())));
        });
    }

    /** @return empty if the epoch has moved */
    private CompletionStage<Optional<NavigableMap<Integer, String>>> differing(LeaderView view) {
        JobTree tree = scope.tree();
        NavigableMap<Integer, String> differing = new TreeMap<>();
        List<Integer> displayed = view.items().values().stream()
                .filter(item -> item.children().owner())
                .map(ItemView::item)
                .toList();
        return Stages.inOrder(JobViewReader.chunks(displayed), chunk -> {
                    List<RegistryRead> reads = new ArrayList<>();
                    chunk.forEach(item -> reads.add(RegistryRead.data(tree.owner(item))));
                    reads.add(RegistryRead.data(tree.sharding()));
                    return scope.registry().read(reads).thenApply(answer -> {
                        chunk.forEach(item -> displayed(item, view, answer).ifPresent(o -> differing.put(item, o)));
                        return answer.node(tree.sharding())
                                .map(RegistryNode::version)
                                .orElse(-1);
                    });
                })
                .thenApply(epochs -> Optional.of(differing)
                        .filter(all ->
                                epochs.get(epochs.size() - 1) == view.job().epoch()));
    }

    /** The displayed owner, if it differs from the assignment. */
    private Optional<String> displayed(int item, LeaderView view, RegistryAnswer answer) {
        Map<Integer, String> owners = view.job().assignment().orElseThrow().owners();
        return answer.node(scope.tree().owner(item))
                .map(RegistryNode::text)
                .filter(shown -> !shown.equals(owners.get(item)));
    }
}
