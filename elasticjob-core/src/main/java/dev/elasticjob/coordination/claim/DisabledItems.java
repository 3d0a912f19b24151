package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.Subscription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches whether items are disabled while they execute here, for executions that may last long. Confined to the
 * coordination executor.
 */
public final class DisabledItems {
    private static final Logger log = LoggerFactory.getLogger(DisabledItems.class);

    private final JobScope scope;
    private final Listener listener;
    private final Map<Integer, Subscription> watches = new HashMap<>();

    public DisabledItems(JobScope scope, Listener listener) {
        this.scope = scope;
        this.listener = listener;
    }

    /** Receives the state of the items that are watched, on the coordination executor. */
    public interface Listener {
        void disabled(int item);

        void enabled(int item);
    }

    /** The item executes here from now on: it may have been disabled since it was claimed. */
    public void begin(int item) {
        watches.computeIfAbsent(
                item, any -> scope.registry().watch(scope.tree().disabled(item), WatchScope.NODE, () -> look(item)));
        look(item);
    }

    /** It has ended. */
    public void end(int item) {
        Subscription watch = watches.remove(item);
        if (watch != null) {
            watch.close();
            listener.enabled(item);
        }
    }

    private void look(int item) {
        String path = scope.tree().disabled(item);
        scope.registry().read(List.of(RegistryRead.data(path))).whenComplete((answer, unavailable) -> {
            if (unavailable != null) {
                log.debug("Could not check whether \"{}\" exists; the next event triggers another check", path);
            } else if (answer.node(path).isEmpty()) {
                listener.enabled(item);
            } else if (watches.containsKey(item)) {
                listener.disabled(item);
            }
        });
    }
}
