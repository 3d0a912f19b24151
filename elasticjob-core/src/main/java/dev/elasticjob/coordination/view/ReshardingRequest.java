package dev.elasticjob.coordination.view;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Optional;

/**
 * The request for a new plan: the signal "necessary" of {@code docs/internals/protocol.md}. Its version rises with each
 * request. Pure.
 *
 * @param node the existing request
 */
public record ReshardingRequest(JobTree tree, Optional<RegistryNode> node) {
    /** The text while a change of the assignment is not displayed everywhere yet. */
    private static final String OWNERS_LEFT = "owners to be shown";

    /** @param answer an answer that covers {@link JobTree#necessary()} */
    public static ReshardingRequest of(JobTree tree, RegistryAnswer answer) {
        return new ReshardingRequest(tree, answer.node(tree.necessary()));
    }

    /**
     * Requests a plan. The text stays, because it tells the next leader that our last one has not displayed all owners.
     */
    public RegistryCommit raised() {
        return raised(node.map(RegistryNode::text).orElse(""));
    }

    /** Requests a plan, and records that owners remain to be displayed. */
    public RegistryCommit raisedWithOwnersLeft() {
        return raised(OWNERS_LEFT);
    }

    private RegistryCommit raised(String text) {
        return RegistryCommit.builder()
                .setOrCreate(tree.necessary(), text, node.map(RegistryNode::version))
                .build();
    }

    /** Whether a leader of ours has not displayed all owners yet, and may have died before. */
    public boolean leavesOwners() {
        return node.filter(there -> there.text().equals(OWNERS_LEFT)).isPresent();
    }
}
