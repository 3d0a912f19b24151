package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports firings that wait for listeners which no instance has called for a minute, once each. Of use on instances without
 * listeners: others call them.
 *
 * <p>Confined to the coordination executor.
 */
final class MissingListeners {
    /** After which firings that wait are reported. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(MissingListeners.class);

    private final JobScope scope;
    private final Runnable lookAgain;
    private final Set<String> told = new HashSet<>();
    private final Map<String, Instant> seen = new HashMap<>();
    private boolean waits;

    /** @param lookAgain called when it is time to look again */
    MissingListeners(JobScope scope, Runnable lookAgain) {
        this.scope = scope;
        this.lookAgain = lookAgain;
    }

    /** @param uncalled the firings whose listeners nobody calls now */
    void look(Ownership own, List<OpenFiring> uncalled) {
        List<String> keys = uncalled.stream().map(MissingListeners::key).toList();
        Instant now = scope.registryTime().now();
        told.retainAll(keys);
        seen.keySet().retainAll(keys);
        keys.forEach(key -> seen.putIfAbsent(key, now));
        uncalled.stream()
                .filter(firing -> !told.contains(key(firing)))
                .filter(firing -> !Objects.requireNonNull(seen.get(key(firing)))
                        .plus(PATIENCE)
                        .isAfter(now))
                .forEach(firing -> report(own, firing));
        if (!waits && uncalled.stream().anyMatch(firing -> !told.contains(key(firing)))) {
            waits = true;
            scope.connection().later(PATIENCE, () -> {
                waits = false;
                lookAgain.run();
            });
        }
    }

    private static String key(OpenFiring firing) {
        return firing.id() + firing.phase();
    }

    private void report(Ownership own, OpenFiring firing) {
        told.add(key(firing));
        boolean before = firing.phase() == Phase.BEFORE;
        String runId = firing.runIdOf(scope.jobName());
        log.warn(
                "Job \"{}\": firing \"{}\" waits for the job's cluster listeners {}, but no instance has called them for"
                        + " a minute. Start an instance that has a ClusterJobListener for the job. If there is none any"
                        + " more, set the job's \"overwrite\" to true for one start",
                scope.jobName(),
                runId,
                before ? "before its first item" : "after its last item");
        scope.events()
                .accept(new JobEvent.ListenersMissing(
                        scope.jobName(), own.instance(), runId, before ? HookKind.BEFORE : HookKind.AFTER));
    }
}
