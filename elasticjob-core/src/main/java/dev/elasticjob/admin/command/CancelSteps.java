package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CancelAnswer.Result;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides what a cancellation does to one item, and how it is written. Pure. The rules are those of "Cancelling" in {@code
 * docs/internals/protocol.md}.
 */
record CancelSteps(JobTree tree, CancelTarget target, Cancellation cancellation, Reach reach) {

    /** What may be ended. */
    enum Reach {
        ALL,
        WAITING
    }

    CancelSteps(JobTree tree, CancelTarget target, Cancellation cancellation) {
        this(tree, target, cancellation, Reach.ALL);
    }

    CancelSteps onlyWaiting() {
        return new CancelSteps(tree, target, cancellation, Reach.WAITING);
    }

    /**
     * The step for one item.
     *
     * @param writes at the versions read; empty if nothing has to be written
     * @param executedBy the instance to wake
     */
    record Step(int item, Result result, RegistryCommit writes, Optional<String> executedBy) {
        private static Step of(ItemView item, Result result) {
            return new Step(item.item(), result, GuardedWrites.NOTHING, Optional.empty());
        }
    }

    /**
     * @param firings the open ones, where the job opens them
     * @return empty if the item has nothing to do with the run
     */
    Optional<Step> plan(ItemView item, Assignment assignment, OpenFirings firings) {
        if (!item.isReadable()) {
            return Optional.of(Step.of(item, Result.UNREADABLE));
        }
        if (item.waiting()
                .filter(there -> there.runs().letsBegin(target.runId()))
                .isPresent()) {
            return Optional.of(drop(item, item.waiting().get()));
        }
        if (reach == Reach.WAITING) {
            return Optional.empty();
        }
        if (target.isShownBy(item.current())) {
            return Optional.of(end(item));
        }
        if (target.firing().isPresent()) {
            return Optional.of(pass(item, target.firing().get(), assignment, firings));
        }
        if (target.waitsFor(item)) {
            return Optional.of(Step.of(item, Result.DROPPED));
        }
        return Optional.ofNullable(item.current().past().get(target.runId()))
                .map(end -> Step.of(item, end == RunEnd.DROPPED ? Result.DROPPED : Result.ENDED));
    }

    /** The instance that calls listeners before the first item of what is cancelled: it may have to stop that. */
    Optional<String> callingFor(OpenFirings firings) {
        return target.firing()
                .flatMap(firings::at)
                .or(() -> firings.find(OpenFiring.idOf(target.runId())))
                .filter(open -> open.phase() == OpenFiring.Phase.BEFORE)
                .map(open -> open.hook().instance());
    }

    private Step drop(ItemView item, ManualRun.Waiting there) {
        RegistryCommit writes = RegistryCommit.builder()
                .set(
                        tree.trigger(item.item()),
                        NodeCodec.write(there.runs().dropping(target.runId(), cancellation)),
                        there.version())
                .build();
        return new Step(item.item(), Result.DROPPED, writes, Optional.empty());
    }

    private Step end(ItemView item) {
        ItemRecord record = item.current();
        boolean isCancelled = record.cancelled() != null;
        return switch (record.state()) {
            case RUNNING ->
                isCancelled
                        ? Step.of(item, Result.ASKED)
                        : new Step(
                                item.item(),
                                Result.ASKED,
                                set(item, record.cancelling(cancellation)),
                                Optional.ofNullable(record.instance()));
            case INTERRUPTED -> new Step(item.item(), Result.CANCELLED, endInterrupted(item, record), Optional.empty());
            case FAILED -> Step.of(item, isCancelled ? Result.CANCELLED : Result.ENDED);
            case NEW, COMPLETED -> Step.of(item, Result.ENDED);
        };
    }

    private RegistryCommit endInterrupted(ItemView item, ItemRecord record) {
        RegistryCommit.Builder writes = RegistryCommit.builder().addAll(set(item, record.cancelledBy(cancellation)));
        if (item.waitsForFailover()) {
            writes.delete(tree.failoverItem(item.item()), RegistryCommit.ANY_VERSION);
        }
        return writes.build();
    }

    /** As for a disabled item. A record that an execution needs is left alone. */
    private Step pass(ItemView item, Instant at, Assignment assignment, OpenFirings firings) {
        ItemRecord record = item.current();
        Instant seen = record.scheduledAt();
        if (seen != null && !seen.isBefore(at)) {
            return Step.of(item, Result.ENDED);
        }
        if (record.state() == ItemState.RUNNING || record.state() == ItemState.INTERRUPTED) {
            return Step.of(item, Result.BUSY);
        }
        // Whether earlier firings may yet be opened depends on the registry's time: their ends are kept, as far as they
        // fit.
        var ends = assignment.opensFirings()
                ? record.endsBefore(firings.moments(item.item()), earlier -> true, at, earlier -> End.SKIPPED)
                        .with(at, Outcome.notBegun(End.SKIPPED))
                : record.ends();
        ItemRecord passed = record.skipped(at, List.of(), RunEnd.DROPPED, ends);
        return new Step(item.item(), Result.SKIPPED, set(item, passed), Optional.empty());
    }

    private RegistryCommit set(ItemView item, ItemRecord next) {
        return RegistryCommit.builder()
                .set(tree.item(item.item()), ItemRecordCodec.write(next), item.version())
                .build();
    }

    /** The run id of what an item executes, or will execute again. */
    static Optional<String> executing(JobTree tree, ItemRecord record) {
        boolean open = record.state() == ItemState.RUNNING || record.state() == ItemState.INTERRUPTED;
        return open ? record.runIdOf(tree.jobName()) : Optional.empty();
    }
}
