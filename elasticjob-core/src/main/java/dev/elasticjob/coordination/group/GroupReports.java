package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.GroupReport.Share;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Reads the state of a group, for people. Safe for use by any thread. */
public final class GroupReports {
    private GroupReports() {}

    /** @param instance the asking instance's id in the group, if it has one */
    public static CompletionStage<GroupReport> read(Registry registry, GroupTree tree, Optional<String> instance) {
        return registry.read(List.of(
                        RegistryRead.data(tree.sharding()),
                        RegistryRead.data(tree.leader()),
                        RegistryRead.children(tree.instances()),
                        RegistryRead.children(tree.sharding())))
                .thenCompose(answer -> {
                    List<RegistryRead> locks = new ArrayList<>();
                    JobTree.itemNumbers(answer.children(tree.sharding()))
                            .forEach(index -> locks.add(RegistryRead.data(tree.running(index))));
                    return registry.read(locks).thenApply(held -> report(tree, instance, answer, held));
                });
    }

    private static GroupReport report(
            GroupTree tree, Optional<String> instance, RegistryAnswer answer, RegistryAnswer locks) {
        Optional<RegistryNode> sharding = answer.node(tree.sharding());
        GroupAssignment assignment =
                sharding.flatMap(node -> GroupCodec.read(node.data())).orElse(GroupAssignment.NONE);
        return new GroupReport(
                tree.group(),
                tree.root().substring(1),
                instance,
                answer.node(tree.leader()).map(RegistryNode::text),
                sharding.filter(node -> !assignment.isStopping())
                        .map(RegistryNode::mzxid)
                        .orElse(-1L),
                assignment.isStopping(),
                answer.children(tree.instances()).stream().sorted().toList(),
                assignment
                        .indexes()
                        .map(index -> share(tree, index, assignment, locks))
                        .toList(),
                assignment.leftOut().stream().map(Member::id).toList());
    }

    private static Share share(GroupTree tree, int index, GroupAssignment assignment, RegistryAnswer locks) {
        String path = tree.running(index);
        boolean held = locks.covers(path) && locks.node(path).isPresent();
        return new Share(index, assignment.members().get(index).id(), held);
    }
}
