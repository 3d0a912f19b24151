package dev.elasticjob.engine;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.testing.ChangedRegistry;
import java.util.function.Consumer;

/** A registry that counts what is subscribed to. For one thread. */
final class WatchCount extends ChangedRegistry {
    private int open;
    private int most;

    WatchCount(Registry registry) {
        super(registry);
    }

    int open() {
        return open;
    }

    int most() {
        return most;
    }

    private Subscription counted(Subscription subscription) {
        open++;
        most = Math.max(most, open);
        return () -> {
            open--;
            subscription.close();
        };
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        return counted(super.watch(path, scope, lookAgain));
    }

    @Override
    public Subscription onConnectionState(Consumer<ConnectionState> listener) {
        return counted(super.onConnectionState(listener));
    }
}
