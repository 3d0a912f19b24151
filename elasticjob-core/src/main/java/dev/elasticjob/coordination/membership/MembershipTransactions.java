package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/** The steps of the protocol by which an instance joins a job, leads it, and leaves it, each as one transaction. Pure. */
public record MembershipTransactions(JobTree tree) {
    /** Shows an instance. Its parent moves, so that {@link #giveUp} is refused for the node of a later instance. */
    public RegistryCommit register(String id, String ip) {
        return RegistryCommit.builder()
                .createEphemeral(tree.instance(id), NodeCodec.instance(id, ip))
                .set(tree.instances(), "", RegistryCommit.ANY_VERSION)
                .build();
    }

    /**
     * Shows an instance in place of a former session's, whose node was read.
     *
     * @param answer that covers the node and its parent
     */
    public RegistryCommit registerAnew(String id, String ip, RegistryAnswer answer) {
        return RegistryCommit.builder()
                .addAll(giveUp(tree.instance(id), tree.instances(), answer))
                .createEphemeral(tree.instance(id), NodeCodec.instance(id, ip))
                .build();
    }

    /** Changes nothing, and is refused if the instance has a node. */
    public RegistryCommit assertAbsent(String id) {
        return RegistryCommit.builder().assertAbsent(tree.instance(id)).build();
    }

    /** Makes an instance the leader if there is none. */
    public RegistryCommit elect(String id) {
        return RegistryCommit.builder()
                .createEphemeral(tree.leader(), id)
                .set(tree.election(), "", RegistryCommit.ANY_VERSION)
                .build();
    }

    /**
     * Deletes a node that was read. Its version alone does not distinguish it from a later one, so no node may have
     * been created below the parent since, which moves: then it is the one that was read, also if the transaction is sent
     * again.
     *
     * @param answer that covers the node, which is there, and its parent
     */
    public static RegistryCommit giveUp(String path, String parent, RegistryAnswer answer) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        answer.node(parent).ifPresent(node -> commit.set(parent, node.data(), node.version()));
        answer.node(path).ifPresent(node -> commit.delete(path, node.version()));
        return commit.build();
    }

    /**
     * An instance that gives its items away, and requests a new plan.
     *
     * @param instance its node
     * @param drain the one of an earlier instance of this id, if it has left one
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
