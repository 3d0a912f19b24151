package dev.elasticjob.coordination;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes of a job that this instance watches, by its role. Any number of events means the same: read again. Nodes
 * that change with every firing (records, locks) are never watched at large.
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
    private final List<Subscription> heldBack = new ArrayList<>();
    private final List<Subscription> settings = new ArrayList<>();
    /** Whose own nodes are watched: with a new session, this instance may have another id. */
    private String watched = "";

    JobWatches(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /**
     * Watches the assignment, the signal of manual runs, the leader, and the instance's own node, which operators use
     * for commands.
     *
     * @return whether a watch is new, so that earlier reads may be outdated
     */
    boolean asFollower(String instance) {
        close(leader);
        asEverybody();
        forgetOtherIds(instance);
        if (!follower.isEmpty()) {
            return false;
        }
        watch(follower, scope.tree().instance(instance), WatchScope.DATA);
        return true;
    }

    /**
     * Watches the input of a plan, including the instance's own node. Also watches the assignment: the last plan of a
     * former leader may arrive after this leader's read, and operators may empty the node.
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
            // One watch on the server, for all jobs of the process.
            watch(leader, JobTree.namespacePaused(), WatchScope.DATA);
        }
    }

    /**
     * Watches the definition and the assignment, whatever this instance's role is, because one of them can't be read.
     *
     * @return whether these watches are new, so that the nodes may already have been corrected
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

    /** Both nodes can be read. The leader keeps watching the definition, the others the assignment. */
    void readable() {
        close(unreadable);
    }

    /**
     * Watches what keeps this instance from starting anything: if it goes before the leader has noticed it, no plan tells.
     *
     * @return whether these watches are new, so that earlier reads may be outdated
     */
    boolean heldBack(String instance, String ip) {
        forgetOtherIds(instance);
        if (!heldBack.isEmpty()) {
            return false;
        }
        JobTree tree = scope.tree();
        watch(heldBack, tree.paused(), WatchScope.DATA);
        watch(heldBack, JobTree.namespacePaused(), WatchScope.DATA);
        watch(heldBack, tree.drain(instance), WatchScope.DATA);
        watch(heldBack, tree.server(ip), WatchScope.DATA);
        return true;
    }

    /**
     * Watches the settings, by which the job may choose this instance again, or tolerate its clock: if that comes before the
     * leader has noticed that it doesn't, no plan tells.
     *
     * @return whether these watches are new, so that earlier reads may be outdated
     */
    boolean settings() {
        if (!settings.isEmpty()) {
            return false;
        }
        watch(settings, scope.tree().config(), WatchScope.NODE);
        watch(settings, scope.tree().extension(), WatchScope.NODE);
        return true;
    }

    void free() {
        close(heldBack);
    }

    void forgetSettings() {
        close(settings);
    }

    private void forgetOtherIds(String instance) {
        if (!instance.equals(watched)) {
            close(follower);
            close(heldBack);
            watched = instance;
        }
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

    /** Opens all watches of a group or none, so a group that has watches is complete. */
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
        free();
        forgetSettings();
        close(everybody);
    }

    private static void close(List<Subscription> subscriptions) {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
    }
}
