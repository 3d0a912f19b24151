package dev.elasticjob.coordination.firing;

import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.view.CallLimits;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.FiringOutcomes;
import java.util.Optional;

/**
 * A call of listeners that this instance has claimed, and whose end it owes.
 *
 * @param firing as the claim left it
 * @param token the number of the transaction that has created the lock
 * @param base makes its fencing token of the number
 * @param sessionId in which it was claimed
 * @param outcomes of the items; empty before the first one
 */
public record HookClaim(
        OpenFiring firing,
        String instance,
        long token,
        long base,
        long sessionId,
        JobDefinition definition,
        Optional<FiringOutcomes> outcomes) {
    /** As its listeners see it. */
    public ClusterFiring firingOf(String jobName) {
        return new ClusterFiring(
                jobName,
                firing.runIdOf(jobName),
                Optional.ofNullable(firing.scheduledAt()),
                firing.items(),
                attempt(),
                base + token,
                instance);
    }

    /** The same with what became of the items. */
    HookClaim with(FiringOutcomes known) {
        return new HookClaim(firing, instance, token, base, sessionId, definition, Optional.of(known));
    }

    String id() {
        return firing.id();
    }

    public CallLimits limits() {
        return CallLimits.of(definition, firing.phase());
    }

    /** Counts the starts, from 1. */
    public int attempt() {
        return firing.hook().attempt();
    }

    public boolean isBefore() {
        return firing.phase() == OpenFiring.Phase.BEFORE;
    }

    /** Whether the registry still shows this very call. */
    boolean isStill(OpenFiring now) {
        return now.phase() == firing.phase() && now.hook().equals(firing.hook());
    }

    /** How such a call ended. */
    public sealed interface Result {
        /** @param failure the text of its failure; empty if it returned */
        record Over(Optional<String> failure) implements Result {}

        /** It was cut off by the end of the process or of the session: another instance calls the listeners again. */
        record CutOff() implements Result {}

        /** It never began. */
        record NotBegun() implements Result {}
    }
}
