package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
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
 * Compares the owners that operators' tools are shown with the assignment. They are written together; where they differ,
 * other software, for which the former are the assignment, has planned meanwhile: unless a leader of ours has died before
 * it had written them all, when the bell still rings and says so.
 *
 * <p>Confined to the coordination executor.
 */
final class DisplayedOwners {
    private static final Logger log = LoggerFactory.getLogger(DisplayedOwners.class);

    private final JobScope scope;

    DisplayedOwners(JobScope scope) {
        this.scope = scope;
    }

    /**
     * What was found.
     *
     * @param differing what is shown of those items whose owner is another one
     * @param byOthers whether other software has planned
     */
    record Comparison(NavigableMap<Integer, String> differing, boolean byOthers) {
        static final Comparison EQUAL = new Comparison(Collections.emptyNavigableMap(), false);

        Comparison {
            differing = Collections.unmodifiableNavigableMap(new TreeMap<>(differing));
        }
    }

    /** @return empty when the epoch has moved since the view was read: start over */
    CompletionStage<Optional<Comparison>> compare(LeaderView view) {
        if (view.job().assignment().isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(Comparison.EQUAL));
        }
        return differing(view)
                .thenComposeAsync(
                        found -> found.isEmpty() || found.get().isEmpty()
                                ? CompletableFuture.completedFuture(found.map(none -> Comparison.EQUAL))
                                : judge(view, found.get()),
                        scope.executor());
    }

    /**
     * The bell is read when the epoch is known, and before what is shown is read once more: where it doesn't say that
     * something is left to be written, everything is.
     */
    private CompletionStage<Optional<Comparison>> judge(LeaderView view, NavigableMap<Integer, String> found) {
        return scope.registry()
                .read(List.of(RegistryRead.data(scope.tree().necessary())))
                .thenComposeAsync(
                        answer -> ReshardingRequest.of(scope.tree(), answer).leavesOwners()
                                ? CompletableFuture.completedFuture(Optional.of(new Comparison(found, false)))
                                : differing(view)
                                        .thenApply(again ->
                                                again.map(owners -> new Comparison(owners, !owners.isEmpty()))),
                        scope.executor());
    }

    /** Says what follows for the job. */
    void tell(Comparison found) {
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

    private CompletionStage<Optional<NavigableMap<Integer, String>>> differing(LeaderView view) {
        Iterator<Integer> shown = view.items().values().stream()
                .filter(item -> item.children().owner())
                .map(ItemView::item)
                .iterator();
        return differing(view, shown, new TreeMap<>());
    }

    private CompletionStage<Optional<NavigableMap<Integer, String>>> differing(
            LeaderView view, Iterator<Integer> rest, NavigableMap<Integer, String> soFar) {
        JobTree tree = scope.tree();
        List<Integer> chunk = new ArrayList<>();
        while (rest.hasNext() && chunk.size() < JobViewReader.ITEMS_PER_READ) {
            chunk.add(rest.next());
        }
        List<RegistryRead> reads = new ArrayList<>();
        chunk.forEach(item -> reads.add(RegistryRead.data(tree.owner(item))));
        reads.add(RegistryRead.data(tree.sharding()));
        return scope.registry()
                .read(reads)
                .thenComposeAsync(
                        answer -> {
                            soFar.putAll(differing(view, chunk, answer));
                            int epoch = answer.node(tree.sharding())
                                    .map(RegistryNode::version)
                                    .orElse(-1);
                            return rest.hasNext()
                                    ? differing(view, rest, soFar)
                                    : CompletableFuture.completedFuture(Optional.of(soFar)
                                            .filter(all -> epoch == view.job().epoch()));
                        },
                        scope.executor());
    }

    private Map<Integer, String> differing(LeaderView view, List<Integer> items, RegistryAnswer answer) {
        Map<Integer, String> owners = view.job().assignment().orElseThrow().owners();
        Map<Integer, String> differing = new TreeMap<>();
        for (int item : items) {
            answer.node(scope.tree().owner(item))
                    .map(RegistryNode::text)
                    .filter(shown -> !shown.equals(owners.get(item)))
                    .ifPresent(shown -> differing.put(item, shown));
        }
        return differing;
    }
}
