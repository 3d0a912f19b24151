package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/** The step by which an instance of a job says that it stops; {@link MemberNodes} has the others. Pure. */
record MembershipTransactions(JobTree tree) {
    /**
     * Marks an instance that gives its items away, or keeps them for its successor, and requests a new plan.
     *
     * @param instance its node
     * @param mark what says so
     * @param drain the mark of an earlier instance of this id, if it has left one
     */
    RegistryCommit drain(
            String id,
            RegistryNode instance,
            String mark,
            NodeVersion definition,
            Optional<RegistryNode> drain,
            ReshardingRequest request) {
        return RegistryCommit.builder()
                .check(tree.instance(id), instance.version())
                .addAll(definition.check())
                .setOrCreate(tree.drain(id), mark, drain.map(RegistryNode::version))
                .addAll(request.raised())
                .build();
    }
}
