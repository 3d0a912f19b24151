package dev.elasticjob.coordination.run;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** Why a run of a job can't be requested, said with what to do about it. */
record ManualRunRefusals(String jobName) {
    /** Fails if the job has no such items. */
    NavigableSet<Integer> someItems(Assignment assignment, SortedSet<Integer> items) {
        NavigableSet<Integer> all = allItems(assignment);
        SortedSet<Integer> unknown = new TreeSet<>(items);
        unknown.removeAll(all);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("Expected items of job \"%s\" from %d to %d, but got [%s]"
                    .formatted(jobName, all.first(), all.last(), ItemRanges.shown(unknown)));
        }
        return new TreeSet<>(items);
    }

    /** Fails if another run waits that this one can't be merged with. */
    void mustFold(ManualRun run, List<ItemView> items) {
        for (ItemView item : items) {
            item.waiting().filter(there -> !there.runs().takes(run)).ifPresent(there -> {
                throw new IllegalStateException(
                        ("Run \"%s\" was not accepted: item %d of job \"%s\" has run \"%s\" waiting, %s. Trigger it"
                                        + " again once that run has started")
                                .formatted(
                                        run.runId(),
                                        item.item(),
                                        jobName,
                                        there.run().runId(),
                                        difference(there.run(), run)));
            });
        }
    }

    /** Why one execution can't answer both. */
    private static String difference(ManualRun waiting, ManualRun run) {
        if (waiting.dropped() != null) {
            return "which is not to begin, and is about to be dropped";
        }
        if (!waiting.parameter().equals(run.parameter())) {
            return "which has another parameter";
        }
        if (!Objects.equals(waiting.repeats(), run.repeats())) {
            return waiting.repeats() == null
                    ? "which repeats no other run, as this one does"
                    : "which runs a past time or a former run once more";
        }
        return "which already answers %d requests".formatted(ManualRun.REMEMBERED);
    }

    /** Fails if no instance owns items. */
    NavigableSet<Integer> allItems(Assignment assignment) {
        if (assignment.isHeld()) {
            throw new IllegalStateException(
                    ("Job \"%s\" can't run now, because instances of other software take part in it: %s. Nothing"
                                    + " starts until they are gone; stop them, then trigger the run again")
                            .formatted(jobName, assignment.holders()));
        }
        if (assignment.owners().isEmpty()) {
            throw new IllegalStateException(
                    ("Job \"%s\" has no instance that may run it now: start one, enable the server of one, or end the"
                                    + " drain of one, whose labels its runOn asks for, if it has one; then trigger the run"
                                    + " again")
                            .formatted(jobName));
        }
        return assignment.owners().navigableKeySet();
    }

    IllegalStateException unplanned() {
        return new IllegalStateException(
                ("Job \"%s\" is not in the registry, or no instance has joined it yet: start one, then trigger the run"
                                + " again")
                        .formatted(jobName));
    }
}
