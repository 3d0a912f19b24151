package dev.elasticjob.coordination;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what this instance owns, and that somebody has asked for manual runs: each change once. Confined to the
 * coordination executor.
 */
final class OwnershipPublisher {
    private static final Logger log = LoggerFactory.getLogger(OwnershipPublisher.class);

    private final JobScope scope;
    private final CoordinationListener listener;
    private @Nullable Ownership told;
    private long heardBell;

    OwnershipPublisher(JobScope scope, CoordinationListener listener) {
        this.scope = scope;
        this.listener = listener;
    }

    /** What was told doesn't hold any more: the next word is news whatever it says. */
    void suspend(boolean sessionLost) {
        told = null;
        listener.suspended(sessionLost);
    }

    /** Tells what the view shows, once there is an assignment. */
    void tell(RegistrySession session, JobView view, JobDefinition definition) {
        Optional<Assignment> assignment = view.assignment();
        if (assignment.isEmpty()) {
            return;
        }
        if (assignment.get().isHeld()) {
            suspend(false);
            return;
        }
        long bell = view.runs().map(RegistryNode::mzxid).orElse(0L);
        Ownership ownership = Ownership.of(session, view, assignment.get(), definition);
        if (!ownership.equals(told)) {
            boolean moved = told == null || told.epoch() != ownership.epoch();
            // Whoever follows an ownership for the first time looks at everything anyway.
            heardBell = told == null ? bell : heardBell;
            listener.owns(ownership, view.isServerDisabled());
            told = ownership;
            if (moved) {
                tellMove(ownership);
            }
        }
        if (bell != heardBell) {
            heardBell = bell;
            listener.asked();
        }
    }

    private void tellMove(Ownership ownership) {
        scope.announcements()
                .tell(
                        log,
                        "Job \"{}\": this instance owns {} of {} items at epoch {}: [{}]",
                        scope.jobName(),
                        ownership.items().size(),
                        ownership.assignment().total(),
                        ownership.epoch(),
                        ItemRanges.text(List.copyOf(ownership.items())));
        scope.events()
                .accept(new JobEvent.AssignmentChanged(
                        scope.jobName(), ownership.instance(), ownership.epoch(), ownership.items()));
    }
}
