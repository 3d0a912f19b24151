package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.run.ManualRuns.Answer;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A request that is repeated while no item has an owner, as in a pause. Nothing new starts then, but the run may wait, or
 * may have ended. Thread-safe.
 */
record RequestedBefore(JobTree tree, Registry registry, ManualRun run) {
    /** Whether it is one of the last requests. */
    boolean isAmongLast(RegistryAnswer nodes) {
        return nodes.node(tree.triggers())
                .filter(node -> NodeCodec.readRunIds(node.data()).containsAll(run.runIds()))
                .isPresent();
    }

    /** The items that have it waiting, or have had it. */
    CompletionStage<Optional<Answer>> answer(JobViewReader reader) {
        return registry.read(List.of(RegistryRead.children(tree.sharding())))
                .thenCompose(answer -> reader.items(JobTree.itemNumbers(answer.children(tree.sharding()))))
                .thenApply(all -> Optional.of(Answer.of(all.only(item -> has(item, run)))));
    }

    static boolean has(ItemView item, ManualRun run) {
        return item.current().shows(run)
                || item.waiting().filter(there -> there.runs().names(run)).isPresent();
    }

    /** Whether it was cancelled for the item, or the item is disabled. */
    static boolean isDropped(ItemView item, String runId) {
        return item.current().past().get(runId) == RunEnd.DROPPED
                || item.waiting().stream()
                        .flatMap(there -> there.runs().runs().stream())
                        .anyMatch(waiting ->
                                waiting.dropped() != null && waiting.runIds().contains(runId));
    }
}
