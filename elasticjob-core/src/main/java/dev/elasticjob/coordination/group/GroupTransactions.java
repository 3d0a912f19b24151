package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.group.GroupPlanner.Decision.Assign;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;

/** The steps of {@code docs/internals/protocol-groups.md} that concern indexes, each as one transaction. Pure. */
record GroupTransactions(GroupTree tree) {
    /** Ends the present assignment: no index of it can be taken any more. */
    RegistryCommit stop(GroupView view, String leader) {
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .set(
                        tree.sharding(),
                        GroupCodec.write(view.assignment().stopping()),
                        view.sharding().version())
                .addAll(request(view.request()));
        if (view.processing().isEmpty()) {
            commit.createEphemeral(tree.processing(), leader);
        }
        return commit.build();
    }

    /** Requests a new assignment. */
    RegistryCommit request(Optional<RegistryNode> present) {
        return RegistryCommit.builder()
                .setOrCreate(tree.necessary(), "", present.map(RegistryNode::version))
                .build();
    }

    /**
     * What the leader read below the node that decides, after it had read the phase.
     *
     * @param indexes that have a node
     * @param held the locks that are there
     * @param owners what is displayed
     */
    record Indexes(NavigableSet<Integer> indexes, Map<Integer, RegistryNode> held, Map<Integer, RegistryNode> owners) {}

    /** Makes an assignment, and is refused if an index is held that is not to be overridden. */
    RegistryCommit assign(GroupView view, Assign assign, Indexes read) {
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .set(
                        tree.sharding(),
                        GroupCodec.write(assign.next()),
                        view.sharding().version());
        read.indexes().forEach(index -> assertNotHeld(index, assign, read, commit));
        show(assign.next(), read, commit);
        view.request().ifPresent(node -> commit.delete(tree.necessary(), node.version()));
        view.processing().ifPresent(node -> commit.delete(tree.processing(), node.version()));
        return commit.build();
    }

    private void assertNotHeld(int index, Assign assign, Indexes read, RegistryCommit.Builder commit) {
        RegistryNode running = read.held().get(index);
        if (running == null) {
            commit.assertAbsent(tree.running(index));
        } else if (assign.overridden().contains(index)) {
            commit.delete(tree.running(index), running.version());
        }
    }

    private void show(GroupAssignment next, Indexes read, RegistryCommit.Builder commit) {
        next.indexes().forEach(index -> {
            String id = next.members().get(index).id();
            Optional<RegistryNode> shown = Optional.ofNullable(read.owners().get(index));
            if (!read.indexes().contains(index)) {
                commit.create(tree.index(index));
            }
            if (shown.filter(node -> node.text().equals(id)).isEmpty()) {
                commit.setOrCreate(tree.owner(index), id, shown.map(RegistryNode::version));
            }
        });
        read.indexes().tailSet(next.members().size()).forEach(index -> {
            Optional.ofNullable(read.owners().get(index))
                    .ifPresent(node -> commit.delete(tree.owner(index), node.version()));
            commit.delete(tree.index(index), RegistryCommit.ANY_VERSION);
        });
    }

    /** Takes an index, as long as the assignment is in force. */
    RegistryCommit hold(GroupView view, int index) {
        return RegistryCommit.builder()
                .check(tree.sharding(), view.sharding().version())
                .check(tree.instance(view.instance()), RegistryCommit.ANY_VERSION)
                .createEphemeral(tree.running(index), view.instance())
                .build();
    }

    /**
     * Gives indexes back. At this version of the node that decides, nobody else can hold them: so this deletes no later
     * holder's node, also if it is sent again.
     *
     * @param locks by their index
     */
    RegistryCommit release(Map<Integer, RegistryNode> locks, RegistryNode sharding) {
        RegistryCommit.Builder commit = RegistryCommit.builder().check(tree.sharding(), sharding.version());
        locks.forEach((index, running) -> commit.delete(tree.running(index), running.version()));
        return commit.build();
    }
}
