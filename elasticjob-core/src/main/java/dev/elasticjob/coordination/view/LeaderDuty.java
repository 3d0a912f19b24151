package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistrySession;

/**
 * In which session this instance leads its job, and what it has last read of it as the leader. Immutable.
 *
 * @param definition in force
 */
public record LeaderDuty(RegistrySession session, JobView view, JobDefinition definition) {
    /** The version of the stored definition; -1 without one. */
    public int definitionVersion() {
        return view.definition().inForce().map(NodeVersion::version).orElse(-1);
    }

    /** Whether the other one is of the same session, with the same plan and the same settings. */
    public boolean isUnderSamePlan(LeaderDuty other) {
        return session.id() == other.session.id()
                && view.epoch() == other.view.epoch()
                && definition.equals(other.definition);
    }
}
