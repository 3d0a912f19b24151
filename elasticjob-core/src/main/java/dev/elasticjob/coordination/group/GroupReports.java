package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.group.GroupAssignment.Member;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.group.GroupReport.Share;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Reads the state of groups, for people. Safe for use by any thread. */
public final class GroupReports {
    private GroupReports() {}

    /** @param instance the asking instance's id in the group, if it has one */
    public static CompletionStage<GroupReport> read(Registry registry, GroupTree tree, Optional<String> instance) {
        return read(registry, List.of(tree)).thenApply(read -> read.report(tree, instance));
    }

    /** All groups of a namespace, in order of their names: one request, and two if there are any. */
    public static CompletionStage<List<GroupReport>> readAll(Registry registry, String namespace) {
        String root = new GroupTree(namespace, "").root();
        return registry.read(List.of(RegistryRead.children(root)))
                .thenApply(answer -> GroupTree.candidates(namespace, answer.children(root)))
                .thenCompose(trees -> read(registry, trees)
                        .thenApply(read -> trees.stream()
                                .filter(read::isGroup)
                                .map(tree -> read.report(tree, Optional.empty()))
                                .toList()));
    }

    private static CompletionStage<Read> read(Registry registry, List<GroupTree> trees) {
        return registry.read(trees.stream().flatMap(GroupReports::reads).toList())
                .thenCompose(groups -> registry.read(trees.stream()
                                .flatMap(tree -> JobTree.itemNumbers(groups.children(tree.sharding())).stream()
                                        .map(index -> RegistryRead.data(tree.running(index))))
                                .toList())
                        .thenApply(locks -> new Read(groups, locks)));
    }

    private static Stream<RegistryRead> reads(GroupTree tree) {
        return Stream.of(
                RegistryRead.data(tree.sharding()),
                RegistryRead.data(tree.leader()),
                RegistryRead.children(tree.instances()),
                RegistryRead.children(tree.sharding()));
    }

    /** @param locks of all indexes that there are nodes for */
    private record Read(RegistryAnswer groups, RegistryAnswer locks) {
        /** Whether it is one, and not something else beside the groups. */
        boolean isGroup(GroupTree tree) {
            return groups.node(tree.sharding()).isPresent();
        }

        GroupReport report(GroupTree tree, Optional<String> instance) {
            Optional<RegistryNode> sharding = groups.node(tree.sharding());
            GroupAssignment assignment =
                    sharding.flatMap(node -> GroupCodec.read(node.data())).orElse(GroupAssignment.NONE);
            return new GroupReport(
                    tree.group(),
                    tree.root().substring(1),
                    instance,
                    groups.node(tree.leader()).map(RegistryNode::text),
                    sharding.filter(node -> !assignment.isStopping())
                            .map(RegistryNode::mzxid)
                            .orElse(-1L),
                    assignment.isStopping(),
                    sharding.map(RegistryNode::modified),
                    groups.children(tree.instances()).stream().sorted().toList(),
                    assignment
                            .indexes()
                            .map(index -> share(tree, index, assignment))
                            .toList(),
                    assignment.leftOut().stream().map(Member::id).toList(),
                    sharding.flatMap(node -> GroupCodec.problem(tree.sharding(), node.data())));
        }

        private Share share(GroupTree tree, int index, GroupAssignment assignment) {
            String path = tree.running(index);
            String owner = assignment.members().get(index).id();
            // The lock was read later than the assignment: it may be that of the next owner.
            boolean held = locks.covers(path)
                    && locks.node(path)
                            .map(RegistryNode::text)
                            .filter(owner::equals)
                            .isPresent();
            return new Share(index, owner, held);
        }
    }
}
