package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether items are disabled while they run here, because executions may last long. Confined to the
 * coordination executor.
 */
public final class DisabledItems {
    private static final Logger log = LoggerFactory.getLogger(DisabledItems.class);

    private final JobScope scope;
    private final Map<Integer, Subscription> watches = new HashMap<>();
    private final Set<Integer> disabled = ConcurrentHashMap.newKeySet();

    public DisabledItems(JobScope scope) {
        this.scope = scope;
    }

    /** Whether the item runs here and has been disabled. Thread-safe. */
    public boolean isDisabled(int item) {
        return disabled.contains(item);
    }

    /** The item runs here from now on. It may have been disabled since it was claimed. */
    public void begin(int item) {
        watches.computeIfAbsent(
                item, any -> scope.registry().watch(scope.tree().disabled(item), WatchScope.NODE, () -> look(item)));
        look(item);
    }

    public void end(int item) {
        Subscription watch = watches.remove(item);
        if (watch != null) {
            watch.close();
            disabled.remove(item);
        }
    }

    private void look(int item) {
        String path = scope.tree().disabled(item);
        scope.registry().read(List.of(RegistryRead.data(path))).whenComplete((answer, unavailable) -> {
            if (unavailable != null) {
                log.debug("Could not check whether \"{}\" exists; the next event triggers another check", path);
            } else if (answer.node(path).isEmpty()) {
                disabled.remove(item);
            } else if (watches.containsKey(item)) {
                disabled.add(item);
            }
        });
    }
}
