package dev.elasticjob.admin;

import dev.elasticjob.admin.explain.Standstill;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.Pauses;
import java.util.Optional;

/** The state of a job as a whole, according to its control nodes. The first one that applies, worst first. */
public enum JobStatus {
    /** The definition or the assignment can't be read, so nothing starts. */
    UNREADABLE,
    /** The job was removed, and nodes of it are left. */
    REMOVED,
    /** Instances of other software take part in the job, so nothing starts. */
    FOREIGN_INSTANCES,
    /** No instance runs the job. */
    NO_INSTANCE,
    /** Operators have paused the job, or all jobs of the namespace. */
    PAUSED,
    /** Operators have disabled all servers of the job. */
    DISABLED,
    /** The job has instances, but no leader. */
    NO_LEADER,
    /** No instance may run items: operators have drained all of them, or they are stopping. */
    DRAINED,
    /** No instance may run items: none has the labels that the job's {@code runOn} asks for. */
    UNMATCHED,
    /** No item has an owner yet. */
    UNPLANNED,
    /** The items have owners. */
    READY;

    static JobStatus of(JobSnapshot job) {
        Optional<Assignment> plan = job.assignment();
        if (job.denied().isPresent() || job.view().problem().isPresent()) {
            return UNREADABLE;
        }
        if (!job.hasDefinition()) {
            return REMOVED;
        }
        if (job.definition().isEmpty()) {
            return UNREADABLE;
        }
        if (plan.filter(Assignment::isHeld).isPresent()) {
            return FOREIGN_INSTANCES;
        }
        if (job.view().instances().isEmpty()) {
            return NO_INSTANCE;
        }
        if (Pauses.of(job.view().pauses()).lasts()) {
            return PAUSED;
        }
        if (plan.map(Assignment::pausedFrom).isPresent()) {
            return DISABLED;
        }
        if (job.view().leader().isEmpty()) {
            return NO_LEADER;
        }
        return plan.filter(assignment -> assignment.total() > 0).isPresent() ? READY : withoutOwners(job);
    }

    private static JobStatus withoutOwners(JobSnapshot job) {
        if (job.assignment().isPresent()
                && job.view().draining().containsAll(job.view().instances())) {
            return DRAINED;
        }
        return Standstill.of(job, Optional.empty())
                .map(still -> switch (still.cause()) {
                    case DRAINED -> DRAINED;
                    case UNMATCHED -> UNMATCHED;
                    case SERVERS_DISABLED, JOB_DISABLED, DECLARED_DISABLED -> UNPLANNED;
                })
                .orElse(UNPLANNED);
    }
}
