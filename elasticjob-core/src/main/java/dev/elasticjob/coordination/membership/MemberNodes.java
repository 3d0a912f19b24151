package dev.elasticjob.coordination.membership;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;

/**
 * The nodes by which instances show that they are there, and elect a leader, and the steps of the protocol that change
 * them, each as one transaction: of a job, or of a group. Pure.
 *
 * @param instances the parent of the instances' nodes
 * @param election the parent of the leader's node
 * @param leader creating it is the election
 */
public record MemberNodes(String instances, String election, String leader) {
    public static MemberNodes of(JobTree tree) {
        return new MemberNodes(tree.instances(), tree.election(), tree.leader());
    }

    public String instance(String id) {
        return instances + "/" + id;
    }

    /** Shows an instance. Its parent moves, so that {@link #giveUp} is refused for the node of a later instance. */
    public RegistryCommit register(String id, String data) {
        return RegistryCommit.builder()
                .createEphemeral(instance(id), data)
                .set(instances, "", RegistryCommit.ANY_VERSION)
                .build();
    }

    /**
     * Shows an instance in place of an earlier registration of this process, whose node was read.
     *
     * @param answer that covers the node and its parent
     */
    public RegistryCommit registerAnew(String id, String data, RegistryAnswer answer) {
        return RegistryCommit.builder()
                .addAll(giveUp(instance(id), instances, answer))
                .createEphemeral(instance(id), data)
                .build();
    }

    /** Changes nothing, and is refused if the instance has a node. */
    public RegistryCommit assertAbsent(String id) {
        return RegistryCommit.builder().assertAbsent(instance(id)).build();
    }

    /** Makes an instance the leader if there is none. */
    public RegistryCommit elect(String id) {
        return RegistryCommit.builder()
                .createEphemeral(leader, id)
                .set(election, "", RegistryCommit.ANY_VERSION)
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
}
