package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.BusyTime;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.state.WaitingRuns;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.registry.JobTree.ItemChildren;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What keeps an item from starting, in the order in which it counts. There are no rules here: the planner decides, its
 * decision names an obstacle, and the planner decides again as if that obstacle were gone, until it starts the item. So
 * whatever the planner's rules are, an item has no obstacle exactly if the planner starts it. Pure.
 *
 * @param obstacles in the order in which the planner meets them; empty if it starts the item now
 * @param work what starts, if somebody {@linkplain #wouldStart() would start} the item; empty if that isn't known
 */
public record ItemObstacles(List<Obstacle> obstacles, Optional<Work> work) {
    /** More steps than an item takes; only a planner that repeats itself gets here. */
    private static final int MOST = 12;

    private static final ManualRun ANY_RUN = ManualRun.of("any");

    public ItemObstacles {
        obstacles = List.copyOf(obstacles);
    }

    /** What an item would do. */
    public sealed interface Work {
        /** @param since when the item became due for the first firing that its execution makes up for */
        record Due(Instant since) implements Work {}

        /** A run that waits for the item. */
        record Requested(ManualRun run) implements Work {}

        /** @param recorded when the interruption was recorded, by the registry's clock; empty if nobody has done so */
        record Interrupted(Optional<Instant> recorded) implements Work {}
    }

    /** Something that keeps an item from starting. */
    public sealed interface Obstacle {
        /** The record can't be read. What else may be in the way is unknown. */
        record Unreadable(String problem) implements Obstacle {}

        /** The record says RUNNING, but there is no lock: the instance is gone. The first that reads this records it. */
        record Orphaned() implements Obstacle {}

        /**
         * The item's lock exists.
         *
         * @param cancelledBy the firing for which the owner cancels the execution; empty if it may go on
         * @param behind the number of firings that have come due, and that run afterwards, one after the other
         * @param firstBehind the first of them
         */
        record Locked(Optional<Instant> cancelledBy, int behind, Optional<Instant> firstBehind) implements Obstacle {}

        /** An operator has disabled the item. */
        record Disabled() implements Obstacle {}

        /** The interrupted execution will not be repeated, but is recorded as failed. */
        record GivenUp(String reason) implements Obstacle {}

        /** @param until by the registry's clock */
        record Resting(Instant until) implements Obstacle {}

        /** The interrupted execution is only taken over if a thread is free. */
        record NoFreeThread() implements Obstacle {}

        /** The claiming machine's clock differs too much from the registry's. */
        record ClockDiffers(Instant here, Instant registry) implements Obstacle {}

        /** The job's cluster listeners are called before the first item of the firing. */
        record ListenersFirst() implements Obstacle {}

        /** Other items have yet to be asked for the manual run that is next. */
        record RequestFirst() implements Obstacle {}

        /** So many executions have failed one after the other that the job is about to be paused. */
        record FailedTooOften(int times) implements Obstacle {}

        /** Another instance owns the item, or none does. */
        record NotOwned() implements Obstacle {}

        /**
         * No firing is owed, and no manual run waits.
         *
         * @param next the next firing; empty if there will be none
         * @param lost a firing that will not run, because it was missed and {@code misfire} is off
         * @param delayed the firing that has come, and that the item's jitter delays until {@code next}
         * @param skipped a firing that will not run, because it came due while the item was executing, and {@code overlap} is
         *     {@code SKIP}
         */
        record NotDue(
                Optional<Instant> next, Optional<Instant> lost, Optional<Instant> skipped, Optional<Instant> delayed)
                implements Obstacle {
            static NotDue before(Instant next, Optional<Instant> delayed) {
                return new NotDue(Optional.of(next), Optional.empty(), Optional.empty(), delayed);
            }
        }
    }

    /**
     * Whether somebody would start the item now: it starts at once, or after steps that an instance takes by itself, without
     * time passing.
     */
    public boolean wouldStart() {
        return obstacles.stream().allMatch(ItemObstacles::isOvercome);
    }

    /**
     * Whether the first instance that comes ends the interrupted execution, which will not be repeated. Not while it is kept
     * from that, as by an item that is disabled.
     */
    public boolean isEndedByThat() {
        return obstacles.stream().takeWhile(ItemObstacles::isOvercome).anyMatch(Obstacle.GivenUp.class::isInstance);
    }

    /**
     * When the item starts by itself, if it doesn't {@linkplain #wouldStart() now}: after the execution that holds it, and
     * when the time has come. Empty if more than that keeps it, or nothing but its execution.
     */
    public Optional<Instant> startsAt() {
        boolean waits = obstacles.stream()
                .allMatch(obstacle -> isOvercome(obstacle)
                        || obstacle instanceof Obstacle.Locked
                        || obstacle instanceof Obstacle.Resting
                        || obstacle instanceof Obstacle.NotDue);
        return waits
                ? obstacles.stream()
                        .flatMap(obstacle -> time(obstacle).stream())
                        .max(Comparator.naturalOrder())
                : Optional.empty();
    }

    private static boolean isOvercome(Obstacle obstacle) {
        return obstacle instanceof Obstacle.Orphaned
                || obstacle instanceof Obstacle.GivenUp
                || obstacle instanceof Obstacle.ListenersFirst
                || obstacle instanceof Obstacle.RequestFirst;
    }

    private static Optional<Instant> time(Obstacle obstacle) {
        if (obstacle instanceof Obstacle.Resting resting) {
            return Optional.of(resting.until());
        }
        return obstacle instanceof Obstacle.NotDue notDue ? notDue.next() : Optional.empty();
    }

    /**
     * @param now by the clock of the instance that would start the item
     * @param registryNow by the registry's clock
     * @param freeThreads how many interrupted executions the instance may take over
     * @param open the firings that are open in the whole cluster
     */
    public record Moment(Instant now, Instant registryNow, int freeThreads, OpenFirings open) {}

    /** @param own what the instance that would start the item may claim */
    public static ItemObstacles of(Ownership own, ItemView item, Moment moment) {
        List<Obstacle> obstacles = new ArrayList<>();
        Situation situation =
                new Situation(item, moment.now(), moment.registryNow(), moment.freeThreads(), moment.open());
        Optional<Work> work = Optional.empty();
        for (int step = 0; step < MOST; step++) {
            ItemDecision decision = ItemPlanner.plan(own, List.of(situation.item), situation.moment())
                    .get(0);
            Optional<Step> next = situation.after(decision, own);
            next.flatMap(Step::met).filter(met -> isNew(met, obstacles)).ifPresent(obstacles::add);
            if (next.isEmpty() || next.get().then().isEmpty()) {
                work = obstacles.stream().allMatch(ItemObstacles::isOvercome)
                        ? situation.work(decision, own, obstacles.contains(new Obstacle.Orphaned()))
                        : Optional.empty();
                break;
            }
            situation = next.get().then().get();
        }
        return new ItemObstacles(obstacles, work);
    }

    /** The item may have to wait for its next firing again, after a clock was corrected. */
    private static boolean isNew(Obstacle met, List<Obstacle> known) {
        return known.stream().noneMatch(earlier -> earlier.getClass() == met.getClass());
    }

    /** @param then the situation without the obstacle; empty if it can't be known */
    private record Step(Optional<Obstacle> met, Optional<Situation> then) {
        static Optional<Step> over(Obstacle met, Situation then) {
            return Optional.of(new Step(Optional.of(met), Optional.of(then)));
        }

        static Optional<Step> last(Obstacle met) {
            return Optional.of(new Step(Optional.of(met), Optional.empty()));
        }
    }

    private record Situation(ItemView item, Instant now, Instant registryNow, int freeThreads, OpenFirings open) {
        ItemPlanner.Moment moment() {
            return new ItemPlanner.Moment(now, registryNow, freeThreads, open);
        }

        /** Empty if the item starts. */
        Optional<Step> after(ItemDecision decision, Ownership own) {
            if (decision instanceof Commit commit) {
                return after(commit.change());
            }
            if (decision instanceof ItemDecision.RecordOrphan orphan) {
                return Step.over(new Obstacle.Orphaned(), with(orphan.orphan().next()));
            }
            if (decision instanceof ItemDecision.AwaitUnlock locked) {
                return Step.over(lockedUntil(locked.cancelledBy().or(() -> cancelledBy(own)), own), unlocked());
            }
            if (decision instanceof ItemDecision.AwaitEnabled) {
                return Step.over(new Obstacle.Disabled(), enabled());
            }
            if (decision instanceof ItemDecision.AwaitPause pause) {
                return Step.over(new Obstacle.Resting(registryNow.plus(pause.left())), later(pause.left()));
            }
            if (decision instanceof ItemDecision.AwaitSlot) {
                return Step.over(new Obstacle.NoFreeThread(), new Situation(item, now, registryNow, 1, open));
            }
            Optional<Step> time = awaitsTime(decision, own);
            if (time.isPresent()) {
                return time;
            }
            if (decision instanceof ItemDecision.CallBefore || decision instanceof ItemDecision.AwaitFiring) {
                return Step.last(isAsking() ? new Obstacle.RequestFirst() : new Obstacle.ListenersFirst());
            }
            return nothing(own);
        }

        /**
         * What the item would do next. A due firing comes before runs that wait.
         *
         * @param decision the planner's last one
         * @param unrecorded whether the interruption of what it would repeat isn't recorded
         */
        Optional<Work> work(ItemDecision decision, Ownership own, boolean unrecorded) {
            if (decision instanceof Commit commit && commit.change() instanceof ItemChange.Take) {
                return Optional.of(new Work.Interrupted(unrecorded ? Optional.empty() : Optional.of(item.recorded())));
            }
            return ItemPlanner.dueSince(own, item, moment())
                    .<Work>map(Work.Due::new)
                    .or(() -> item.waiting().map(waiting -> new Work.Requested(waiting.run())));
        }

        /** Empty if it doesn't wait for a clock. */
        private Optional<Step> awaitsTime(ItemDecision decision, Ownership own) {
            if (decision instanceof ItemDecision.AwaitFiring firing && isSoon(firing.left())) {
                // The registry's clock hasn't reached the firing, as far as it is known here.
                return Step.over(
                        Obstacle.NotDue.before(registryNow.plus(firing.left()), Optional.empty()),
                        later(firing.left()));
            }
            if (decision instanceof ItemDecision.AwaitDelay delay) {
                return Step.over(
                        Obstacle.NotDue.before(
                                now.plus(delay.left()), own.assignment().latestDue(now)),
                        later(delay.left()));
            }
            if (decision instanceof ItemDecision.LeaveToOthers
                    || (decision instanceof ItemDecision.AwaitFiring firing
                            && !firing.left().isZero())) {
                return Step.over(
                        new Obstacle.ClockDiffers(now, registryNow),
                        new Situation(item, registryNow, registryNow, freeThreads, open));
            }
            return Optional.empty();
        }

        private Obstacle.Locked lockedUntil(Optional<Instant> cancelledBy, Ownership own) {
            Instant seen = item.current().scheduledAt();
            boolean catchesUp = own.definition().catchUp() == CatchUp.EACH
                    && !item.children().disabled();
            Optional<Instant> latest = catchesUp
                    ? own.due().latest(item.item(), now).filter(firing -> seen == null || seen.isBefore(firing))
                    : Optional.empty();
            Optional<Instant> first = latest.flatMap(firing -> new KeptFirings(own, registryNow).first(seen, firing));
            int behind = first.map(firing -> own.assignment()
                            .countOwed(
                                    firing.minusNanos(1),
                                    latest.get().plusNanos(1),
                                    own.definition().catchUpLimit()))
                    .orElse(0);
            return new Obstacle.Locked(cancelledBy, behind, first);
        }

        /** The next firing, if it cancels what the item executes. */
        private Optional<Instant> cancelledBy(Ownership own) {
            ItemRecord running = item.current();
            boolean cancels = own.definition().overlap() == Overlap.CANCEL_RUNNING
                    && running.run() == null
                    && running.cancelled() == null;
            return cancels
                    ? own.schedule().nextAfter(now).map(firing -> own.due().of(item.item(), firing))
                    : Optional.empty();
        }

        private boolean isAsking() {
            return item.waiting().stream()
                    .flatMap(waiting -> waiting.run().runIds().stream())
                    .flatMap(runId -> open.find(OpenFiring.idOf(runId)).stream())
                    .anyMatch(OpenFiring::isAsking);
        }

        private static boolean isSoon(Duration left) {
            return !left.isZero() && left.compareTo(Assignment.CLOCK_TOLERANCE) <= 0;
        }

        private Optional<Step> after(ItemChange change) {
            if (change instanceof ItemChange.Start) {
                return Optional.empty();
            }
            if (change instanceof ItemChange.Abandon abandon) {
                return Step.over(new Obstacle.GivenUp(abandon.reason()), with(abandon.next()));
            }
            if (change instanceof ItemChange.StaleSignal) {
                return Optional.of(new Step(Optional.empty(), Optional.of(with(item.current()))));
            }
            if (item.children().disabled()) {
                return Step.over(new Obstacle.Disabled(), enabled());
            }
            // A firing that is lost is passed over, where others wait for its end, and so are runs that won't begin.
            Optional<ManualRun.Waiting> left = change instanceof ItemChange.Pass pass ? pass.waiting() : item.waiting();
            return Optional.of(new Step(Optional.empty(), Optional.of(with(change.next(), left))));
        }

        /** The planner leaves the item alone. */
        private Optional<Step> nothing(Ownership own) {
            if (!item.isReadable()) {
                return Step.last(new Obstacle.Unreadable(item.problem().orElseThrow()));
            }
            if (!own.items().contains(item.item())) {
                return Step.last(new Obstacle.NotOwned());
            }
            if (own.hasFailedTooOften(item.current())) {
                return Step.last(new Obstacle.FailedTooOften(
                        item.current().failuresIn(own.pause().orElseThrow())));
            }
            Instant seen = item.firing();
            // With misfire on, a firing that is over was opened without the item, which then has not lost it.
            Optional<Instant> missed = own.due().latest(item.item(), now).filter(seen::isBefore);
            Optional<Instant> skipped = missed.filter(firing -> own.definition().overlap() == Overlap.SKIP
                    && BusyTime.of(item.current(), now, registryNow)
                            .filter(busy -> busy.contains(own.due().of(item.item(), firing)))
                            .isPresent());
            Optional<Instant> lost = missed.filter(firing -> !own.definition().misfire() && skipped.isEmpty());
            Instant since = own.assignment().since();
            Instant start = since.isAfter(now) ? since : now;
            Optional<Instant> next = own.schedule()
                    .nextAfter(seen.isAfter(start) ? seen : start)
                    .map(firing -> own.due().of(item.item(), firing));
            // Without records, the planner starts manual runs only.
            Situation then = next.filter(firing -> own.assignment().monitored())
                    .map(firing -> later(Duration.between(now, firing)))
                    .orElseGet(this::asked);
            return Step.over(new Obstacle.NotDue(next, lost, skipped, Optional.empty()), then);
        }

        // -------------------------------------------------------------- without an obstacle

        private Situation with(ItemRecord record) {
            return with(record, item.waiting());
        }

        private Situation with(ItemRecord record, Optional<ManualRun.Waiting> runs) {
            return new Situation(view(record, item.children(), false, runs), now, registryNow, freeThreads, open);
        }

        /** As if the execution completed at this moment. */
        private Situation unlocked() {
            ItemRecord record = item.current();
            Instant began = record.startedAt() == null ? now : record.startedAt();
            ItemRecord ended =
                    record.state() == ItemState.RUNNING ? record.ended(ItemState.COMPLETED, began, now, null) : record;
            ItemView then = view(ended, item.children().unlocked(), item.waitsForFailover(), item.waiting());
            return new Situation(then, now, registryNow, freeThreads, open);
        }

        private Situation enabled() {
            ItemView then = view(item.current(), item.children().enabled(), item.waitsForFailover(), item.waiting());
            return new Situation(then, now, registryNow, freeThreads, open);
        }

        /** As if a manual run waited for the item. */
        private Situation asked() {
            Optional<ManualRun.Waiting> run = Optional.of(new ManualRun.Waiting(WaitingRuns.of(ANY_RUN), 0));
            return new Situation(
                    view(item.current(), item.children(), item.waitsForFailover(), run),
                    now,
                    registryNow,
                    freeThreads,
                    open);
        }

        private Situation later(Duration time) {
            return new Situation(item, now.plus(time), registryNow.plus(time), freeThreads, open);
        }

        private ItemView view(
                ItemRecord record, ItemChildren children, boolean waits, Optional<ManualRun.Waiting> runs) {
            return new ItemView(
                    item.item(),
                    item.version(),
                    record.equals(item.current()) ? item.recorded() : registryNow,
                    record,
                    children,
                    waits,
                    runs,
                    item.checkpoint(),
                    item.offers(),
                    item.problem());
        }
    }
}
