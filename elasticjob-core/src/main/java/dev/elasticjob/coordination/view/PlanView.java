package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/**
 * The assignment of a job as it was read.
 *
 * @param epoch guards what follows from it
 */
public record PlanView(int epoch, Assignment assignment) {
    /**
     * Empty if no leader has made one yet, or the job is gone.
     *
     * @throws dev.elasticjob.coordination.state.CorruptNodeException if the node can't be read
     */
    public static Optional<PlanView> of(JobTree tree, RegistryAnswer answer) {
        return node(tree, answer)
                .map(node -> new PlanView(node.version(), NodeCodec.readAssignment(tree.sharding(), node.data())));
    }

    /** The node of an assignment, readable or not. The node is there, and empty, before the first assignment. */
    public static Optional<RegistryNode> node(JobTree tree, RegistryAnswer answer) {
        return answer.node(tree.sharding()).filter(node -> node.data().length > 0);
    }
}
