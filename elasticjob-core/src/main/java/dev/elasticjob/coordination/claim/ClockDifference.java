package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reacts to a machine clock that keeps firings from being claimed here. The difference is reported once. The settings,
 * which may tolerate it, are watched: other instances learn of new settings when a claim is refused, but this one makes
 * no claims. Confined to the coordination executor.
 */
final class ClockDifference implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ClockDifference.class);

    private final JobScope scope;
    private final Runnable settingsChanged;
    private final List<Subscription> watches = new ArrayList<>();
    private boolean reported;

    ClockDifference(JobScope scope, Runnable settingsChanged) {
        this.scope = scope;
        this.settingsChanged = settingsChanged;
    }

    /** The time by which firings are due here: this machine's, if it differs by more than the job tolerates. */
    static Instant now(JobDefinition definition, RegistryTime time) {
        int tolerated = definition.maxTimeDiffSeconds();
        boolean exceeded = tolerated >= 0 && time.ahead().abs().compareTo(Duration.ofSeconds(tolerated)) > 0;
        return exceeded ? time.here() : time.due();
    }

    /** @param differs whether firings were left to other instances in this round */
    void follow(Ownership own, boolean differs) {
        if (differs && !reported) {
            report(own);
        }
        reported = differs;
        if (differs && watches.isEmpty()) {
            watch();
        }
    }

    private void report(Ownership own) {
        Instant here = scope.registryTime().here();
        Instant registry = scope.registryTime().now();
        log.error(
                "Job \"{}\": this machine's clock is at {}, but the registry's is at {}. This instance claims no"
                        + " firings until the clocks agree. Synchronize this machine's clock, or drain this"
                        + " instance, so that others get its items",
                scope.jobName(),
                here,
                registry);
        scope.events().accept(new JobEvent.ClockDiffers(scope.jobName(), own.instance(), here, registry));
    }

    /** The settings may have changed before the watch was set. */
    private void watch() {
        try {
            for (String path : List.of(scope.tree().config(), scope.tree().extension())) {
                watches.add(scope.registry().watch(path, WatchScope.NODE, settingsChanged));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        settingsChanged.run();
    }

    @Override
    public void close() {
        watches.forEach(Subscription::close);
        watches.clear();
    }
}
