package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What wakes the leader of a follower. Each method returns whether something was not watched before: then what was read
 * may be outdated. Confined to the coordination executor.
 */
final class FollowerWatches implements AutoCloseable {
    private final JobScope scope;
    private final Runnable lookAgain;
    private final List<Subscription> followUps = new ArrayList<>();
    private final List<Subscription> parents = new ArrayList<>();
    private Set<String> watchedParents = Set.of();
    private TaskTimer.@Nullable Cancellable timer;

    FollowerWatches(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /** The firings to run for; and each new connection, because events of the time without one are lost. */
    boolean ofFollowUps() {
        if (!followUps.isEmpty()) {
            return false;
        }
        followUps.add(scope.connection().onChange(state -> {
            if (state.isConnected()) {
                lookAgain.run();
            }
        }));
        followUps.add(scope.registry().watch(scope.tree().after(), WatchScope.SUBTREE, lookAgain));
        return true;
    }

    /** Whether they are there, list this job, and record their executions: they may be removed, and registered again. */
    boolean ofParents(Set<String> names) {
        if (names.equals(watchedParents)) {
            return false;
        }
        close(parents);
        for (String name : names) {
            JobTree parent = new JobTree(name);
            parents.add(scope.registry().watch(parent.flags(), WatchScope.DATA, lookAgain));
            parents.add(scope.registry().watch(parent.follower(scope.jobName()), WatchScope.DATA, lookAgain));
            parents.add(scope.registry().watch(parent.config(), WatchScope.DATA, lookAgain));
            parents.add(scope.registry().watch(parent.extension(), WatchScope.DATA, lookAgain));
        }
        watchedParents = Set.copyOf(names);
        return true;
    }

    /** Replaces the timer. */
    void wakeIn(Optional<Duration> pause) {
        if (timer != null) {
            timer.cancel();
        }
        timer = pause.map(delay -> scope.connection().later(delay, lookAgain)).orElse(null);
    }

    @Override
    public void close() {
        wakeIn(Optional.empty());
        close(followUps);
        close(parents);
        watchedParents = Set.of();
    }

    private static void close(List<Subscription> subscriptions) {
        subscriptions.forEach(Subscription::close);
        subscriptions.clear();
    }
}
