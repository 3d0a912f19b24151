package dev.elasticjob.coordination;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the items that this instance owns, and requests for manual runs: each change once. Confined to the
 * coordination executor.
 */
final class OwnershipPublisher {
    private static final Logger log = LoggerFactory.getLogger(OwnershipPublisher.class);

    private final JobScope scope;
    private final OptionalInt capacity;
    private final Predicate<JobDefinition> measures;
    private final CoordinationListener listener;
    private @Nullable Ownership published;
    private long seenSignal;

    /**
     * @param capacity of this instance
     * @param measures whether a job's records say how long its items take
     */
    OwnershipPublisher(
            JobScope scope, OptionalInt capacity, Predicate<JobDefinition> measures, CoordinationListener listener) {
        this.scope = scope;
        this.capacity = capacity;
        this.measures = measures;
        this.listener = listener;
    }

    /** The published ownership no longer holds. The next one is published even if it is equal. */
    void suspend(boolean sessionLost) {
        published = null;
        listener.suspended(sessionLost);
    }

    /** Publishes the state of the view, once there is an assignment. */
    void publish(RegistrySession session, JobView view, JobDefinition definition, JobState standing) {
        Optional<Assignment> assignment = view.assignment();
        if (assignment.isEmpty()) {
            return;
        }
        if (assignment.get().isHeld()) {
            suspend(false);
            return;
        }
        long signal = view.runs().map(RegistryNode::mzxid).orElse(0L);
        Ownership ownership = Ownership.of(
                session, view, assignment.get(), definition, standing, capacity, measures.test(definition));
        if (!ownership.equals(published)) {
            boolean moved = published == null || published.epoch() != ownership.epoch();
            // With the first ownership, the listener reads everything anyway.
            seenSignal = published == null ? signal : seenSignal;
            listener.owns(ownership, standing, view.hasPausedItself());
            published = ownership;
            if (moved) {
                reportMove(ownership);
            }
        }
        if (signal != seenSignal) {
            seenSignal = signal;
            listener.asked();
        }
    }

    private void reportMove(Ownership ownership) {
        // While nobody may own items, as at the end of the last instance, there is nothing to tell.
        if (ownership.assignment().total() > 0) {
            scope.announcements()
                    .log(
                            log,
                            "Job \"{}\": this instance owns {} of {} items at epoch {}: [{}]",
                            scope.jobName(),
                            ownership.items().size(),
                            ownership.assignment().total(),
                            ownership.epoch(),
                            ItemRanges.text(List.copyOf(ownership.items())));
        }
        scope.events()
                .accept(new JobEvent.AssignmentChanged(
                        scope.jobName(), ownership.instance(), ownership.epoch(), ownership.items()));
    }
}
