package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DueMoments;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.StoredDefinition.NodeVersion;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The items that this instance may claim, at the epoch that it knows.
 *
 * @param session the session in which this instance is registered
 * @param instance its id
 * @param epoch guards every claim
 * @param definition the stored definition
 * @param definitionVersion guards every claim
 * @param items the items that this instance owns
 * @param enabled whether this instance may start anything: its server is enabled, it isn't drained, there is no pause, and
 *     its labels match the job's {@code runOn}
 * @param pause the transaction that last changed the job's pause, 0 if there was none; empty unless the job counts its
 *     failures
 * @param chosenBy the node by which the job chooses its instances and weighs its items. It guards every start; empty if the job
 *     chooses none and this instance has no capacity, or this is the definition's node
 * @param measures whether records are to say how long the items take
 */
public record Ownership(
        RegistrySession session,
        String instance,
        int epoch,
        Assignment assignment,
        JobDefinition definition,
        NodeVersion definitionVersion,
        NavigableSet<Integer> items,
        boolean enabled,
        OptionalLong pause,
        Optional<NodeVersion> chosenBy,
        boolean measures) {
    /** In a job that doesn't choose its instances. */
    public Ownership(
            RegistrySession session,
            String instance,
            int epoch,
            Assignment assignment,
            JobDefinition definition,
            NodeVersion definitionVersion,
            NavigableSet<Integer> items,
            boolean enabled,
            OptionalLong pause) {
        this(
                session,
                instance,
                epoch,
                assignment,
                definition,
                definitionVersion,
                items,
                enabled,
                pause,
                Optional.empty(),
                false);
    }

    /**
     * @param standing of this instance in the job
     * @param capacity of this instance
     * @param measures whether the job's strategy needs durations
     */
    public static Ownership of(
            RegistrySession session,
            JobView view,
            Assignment assignment,
            JobDefinition definition,
            JobState standing,
            OptionalInt capacity,
            boolean measures) {
        return new Ownership(
                session,
                view.instance(),
                view.epoch(),
                assignment,
                definition,
                view.definitionVersion(),
                assignment.itemsOf(view.instance()),
                standing == JobState.ACTIVE,
                pauseOf(view, definition),
                chosenBy(view, definition, capacity),
                measures);
    }

    /** The node with the labels and weights under which items start, unless that is the definition's. */
    private static Optional<NodeVersion> chosenBy(JobView view, JobDefinition definition, OptionalInt capacity) {
        return definition.instances().isAny() && capacity.isEmpty()
                ? Optional.empty()
                : view.extensionVersion().filter(node -> !node.equals(view.definitionVersion()));
    }

    /** Belongs to each transaction that starts something: the plan and the settings under which it was decided. */
    public RegistryCommit guard(JobTree tree) {
        RegistryCommit.Builder commit =
                RegistryCommit.builder().check(tree.sharding(), epoch).addAll(definitionVersion.check());
        chosenBy.ifPresent(node -> commit.addAll(node.check()));
        return commit.build();
    }

    /** The items that may start something here: none while this instance may not. */
    public NavigableSet<Integer> startable() {
        return enabled ? items : Collections.emptyNavigableSet();
    }

    /** The state of the job's pause in which what is claimed now counts. */
    public static OptionalLong pauseOf(JobView view, JobDefinition definition) {
        return definition.pauseAfterFailures() == 0 ? OptionalLong.empty() : OptionalLong.of(view.jobPauseChange());
    }

    /** Whether so many executions of the item have failed one after the other that the job is to be paused. */
    public boolean hasFailedTooOften(ItemRecord item) {
        return pause.isPresent() && item.failuresIn(pause.getAsLong()) >= definition.pauseAfterFailures();
    }

    /** The schedule in force. */
    public Schedule schedule() {
        return assignment.schedule();
    }

    /** Delay after which a firing is misfired: never less than the time in which a dead instance is detected. */
    public Duration misfireThreshold() {
        Duration threshold = definition.misfireThreshold();
        return threshold.compareTo(session.timeout()) > 0 ? threshold : session.timeout();
    }

    /** When its items are due. */
    public DueMoments due() {
        return DueMoments.of(assignment, definition);
    }

    /** The time by which firings are due here: this machine's, if it differs by more than the job allows. */
    public Instant now(RegistryTime time) {
        return definition.toleratesClock(time.ahead()) ? time.due() : time.here();
    }

    /** Whether the clock of the claiming machine differs too much from the registry's to claim the firing. */
    public boolean clockIsOff(Instant firing, Instant now, Instant registryNow) {
        return !Assignment.mayBeClaimed(firing, registryNow)
                || !definition.toleratesClock(Duration.between(registryNow, now));
    }

    /** Whether a firing that comes due while its item executes runs once that has ended. */
    public boolean keepsFiringsThatOverlap() {
        return switch (definition.overlap()) {
            case WAIT -> definition.misfire();
            case SKIP -> false;
            case CANCEL_RUNNING -> true;
        };
    }

    /** The firing that is due, and cancels what the item executes; empty if that goes on. */
    public Optional<Instant> cancels(int item, ItemRecord running, Instant now, Instant registryNow) {
        Instant seen = running.scheduledAt();
        return definition.overlap() != Overlap.CANCEL_RUNNING
                        || seen == null
                        || running.run() != null
                        || running.cancelled() != null
                ? Optional.empty()
                : next(item, running, seen, now)
                        .filter(firing -> !clockIsOff(firing, now, registryNow))
                        .filter(firing -> definition.misfire()
                                || Duration.between(due().of(item, firing), now).compareTo(misfireThreshold()) <= 0);
    }

    /** The firing that runs next: with {@code EACH}, one that has come due since the execution was claimed, or none. */
    private Optional<Instant> next(int item, ItemRecord running, Instant seen, Instant now) {
        Optional<Instant> latest = due().latest(item, now).filter(seen::isBefore);
        Instant claimed = running.startedAt();
        return definition.catchUp() == CatchUp.EACH && claimed != null
                ? latest.flatMap(firing -> assignment.firstOwed(seen))
                        .filter(firing -> due().of(item, firing).isAfter(claimed))
                : latest;
    }

    /** Whether a step that was refused at this node was planned under another plan or configuration, or by no member. */
    public boolean isOutOfDateAt(JobTree tree, String refused) {
        return refused.equals(tree.sharding())
                || refused.equals(definitionVersion.path())
                || chosenBy.map(NodeVersion::path).filter(refused::equals).isPresent()
                || refused.equals(tree.instance(instance));
    }

    /** Whether the same firings are due under the other ownership, so that only gained items have to be read. */
    public boolean isDueLike(Ownership other) {
        return session.id() == other.session.id()
                && enabled == other.enabled
                && definition.equals(other.definition)
                && pause.equals(other.pause)
                && schedule().equals(other.schedule())
                && assignment.since().equals(other.assignment.since());
    }

    /**
     * Whether a firing waits for the execution to end. The record decides: a manual run uses up no firing, and an
     * execution that was taken over may have started while a firing was waiting.
     */
    public boolean isBehind(int item, ItemRecord claimed, Instant now) {
        Instant seen = claimed.scheduledAt();
        return due().latest(item, now)
                .filter(firing -> seen == null || firing.isAfter(seen))
                .isPresent();
    }

    /**
     * Whether a claimed item that has not started may still start here: not after it was given away. An item that was
     * taken over, or that its owner had no room for, may start on any instance, as long as it has an owner.
     *
     * @param ofAny whether it needn't be owned
     */
    public boolean letsBegin(int item, boolean ofAny) {
        return enabled && (items.contains(item) || (ofAny && assignment.owners().containsKey(item)));
    }
}
