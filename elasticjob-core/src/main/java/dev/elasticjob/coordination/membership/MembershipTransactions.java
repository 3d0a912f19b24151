package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/** The step by which an instance of a job gives its items away; {@link MemberNodes} has the others. Pure. */
record MembershipTransactions(JobTree tree) {
    /**
     * Marks an instance that gives its items away, and requests a new plan.
     *
     * @param instance its node
     * @param drain the mark of an earlier instance of this id, if it has left one
     */
    RegistryCommit drain(
            String id,
            RegistryNode instance,
            NodeVersion definition,
            Optional<RegistryNode> drain,
            ReshardingRequest request) {
        return RegistryCommit.builder()
                .check(tree.instance(id), instance.version())
                .addAll(definition.check())
                .setOrCreate(tree.drain(id), NodeCodec.drain(instance), drain.map(RegistryNode::version))
                .addAll(request.raised())
                .build();
    }
}
