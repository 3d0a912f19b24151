package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.firing.OpenFirings;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/**
 * The open firings of a job as they were read.
 *
 * @param version guards what follows from it; empty while no firing has been opened yet
 */
public record FiringsView(OpenFirings value, Optional<Integer> version) {
    /** Of a job whose firings are not opened, or before the first. */
    public static final FiringsView NONE = new FiringsView(OpenFirings.NONE, Optional.empty());

    /** @throws dev.elasticjob.coordination.state.CorruptNodeException if the node can't be read */
    public static FiringsView of(JobTree tree, RegistryAnswer answer) {
        Optional<RegistryNode> node = answer.node(tree.firings());
        return new FiringsView(
                node.map(found -> NodeCodec.readFirings(found, tree.firings())).orElse(OpenFirings.NONE),
                node.map(RegistryNode::version));
    }

    /** Refuses a transaction if they have changed. */
    public RegistryCommit check(JobTree tree) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        return version.map(read -> commit.check(tree.firings(), read))
                .orElseGet(() -> commit.assertAbsent(tree.firings()))
                .build();
    }
}
