package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The node of what was reported. */
final class ReportStore {
    private final JobScope scope;
    private final JobTree tree;

    ReportStore(JobScope scope) {
        this.scope = scope;
        this.tree = scope.tree();
    }

    /** @param version empty if there is no node yet */
    record Stored(WatchdogState value, Optional<Integer> version) {}

    CompletionStage<Stored> read() {
        return scope.registry()
                .read(List.of(RegistryRead.data(tree.watchdog())))
                .thenApply(answer -> answer.node(tree.watchdog()))
                .thenApply(node -> new Stored(
                        node.map(WatchdogState::read).orElse(WatchdogState.NOTHING), node.map(RegistryNode::version)));
    }

    /** @param epoch that of the plan; or any, but the job must not be removed */
    RegistryCommit write(WatchdogState next, Stored before, int epoch) {
        return RegistryCommit.builder()
                .check(tree.sharding(), epoch)
                .setOrCreate(tree.watchdog(), next.write(), before.version())
                .build();
    }

    /** Whether a write was refused because the job is removed. */
    boolean isRemoved(CommitOutcome outcome) {
        return outcome instanceof CommitOutcome.Refused refused
                && refused.path().equals(tree.sharding());
    }
}
