package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;

/**
 * What this instance may claim, at the epoch it knows: a value that coordination hands to the parts that claim and schedule.
 *
 * @param session in which this instance is registered
 * @param instance its id
 * @param epoch guards every claim
 * @param definition as the registry has it
 * @param definitionVersion guards every claim
 * @param schedule the one in force, parsed
 * @param items those this instance owns
 * @param enabled whether its server may take part
 */
public record Ownership(
        RegistrySession session,
        String instance,
        int epoch,
        Assignment assignment,
        JobDefinition definition,
        NodeVersion definitionVersion,
        Schedule schedule,
        NavigableSet<Integer> items,
        boolean enabled) {
    public static Ownership of(RegistrySession session, JobView view, Assignment assignment, JobDefinition definition) {
        return new Ownership(
                session,
                view.instance(),
                view.epoch(),
                assignment,
                definition,
                view.definitionVersion(),
                assignment.schedule(),
                assignment.itemsOf(view.instance()),
                !view.isServerDisabled());
    }

    /** Delay after which a firing is late: never less than the time in which a dead instance is detected. */
    public Duration misfireThreshold() {
        Duration threshold = definition.misfireThreshold();
        return threshold.compareTo(session.timeout()) > 0 ? threshold : session.timeout();
    }

    /** Whether the same firings are due under the other one, so that only items it gains have to be looked at. */
    public boolean isDueLike(Ownership other) {
        return session.id() == other.session.id()
                && definition.equals(other.definition)
                && schedule.equals(other.schedule)
                && assignment.since().equals(other.assignment.since());
    }

    /**
     * Whether a firing waits behind the execution. The record decides: a manual run passes no firing, and an execution that
     * was taken over may have begun with a firing waiting.
     */
    public boolean isBehind(ItemRecord claimed, Instant now) {
        Instant seen = claimed.scheduledAt();
        return assignment
                .latestDue(schedule, now)
                .filter(firing -> seen == null || firing.isAfter(seen))
                .isPresent();
    }

    /**
     * Whether an item that this instance has claimed, and not begun, may still begin here: not after it was given away. One
     * that was taken over is anybody's, as long as it has an owner.
     */
    public boolean letsBegin(int item, boolean takenOver) {
        return enabled
                && (items.contains(item) || (takenOver && assignment.owners().containsKey(item)));
    }
}
