package dev.elasticjob.coordination.group;

import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.util.ArrayList;
import java.util.List;

/** The nodes of a group that this instance watches, by its role. Confined to the coordination executor. */
final class GroupWatches implements AutoCloseable {
    private final GroupScope scope;
    private final Runnable lookAgain;
    private final List<Subscription> everybody = new ArrayList<>();
    private final List<Subscription> leader = new ArrayList<>();
    private String watched = "";

    GroupWatches(GroupScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /**
     * Watches the node that decides, the leader, and the instance's own node.
     *
     * @return whether one of them was not watched before: what was read before may be outdated
     */
    boolean asMember(String instance) {
        if (instance.equals(watched) && !everybody.isEmpty()) {
            return false;
        }
        close(everybody);
        watch(everybody, scope.tree().sharding(), WatchScope.DATA);
        watch(everybody, scope.tree().leader(), WatchScope.DATA);
        watch(everybody, scope.tree().instance(instance), WatchScope.DATA);
        watched = instance;
        return true;
    }

    /** Watches also who is there, and requests; see {@link #asMember}. */
    boolean asLeader() {
        if (!leader.isEmpty()) {
            return false;
        }
        watch(leader, scope.tree().instances(), WatchScope.NODE);
        watch(leader, scope.tree().flags(), WatchScope.NODE);
        return true;
    }

    void asFollower() {
        close(leader);
    }

    /** Opens all watches of a role, or none. */
    private void watch(List<Subscription> role, String path, WatchScope watchScope) {
        try {
            role.add(scope.registry().watch(path, watchScope, lookAgain));
        } catch (RuntimeException e) {
            close(role);
            throw e;
        }
    }

    @Override
    public void close() {
        close(leader);
        close(everybody);
    }

    private static void close(List<Subscription> subscriptions) {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
    }
}
