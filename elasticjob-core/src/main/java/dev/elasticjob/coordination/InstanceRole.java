package dev.elasticjob.coordination;

import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.Optional;

/** An instance's position in its job, according to the registry. It determines the instance's next step. */
enum InstanceRole {
    /** Nodes that every job has are missing: the job was removed, or is about to be. */
    INCOMPLETE,
    /** The instance's node is gone. */
    MISSING,
    /**
     * Another session has created a node under the instance's id: that of another process, or a former one of this
     * process.
     */
    REPLACED,
    /** The job has no leader. */
    CANDIDATE,
    LEADER,
    FOLLOWER;

    static InstanceRole of(JobView view, RegistrySession session) {
        Optional<RegistryNode> own = view.ownInstance();
        if (!view.isInitialised()) {
            return INCOMPLETE;
        }
        if (own.isEmpty()) {
            return MISSING;
        }
        if (!session.owns(own.get())) {
            return REPLACED;
        }
        return view.leader().isEmpty() ? CANDIDATE : view.isLedBy(session) ? LEADER : FOLLOWER;
    }
}
