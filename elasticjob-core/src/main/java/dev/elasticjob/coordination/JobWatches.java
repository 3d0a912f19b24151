package dev.elasticjob.coordination;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes of a job that this instance watches, by its role. Any number of events means one thing: read again. Nodes that
 * every firing changes (records, locks) are never watched at large.
 *
 * <p>Confined to the coordination executor.
 */
final class JobWatches implements AutoCloseable {
    private final JobScope scope;
    private final Runnable lookAgain;
    private final List<Subscription> everybody = new ArrayList<>();
    private final List<Subscription> follower = new ArrayList<>();
    private final List<Subscription> unreadable = new ArrayList<>();
    private final List<Subscription> leader = new ArrayList<>();

    JobWatches(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /**
     * Watches the assignment, the signal of manual runs, the leader, and the own node, by which operators command.
     *
     * @return whether one of them was not watched before: what was read before may be outdated
     */
    boolean asFollower(String instance) {
        close(leader);
        asEverybody();
        if (!follower.isEmpty()) {
            return false;
        }
        watch(follower, scope.tree().instance(instance), WatchScope.DATA);
        return true;
    }

    /**
     * Watches everything that a plan is made from, with the own node among it. Watches the assignment too: the last plan
     * of a former leader may come after this one has read it, and operators may empty it.
     */
    void asLeader() {
        close(follower);
        asEverybody();
        if (leader.isEmpty()) {
            JobTree tree = scope.tree();
            watch(leader, tree.instances(), WatchScope.SUBTREE);
            watch(leader, tree.servers(), WatchScope.SUBTREE);
            watch(leader, tree.config(), WatchScope.NODE);
            watch(leader, tree.extension(), WatchScope.NODE);
            watch(leader, tree.flags(), WatchScope.NODE);
        }
    }

    /**
     * Watches the definition and the assignment, one of which can't be read, whatever this instance's role is.
     *
     * @return whether they were not watched before: they may have been corrected already
     */
    boolean unreadable() {
        if (!unreadable.isEmpty()) {
            return false;
        }
        watch(unreadable, scope.tree().config(), WatchScope.NODE);
        watch(unreadable, scope.tree().extension(), WatchScope.NODE);
        watch(unreadable, scope.tree().sharding(), WatchScope.DATA);
        return true;
    }

    /** Both can be read: the leader watches the definition, the others the assignment. */
    void readable() {
        close(unreadable);
    }

    private void asEverybody() {
        if (everybody.isEmpty()) {
            watch(everybody, scope.tree().leader(), WatchScope.NODE);
            watch(everybody, scope.tree().triggers(), WatchScope.NODE);
            watch(everybody, scope.tree().sharding(), WatchScope.DATA);
        }
    }

    boolean isLeader() {
        return !leader.isEmpty();
    }

    /** Opens all watches of a group, or none: a group that has watches is complete. */
    private void watch(List<Subscription> group, String path, WatchScope watchScope) {
        try {
            group.add(scope.registry().watch(path, watchScope, lookAgain));
        } catch (RuntimeException e) {
            close(group);
            throw e;
        }
    }

    @Override
    public void close() {
        close(leader);
        close(follower);
        close(unreadable);
        close(everybody);
    }

    private static void close(List<Subscription> subscriptions) {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
    }
}
