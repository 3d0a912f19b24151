package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How items have ended a firing. What has ended stays so, as long as the assignment and the configuration are the same: so
 * the records of a firing need not be read at one moment. Pure.
 *
 * @param failover whether what was interrupted is repeated
 * @param items as they were read; those that have no node are missing
 * @param forgetful items that know nothing any more of manual runs that they don't show
 */
public record FiringEnds(
        Assignment assignment, boolean failover, Map<Integer, ItemView> items, Set<Integer> forgetful) {
    public FiringEnds(Assignment assignment, boolean failover, Map<Integer, ItemView> items) {
        this(assignment, failover, items, Set.of());
    }

    /** The same with further items. */
    public FiringEnds and(FiringEnds more) {
        Map<Integer, ItemView> all = new HashMap<>(items);
        all.putAll(more.items());
        Set<Integer> silent = new HashSet<>(forgetful);
        silent.addAll(more.forgetful());
        return new FiringEnds(assignment, failover, all, silent);
    }

    /** The outcomes of all its items; empty while one of them has not ended it. */
    public Optional<FiringOutcomes> of(OpenFiring firing) {
        SortedMap<Integer, Outcome> ends = new TreeMap<>();
        for (int item : firing.items()) {
            Optional<Outcome> end = of(firing, item);
            if (end.isEmpty()) {
                return Optional.empty();
            }
            ends.put(item, end.get());
        }
        return Optional.of(new FiringOutcomes(ends));
    }

    /** The outcomes so far: what has not ended is unknown. */
    public FiringOutcomes soFar(OpenFiring firing) {
        SortedMap<Integer, Outcome> ends = new TreeMap<>();
        firing.items().forEach(item -> ends.put(item, of(firing, item).orElse(Outcome.notBegun(End.UNKNOWN))));
        return new FiringOutcomes(ends);
    }

    /** How one item has ended it; empty if it hasn't. */
    public Optional<Outcome> of(OpenFiring firing, int item) {
        ItemView view = items.get(item);
        if (view == null) {
            // One that has an owner is created again.
            return isOwned(item) ? Optional.empty() : Optional.of(Outcome.notBegun(End.UNKNOWN));
        }
        if (!view.isReadable()) {
            return Optional.empty();
        }
        Instant scheduledAt = firing.scheduledAt();
        return scheduledAt == null ? ofRun(firing, view) : ofFiring(scheduledAt, view);
    }

    /**
     * Items whose interruption counts as their end, although they were claimed before the firing was opened: nothing yet
     * would keep them from going on after it, once failover is on.
     */
    public List<ItemView> unmarked(OpenFiring firing) {
        Instant scheduledAt = firing.scheduledAt();
        return firing.items().stream()
                .flatMap(item -> Optional.ofNullable(items.get(item)).stream())
                .filter(view -> view.isReadable() && view.current().isUnmarkedEndOf(scheduledAt))
                .toList();
    }

    private boolean isOwned(int item) {
        return assignment.owners().isEmpty() || assignment.owners().containsKey(item);
    }

    private Optional<Outcome> ofFiring(Instant firing, ItemView view) {
        ItemRecord record = view.current();
        Optional<Outcome> end = record.endOf(firing, failover)
                .map(known -> known.attempts() == 0 ? Outcome.notBegun(known.end()) : known);
        if (end.isPresent() || Objects.equals(record.scheduledAt(), firing)) {
            return end;
        }
        // One without an owner gets it back, or is removed by the leader.
        return assignment.owes(firing) ? Optional.empty() : Optional.of(Outcome.notBegun(End.SKIPPED));
    }

    private Optional<Outcome> ofRun(OpenFiring firing, ItemView view) {
        ItemRecord record = view.current();
        String runId = Objects.requireNonNull(firing.runId());
        boolean waits = view.waiting()
                .filter(waiting -> waiting.runs().runIds().contains(runId))
                .isPresent();
        if (waits) {
            return Optional.empty();
        }
        if (record.isOf(runId)) {
            return record.endOf(runId, failover)
                    .map(end -> record.isRefused()
                            ? Outcome.notBegun(End.FAILED)
                            : new Outcome(
                                    End.valueOf(end.name()), record.attempt(), String.valueOf(record.instance())));
        }
        if (forgetful.contains(view.item()) && record.endOf(runId, failover).isEmpty()) {
            return Optional.of(Outcome.notBegun(End.UNKNOWN));
        }
        return record.endOf(runId, failover).map(end -> switch (end) {
            case COMPLETED, FAILED, INTERRUPTED -> new Outcome(End.valueOf(end.name()), 1, "");
            case DROPPED -> Outcome.notBegun(End.SKIPPED);
            case OVERTAKEN -> Outcome.notBegun(End.UNKNOWN);
        });
    }

    /** The same where items that showed nothing of a run have still the same record: they have forgotten it. */
    public FiringEnds forgetting(Map<Integer, ItemView> again) {
        Set<Integer> silent = new HashSet<>();
        again.forEach((item, view) -> {
            ItemView before = items.get(item);
            if (before != null
                    && before.version() == view.version()
                    && !view.children().trigger()) {
                silent.add(item);
            }
        });
        return new FiringEnds(assignment, failover, items, silent);
    }

    /** Whether nothing of the item, as it was read, shows a manual run that it was asked for. */
    public boolean showsNothing(OpenFiring firing, int item) {
        ItemView view = items.get(item);
        return firing.runId() != null
                && view != null
                && view.isReadable()
                && !view.children().trigger()
                && !view.current().isOf(firing.runId())
                && of(firing, item).isEmpty();
    }
}
