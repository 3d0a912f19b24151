package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A group as an instance sees it in one read.
 *
 * @param answer covers the nodes that every group has, and the instance's own
 */
record GroupView(GroupTree tree, String instance, RegistryAnswer answer) {
    static List<RegistryRead> reads(GroupTree tree, String instance) {
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(tree.parents()));
        reads.addAll(RegistryRead.allData(tree.instance(instance), tree.leader(), tree.necessary(), tree.processing()));
        return reads;
    }

    /** Whether all nodes are there that a group needs. */
    boolean isComplete() {
        return tree.parents().stream().allMatch(path -> answer.node(path).isPresent());
    }

    /** This instance as its node shows it, if the session owns it. */
    Optional<Member> own(RegistrySession session) {
        return answer.node(tree.instance(instance))
                .filter(session::owns)
                .map(node -> new Member(instance, node.czxid()));
    }

    Optional<RegistryNode> leader() {
        return answer.node(tree.leader());
    }

    Optional<RegistryNode> request() {
        return answer.node(tree.necessary());
    }

    Optional<RegistryNode> processing() {
        return answer.node(tree.processing());
    }

    /** The node that decides; there is one in a complete group. */
    RegistryNode sharding() {
        return answer.node(tree.sharding()).orElseThrow();
    }

    /** What it says; nobody may take an index while it can't be read. */
    GroupAssignment assignment() {
        return GroupCodec.read(sharding().data()).orElse(GroupAssignment.NONE);
    }

    /** Why it can't be read; empty if it can. */
    Optional<String> problem() {
        return GroupCodec.problem(tree.sharding(), sharding().data());
    }
}
