package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/**
 * The open firings of a job as they were read.
 *
 * @param version guards what follows from it; empty while no firing has been opened yet
 * @param problem the reason why the node can't be read: then nothing may follow from it
 */
public record FiringsView(OpenFirings value, Optional<Integer> version, Optional<String> problem) {
    /** Of a job whose firings are not opened, or before the first. */
    public static final FiringsView NONE = new FiringsView(OpenFirings.NONE, Optional.empty(), Optional.empty());

    /** @throws CorruptNodeException if the node can't be read */
    public static FiringsView of(JobTree tree, RegistryAnswer answer) {
        Optional<RegistryNode> node = answer.node(tree.firings());
        return new FiringsView(
                node.map(found -> NodeCodec.readFirings(found, tree.firings())).orElse(OpenFirings.NONE),
                node.map(RegistryNode::version),
                Optional.empty());
    }

    /** The same for those who report what can't be read, and go on when it is corrected. */
    public static FiringsView orProblem(JobTree tree, RegistryAnswer answer) {
        try {
            return of(tree, answer);
        } catch (CorruptNodeException e) {
            return new FiringsView(
                    OpenFirings.NONE,
                    answer.node(tree.firings()).map(RegistryNode::version),
                    Optional.of(String.valueOf(e.getMessage())));
        }
    }

    /** Refuses a transaction if they have changed. */
    public RegistryCommit check(JobTree tree) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        return version.map(read -> commit.check(tree.firings(), read))
                .orElseGet(() -> commit.assertAbsent(tree.firings()))
                .build();
    }
}
