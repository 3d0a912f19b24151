package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.run.RunEnds.Look;
import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.job.RunEnd;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Whether a run that the leader asked for has ended, and how. Confined to the coordination executor. */
final class FormerRun {
    private static final Set<RunEnd> NOT_COMPLETED = EnumSet.of(RunEnd.FAILED, RunEnd.INTERRUPTED, RunEnd.DROPPED);

    private final JobScope scope;

    /**
     * @param busyItem an item that has not ended the run; empty if all have, or there is no run
     * @param failed whether an item of those that were read ended it without completing it, as far as the registry still
     *     shows
     * @param written when the last record of those that were read was written, by the registry's clock
     */
    record Progress(Optional<Integer> busyItem, boolean failed, Instant written) {
        private static final Progress NOTHING = new Progress(Optional.empty(), false, Instant.EPOCH);

        private Progress and(Progress earlier) {
            Instant last = written.isAfter(earlier.written()) ? written : earlier.written();
            return new Progress(busyItem, failed || earlier.failed(), last);
        }
    }

    FormerRun(JobScope scope) {
        this.scope = scope;
    }

    /** The items that the view's assignment has. */
    CompletionStage<Progress> progress(LeaderDuty duty, Optional<String> runId) {
        List<Integer> items = duty.view()
                .assignment()
                .map(Assignment::owners)
                .map(owners -> List.copyOf(owners.keySet()))
                .orElse(List.of());
        return progress(duty, items, runId);
    }

    /** Reads as many of the items as it takes to find one that has not ended the run. */
    CompletionStage<Progress> progress(LeaderDuty duty, List<Integer> items, Optional<String> runId) {
        if (runId.isEmpty() || items.isEmpty()) {
            return CompletableFuture.completedFuture(Progress.NOTHING);
        }
        RunEnds ends = new RunEnds(
                scope.tree(),
                scope.registry(),
                commit -> scope.connection().commit(duty.session(), commit),
                runId.get(),
                RunEnds.identity(duty.view().definition()));
        return progress(ends, items, 0, Progress.NOTHING);
    }

    private CompletionStage<Progress> progress(RunEnds ends, List<Integer> items, int from, Progress before) {
        if (from >= items.size()) {
            return CompletableFuture.completedFuture(before);
        }
        List<Integer> some = items.subList(from, Math.min(from + RunEnds.ITEMS_PER_LOOK, items.size()));
        return ends.look(some)
                .thenCompose(look -> confirmed(ends, some, look))
                .thenApply(look -> look.and(before))
                .thenCompose(now -> now.busyItem().isPresent()
                        ? CompletableFuture.completedFuture(now)
                        : progress(ends, items, from + RunEnds.ITEMS_PER_LOOK, now));
    }

    private static CompletionStage<Progress> confirmed(RunEnds ends, List<Integer> items, Look look) {
        Set<Integer> clear = new TreeSet<>(items);
        clear.removeAll(look.unclear());
        Progress now = progress(clear, look);
        return look.removed() || now.busyItem().isPresent() || look.unclear().isEmpty()
                ? CompletableFuture.completedFuture(now)
                : ends.confirm(look.unclear())
                        .thenApply(second -> progress(look.unclear(), second).and(now));
    }

    private static Progress progress(Collection<Integer> items, Look look) {
        return new Progress(
                // The last one: items mostly begin in their order, and each end of the one that is awaited costs a
                // look.
                items.stream().filter(item -> !look.ended().containsKey(item)).reduce((earlier, later) -> later),
                items.stream().map(look.ended()::get).anyMatch(end -> end != null && NOT_COMPLETED.contains(end.end())),
                look.written());
    }
}
