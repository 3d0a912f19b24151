package dev.elasticjob.coordination.follow;

import dev.elasticjob.coordination.manual.RunEnds;
import dev.elasticjob.coordination.manual.RunEnds.Look;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.registry.RegistrySession;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Whether a follower's former run has ended. Confined to the coordination executor. */
final class FormerRun {
    private final JobScope scope;

    FormerRun(JobScope scope) {
        this.scope = scope;
    }

    /**
     * An item that has not ended the run.
     *
     * @return empty if all have, or there is no run
     */
    CompletionStage<Optional<Integer>> busyItem(RegistrySession session, JobView view, Optional<String> runId) {
        List<Integer> items = view.assignment()
                .map(Assignment::owners)
                .map(owners -> List.copyOf(owners.keySet()))
                .orElse(List.of());
        if (runId.isEmpty() || items.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        RunEnds ends = new RunEnds(
                scope.tree(),
                scope.registry(),
                commit -> scope.connection().commit(session, commit),
                runId.get(),
                RunEnds.identity(view.definition()));
        return busyItem(ends, items, 0);
    }

    private CompletionStage<Optional<Integer>> busyItem(RunEnds ends, List<Integer> items, int from) {
        if (from >= items.size()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        List<Integer> some = items.subList(from, Math.min(from + RunEnds.ITEMS_PER_LOOK, items.size()));
        return ends.look(some)
                .thenCompose(look -> remaining(ends, some, look))
                .thenCompose(busy -> busy.isPresent()
                        ? CompletableFuture.completedFuture(busy)
                        : busyItem(ends, items, from + RunEnds.ITEMS_PER_LOOK));
    }

    private static CompletionStage<Optional<Integer>> remaining(RunEnds ends, List<Integer> items, Look look) {
        Optional<Integer> busy = without(items, look);
        return look.removed() || busy.isPresent() || look.unclear().isEmpty()
                ? CompletableFuture.completedFuture(busy)
                : ends.confirm(look.unclear()).thenApply(second -> first(look.unclear(), second));
    }

    private static Optional<Integer> without(Collection<Integer> items, Look look) {
        Set<Integer> others = new TreeSet<>(items);
        others.removeAll(look.unclear());
        return first(others, look);
    }

    private static Optional<Integer> first(Collection<Integer> items, Look look) {
        return items.stream().filter(item -> !look.ended().containsKey(item)).findFirst();
    }
}
