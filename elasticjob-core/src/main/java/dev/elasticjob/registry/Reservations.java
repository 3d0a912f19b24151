package dev.elasticjob.registry;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which jobs are in use by whoever shares a registry: {@link Registry#reserve} for its implementations. Thread-safe. */
public final class Reservations {
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    /** Reserves a name until the subscription is closed; empty where it is taken. */
    public Optional<Subscription> reserve(String name) {
        if (!taken.add(name)) {
            return Optional.empty();
        }
        AtomicBoolean held = new AtomicBoolean(true);
        return Optional.of(() -> {
            if (held.compareAndSet(true, false)) {
                taken.remove(name);
            }
        });
    }
}
