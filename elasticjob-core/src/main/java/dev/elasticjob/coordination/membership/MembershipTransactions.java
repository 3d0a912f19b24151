package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Map;
import java.util.Optional;

/** The steps of the protocol by which an instance joins a job, leads it, and leaves it, each as one transaction. Pure. */
public record MembershipTransactions(JobTree tree) {
    /** Shows an instance. Its parent moves: so does {@link #unmoved} tell that a node was made anew. */
    public RegistryCommit register(String id, String ip) {
        return RegistryCommit.builder()
                .createEphemeral(tree.instance(id), NodeCodec.instance(id, ip))
                .set(tree.instances(), "", RegistryCommit.ANY_VERSION)
                .build();
    }

    /** Changes nothing, and is refused where the instance has a node. */
    public RegistryCommit assertAbsent(String id) {
        return RegistryCommit.builder().assertAbsent(tree.instance(id)).build();
    }

    /** Makes an instance the leader, where there is none. */
    public RegistryCommit elect(String id) {
        return RegistryCommit.builder()
                .createEphemeral(tree.leader(), id)
                .set(tree.election(), "", RegistryCommit.ANY_VERSION)
                .build();
    }

    /**
     * Asserts that no node has been made below a parent since it was read, and moves it: whatever is deleted with this is
     * what was read, also where the transaction is sent again.
     */
    public static RegistryCommit unmoved(String parent, RegistryAnswer answer) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        answer.node(parent).ifPresent(node -> commit.set(parent, node.data(), node.version()));
        return commit.build();
    }

    /**
     * Leaves: what is ours is deleted, and the bell rings, unless the job has been removed.
     *
     * @param unmoved the parents of what is deleted
     * @param ours the nodes of our session
     */
    public RegistryCommit leave(RegistryCommit unmoved, Map<String, RegistryNode> ours, Optional<RegistryCommit> bell) {
        RegistryCommit.Builder commit = RegistryCommit.builder().addAll(unmoved);
        ours.forEach((path, node) -> commit.delete(path, node.version()));
        bell.ifPresent(commit::addAll);
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
