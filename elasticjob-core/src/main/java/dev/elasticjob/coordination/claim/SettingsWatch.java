package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.util.ArrayList;
import java.util.List;

/**
 * Sees when the settings change for which this instance has refused to claim. Others learn of a new definition by a
 * refused claim, but it makes none. Confined to the coordination executor.
 */
final class SettingsWatch implements AutoCloseable {
    private final JobScope scope;
    private final Runnable lookAgain;
    private final List<Subscription> watches = new ArrayList<>();

    SettingsWatch(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /** A claim was refused here. From now on each change of the settings is looked at; one may have come before. */
    void refused() {
        if (watches.isEmpty()) {
            try {
                watch(scope.tree().config());
                watch(scope.tree().extension());
            } catch (RuntimeException e) {
                close();
                throw e;
            }
            lookAgain.run();
        }
    }

    private void watch(String path) {
        watches.add(scope.registry()
                .watch(path, WatchScope.NODE, () -> scope.executor().execute(lookAgain)));
    }

    @Override
    public void close() {
        watches.forEach(Subscription::close);
        watches.clear();
    }
}
