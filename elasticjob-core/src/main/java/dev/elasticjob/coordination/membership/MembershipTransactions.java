package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/** The protocol's steps for joining, leading and leaving a job, each as one transaction. Pure. */
public record MembershipTransactions(JobTree tree) {
    /**
     * Creates an instance's node. Its parent is set too, so that {@link #giveUp} is refused for the node of a later
     * instance.
     */
    public RegistryCommit register(String id, String ip) {
        return RegistryCommit.builder()
                .createEphemeral(tree.instance(id), NodeCodec.instance(id, ip))
                .set(tree.instances(), "", RegistryCommit.ANY_VERSION)
                .build();
    }

    /**
     * Replaces the node of a former session, which was read.
     *
     * @param answer an answer that covers the node and its parent
     */
    public RegistryCommit registerAnew(String id, String ip, RegistryAnswer answer) {
        return RegistryCommit.builder()
                .addAll(giveUp(tree.instance(id), tree.instances(), answer))
                .createEphemeral(tree.instance(id), NodeCodec.instance(id, ip))
                .build();
    }

    /** Changes nothing. Refused if the instance has a node. */
    public RegistryCommit assertAbsent(String id) {
        return RegistryCommit.builder().assertAbsent(tree.instance(id)).build();
    }

    public RegistryCommit elect(String id) {
        return RegistryCommit.builder()
                .createEphemeral(tree.leader(), id)
                .set(tree.election(), "", RegistryCommit.ANY_VERSION)
                .build();
    }

    /**
     * Deletes a node that was read. Its version alone doesn't distinguish it from a later node. So its parent, which
     * each creation changes, is set at the version read: then the node is the one that was read, even if the
     * transaction is sent again.
     *
     * @param answer an answer that covers the node, which exists, and its parent
     */
    public static RegistryCommit giveUp(String path, String parent, RegistryAnswer answer) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        answer.node(parent).ifPresent(node -> commit.set(parent, node.data(), node.version()));
        answer.node(path).ifPresent(node -> commit.delete(path, node.version()));
        return commit.build();
    }

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
