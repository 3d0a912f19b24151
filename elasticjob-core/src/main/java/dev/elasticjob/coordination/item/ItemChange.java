package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.ItemEnds;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A planned change of an item, with the view whose version guards it. */
public sealed interface ItemChange {
    ItemView view();

    /** The record after the change. */
    ItemRecord next();

    /** Whether the item is now exactly as this change leaves it. */
    default boolean standsIn(@Nullable ItemView now) {
        return now != null
                && now.isReadable()
                && now.version() == view().version() + 1
                && now.current().equals(next());
    }

    /** Whether it neither starts nor ends an execution. */
    default boolean passes() {
        return this instanceof Pass;
    }

    /** Whether the signal of an interrupted execution, if there is one, stays. */
    default boolean keepsSignal() {
        return this instanceof Pass || this instanceof OldOffers;
    }

    default int item() {
        return view().item();
    }

    /** A start of the item. It changes the record and creates the lock. */
    sealed interface Start extends ItemChange {
        ExecutionTrigger trigger();

        /** The item's record once the start is undone. */
        default ItemRecord undone() {
            return view().current();
        }
    }

    /**
     * Starts a firing.
     *
     * @param undone says also then how the item has ended the firings in between, where others may rely on that
     */
    record Claim(ItemView view, ItemRecord next, ExecutionTrigger trigger, ItemRecord undone) implements Start {
        public Claim(ItemView view, ItemRecord next, ExecutionTrigger trigger) {
            this(view, next, trigger, view.current());
        }
    }

    /** Starts the first of the waiting manual runs, and removes it from them. */
    record ManualClaim(ItemView view, ManualRun.Waiting waiting, ItemRecord next) implements Start {
        @Override
        public ExecutionTrigger trigger() {
            return DelayedFiring.isOne(waiting.run()) ? ExecutionTrigger.SCHEDULE : ExecutionTrigger.MANUAL;
        }
    }

    record Take(ItemView view, ItemRecord next) implements Start {
        @Override
        public ExecutionTrigger trigger() {
            return ExecutionTrigger.FAILOVER;
        }
    }

    /** The item doesn't run a firing, or manual runs that wait for it. Only the owner decides that. */
    sealed interface Pass extends ItemChange {
        /** The runs that don't wait any more. */
        SkippedRuns runs();

        /** Whether the item may have to do something else at once. */
        boolean goesOn();

        /** Whether the record names the instance that has let it pass. */
        boolean namesItsInstance();

        /** The runs that go on waiting. */
        default Optional<ManualRun.Waiting> waiting() {
            return runs().runIds().isEmpty()
                    ? view().waiting()
                    : view().waiting()
                            .flatMap(there ->
                                    runs().left().map(left -> new ManualRun.Waiting(left, there.version() + 1)));
        }
    }

    /**
     * An item fails a firing, or manual runs that wait for it, without having been started: the listeners that are called
     * before the first item have failed.
     *
     * @param next shows that as an execution that failed
     */
    record Refuse(ItemView view, ItemRecord next, SkippedRuns runs) implements Pass {
        @Override
        public boolean goesOn() {
            return true;
        }

        @Override
        public boolean namesItsInstance() {
            return true;
        }
    }

    /**
     * An item lets a firing pass because it is disabled or has lost it, or manual runs that wait for it.
     *
     * @param firing the one it has seen by then
     * @param ends how it has ended open firings by then
     */
    record Skip(ItemView view, @Nullable Instant firing, ItemEnds ends, SkippedRuns runs) implements Pass {
        /** Of a disabled item, for which no run may wait. */
        public Skip(ItemView view, @Nullable Instant firing) {
            this(view, firing, view.current().ends(), SkippedRuns.of(view.waiting(), RunEnd.DROPPED));
        }

        @Override
        public boolean namesItsInstance() {
            return Optional.ofNullable(firing)
                    .flatMap(ends::of)
                    .map(Outcome::instance)
                    .filter(instance -> !instance.isEmpty())
                    .isPresent();
        }

        @Override
        public boolean goesOn() {
            return !view.children().disabled();
        }

        @Override
        public ItemRecord next() {
            return view.current().skipped(firing, runs.runIds(), runs.end(), ends);
        }
    }

    /**
     * The waiting runs that an item lets pass.
     *
     * @param runIds none if all go on waiting
     * @param end how these are remembered
     * @param left those that go on waiting
     */
    record SkippedRuns(List<String> runIds, RunEnd end, Optional<WaitingRuns> left) {
        /** All go on waiting. */
        public static final SkippedRuns NONE = new SkippedRuns(List.of(), RunEnd.FAILED, Optional.empty());

        /** All of them. */
        public static SkippedRuns of(Optional<ManualRun.Waiting> waiting, RunEnd end) {
            return new SkippedRuns(waiting.map(all -> all.runs().runIds()).orElse(List.of()), end, Optional.empty());
        }

        /** These of them. */
        public static SkippedRuns of(ManualRun.Waiting waiting, List<String> runIds, RunEnd end) {
            return new SkippedRuns(runIds, end, waiting.runs().without(runIds));
        }
    }

    /** @param failover whether interrupted executions are repeated */
    record Orphan(ItemView view, Instant registryTime, boolean failover) implements ItemChange {
        /** A cancelled execution is not repeated. */
        boolean isRepeated() {
            return failover && view.current().cancelled() == null;
        }

        @Override
        public ItemRecord next() {
            return view.current().orphaned(registryTime);
        }
    }

    /** A failover signal without an interrupted execution. */
    record StaleSignal(ItemView view) implements ItemChange {
        @Override
        public ItemRecord next() {
            return view.current();
        }
    }

    /** Offers of a record that the item doesn't have any more. */
    record OldOffers(ItemView view) implements ItemChange {
        @Override
        public ItemRecord next() {
            return view.current();
        }
    }

    /**
     * An interrupted execution that will not be repeated.
     *
     * @param reason names the instance that made the decision, so that the record shows whose transaction was committed
     */
    record Abandon(ItemView view, String reason) implements ItemChange {
        public static Abandon by(String instance, ItemView view, String reason) {
            return new Abandon(view, "%s (decided by \"%s\")".formatted(reason, instance));
        }

        @Override
        public ItemRecord next() {
            return view.current().abandoned(reason);
        }
    }
}
