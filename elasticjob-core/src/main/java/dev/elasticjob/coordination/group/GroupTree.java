package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.membership.MemberNodes;
import dev.elasticjob.registry.JobTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The nodes of one group, the only place besides {@link JobTree} that spells node names: {@code
 * docs/internals/protocol-groups.md} describes each one.
 *
 * @param namespace beside the registry's namespace; without a leading or trailing slash
 * @param group empty for the group without a name
 */
public record GroupTree(String namespace, String group) {
    /** The nodes of the path from the top, down to the group's root. */
    List<String> ancestors() {
        List<String> ancestors = new ArrayList<>();
        StringBuilder path = new StringBuilder("/");
        for (String name : (group.isEmpty() ? namespace : namespace + "/" + group).split("/")) {
            ancestors.add(path.append('/').append(name).toString());
        }
        return ancestors;
    }

    public String root() {
        return "//" + name();
    }

    /** For people: namespace and group. */
    public String name() {
        return group.isEmpty() ? namespace : namespace + "/" + group;
    }

    /** Those of a namespace whose root has these children. Whether one of them is a group shows its {@link #sharding}. */
    static List<GroupTree> candidates(String namespace, List<String> childrenOfNamespace) {
        List<String> own = childrenOfRoot();
        return childrenOfNamespace.stream()
                .map(name -> new GroupTree(namespace, own.contains(name) ? "" : name))
                .distinct()
                .sorted(Comparator.comparing(GroupTree::group))
                .toList();
    }

    /** The names of the nodes below a group's root. */
    public static List<String> childrenOfRoot() {
        GroupTree any = new GroupTree("any", "");
        return List.of(any.instances(), any.root() + "/leader", any.sharding()).stream()
                .map(path -> path.substring(any.root().length() + 1))
                .toList();
    }

    public String instances() {
        return root() + "/instances";
    }

    public String instance(String id) {
        return instances() + "/" + id;
    }

    public String election() {
        return root() + "/leader/election";
    }

    /** Creating it is the election; its data is the leader's id. */
    public String leader() {
        return election() + "/instance";
    }

    public String flags() {
        return root() + "/leader/sharding";
    }

    /** The signal to assign anew. */
    public String necessary() {
        return flags() + "/necessary";
    }

    /** Shown while the leader waits for holders, or assigns. */
    public String processing() {
        return flags() + "/processing";
    }

    /** The phase and the whole assignment. */
    public String sharding() {
        return root() + "/sharding";
    }

    public String index(int index) {
        return sharding() + "/" + index;
    }

    /** The index's owner again, for people. */
    public String owner(int index) {
        return index(index) + "/instance";
    }

    /** The lock of an index. */
    public String running(int index) {
        return index(index) + "/running";
    }

    /** The persistent nodes that hold others, parents first. */
    public List<String> parents() {
        return List.of(instances(), root() + "/leader", election(), election() + "/latch", flags(), sharding());
    }

    MemberNodes members() {
        return new MemberNodes(instances(), election(), leader());
    }
}
