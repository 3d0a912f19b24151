package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.claim.FiringGate.Admission;
import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.BusyTime;
import dev.elasticjob.coordination.state.DueMoments;
import dev.elasticjob.coordination.state.ItemEnds;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.RunEnd;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which of an owner's items start, which are taken over, and which have to wait. Pure. The rules are those of
 * "Due, not ticked" in {@code docs/internals/protocol.md}.
 */
final class ItemPlanner {
    private static final int COUNTED_FIRINGS = 1_000;
    private static final Duration FIRST_FAILOVER_PAUSE = Duration.ofSeconds(5);
    private static final Duration MAX_FAILOVER_PAUSE = Duration.ofMinutes(5);

    private static final int BYTES_OF_REASON = 200;

    private final Ownership own;
    private final String job;
    private final Instant now;
    private final Instant registryNow;
    private final DueMoments due;
    /** Up to which moment firings are due. */
    private final Instant limit;

    private final Optional<Instant> latestFiring;
    /** The one before a firing. */
    private final Map<Instant, Optional<Instant>> before = new HashMap<>();

    /** The latest firing that is due by this instance's clock, and not yet by the registry's; empty if there is none. */
    private final Optional<Instant> awaitedFiring;

    private final FiringGate gate;
    private final KeptFirings kept;
    private final IntPredicate hasRoom;
    private final IntPredicate helps;
    private int freeSlots;

    /** The missed firings since a given firing. Most items last ran for the same one. */
    private final Map<FiringGap, Missed> missed = new HashMap<>();

    private ItemPlanner(Ownership own, Moment moment) {
        this.own = own;
        this.job = own.definition().jobName();
        this.now = moment.now();
        this.registryNow = moment.registryNow();
        this.freeSlots = moment.freeSlots();
        this.hasRoom = moment.hasRoom();
        this.helps = moment.helps();
        this.gate = FiringGate.of(own.assignment(), moment.open(), registryNow);
        this.due = own.due();
        this.kept = new KeptFirings(own, registryNow);
        this.limit = gate.applies() ? earlier(now, registryNow) : now;
        this.latestFiring = own.assignment().latestDue(limit);
        this.awaitedFiring = gate.applies() && now.isAfter(registryNow)
                ? own.assignment().latestDue(now).filter(latest -> latest.isAfter(registryNow))
                : Optional.empty();
    }

    /**
     * The time, and the capacity for failovers.
     *
     * @param now the time of the local clock, which decides what is due
     * @param registryNow the registry's time, which keeps a fast local clock from running ahead
     * @param freeSlots the number of interrupted executions that may be taken over
     * @param open the firings that are open in the whole cluster, where the job opens them
     * @param hasRoom whether this instance's capacity has room for an item: one without uses no slot
     * @param helps whether this instance may start an item for which its owner has no room
     */
    record Moment(
            Instant now,
            Instant registryNow,
            int freeSlots,
            OpenFirings open,
            IntPredicate hasRoom,
            IntPredicate helps) {
        Moment(Instant now, Instant registryNow, int freeSlots, OpenFirings open) {
            this(now, registryNow, freeSlots, open, any -> true, none -> false);
        }

        Moment(Instant now, Instant registryNow, int freeSlots) {
            this(now, registryNow, freeSlots, OpenFirings.NONE);
        }
    }

    /** One decision for each item: this owner's own items, and others that any instance may take over. */
    static List<ItemDecision> plan(Ownership own, Collection<ItemView> items, Moment moment) {
        ItemPlanner planner = new ItemPlanner(own, moment);
        return items.stream().map(planner::decide).toList();
    }

    /**
     * When the item became due for the first of the firings that its next execution makes up for; empty if it isn't due for
     * one.
     */
    static Optional<Instant> dueSince(Ownership own, ItemView item, Moment moment) {
        ItemPlanner planner = new ItemPlanner(own, moment);
        return planner.firing(item)
                .filter(latest -> planner.isDue(item, latest))
                .map(latest -> planner.due.of(item.item(), planner.firstMadeUpFor(item, latest)));
    }

    private Instant firstMadeUpFor(ItemView item, Instant latest) {
        Firings others = missed(item, latest).others();
        return folds() && others.count() > 0 ? others.first() : latest;
    }

    private ItemDecision decide(ItemView item) {
        if (!item.isReadable()) {
            return ItemDecision.NOTHING;
        }
        if (item.isOrphan()) {
            return new ItemDecision.RecordOrphan(
                    new ItemChange.Orphan(item, registryNow, own.definition().failover()));
        }
        if (helps(item) && !isTakenOver(item)) {
            return help(item);
        }
        if (item.children().running()) {
            return new ItemDecision.AwaitUnlock(item, isMisfired(item), lookAgain(item), cancels(item));
        }
        boolean waits = isTakenOver(item);
        if (!own.enabled() && !waits) {
            return ItemDecision.NOTHING;
        }
        if ((waits || own.items().contains(item.item()))
                && !item.children().disabled()
                && own.hasFailedTooOften(item.current())) {
            return new ItemDecision.PauseJob(item.item());
        }
        if (waits) {
            return take(item);
        }
        return start(item)
                .orElseGet(() -> item.waitsForFailover() && item.isIdle()
                        ? commit(new ItemChange.StaleSignal(item))
                        : ItemDecision.NOTHING);
    }

    private boolean helps(ItemView item) {
        return !own.items().contains(item.item()) && helps.test(item.item());
    }

    /** Whether an instance is to take it over. */
    private boolean isTakenOver(ItemView item) {
        return own.definition().failover() && isInterrupted(item);
    }

    /** For its owner, which has no room: starts the item, or leaves it alone. Whatever else is to be done, the owner does. */
    private ItemDecision help(ItemView item) {
        boolean mayStart = own.enabled() && !item.children().running() && !own.hasFailedTooOften(item.current());
        Optional<ItemDecision> start = mayStart ? start(item).filter(ItemPlanner::starts) : Optional.empty();
        if (start.isEmpty()) {
            return item.isOfferedInVain() ? commit(new ItemChange.OldOffers(item)) : ItemDecision.NOTHING;
        }
        if (freeSlots == 0) {
            return new ItemDecision.HelpLater(item.item());
        }
        freeSlots--;
        return start.get();
    }

    private static boolean starts(ItemDecision decision) {
        return decision instanceof Commit commit && commit.change() instanceof ItemChange.Start;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private boolean isMisfired(ItemView locked) {
        return own.enabled()
                && own.keepsFiringsThatOverlap()
                && own.items().contains(locked.item())
                && !locked.children().misfire()
                && firing(locked).filter(latest -> isOwed(locked, latest)).isPresent();
    }

    /** The firing for which the owner cancels what the item executes. */
    private Optional<Instant> cancels(ItemView locked) {
        return !own.enabled()
                        || !own.items().contains(locked.item())
                        || locked.children().disabled()
                ? Optional.empty()
                : own.cancels(locked.item(), locked.current(), limit, registryNow)
                        .filter(firing -> isDue(locked, firing));
    }

    private Optional<Instant> firing(ItemView item) {
        Optional<Instant> latest = latest(item);
        Optional<Instant> owed = latest.filter(firing -> isOwed(item, firing));
        return runsEach() && !item.children().disabled() && owed.isPresent()
                ? Optional.of(oldest(item, owed.get()))
                : gate.firingOf(item, latest, open -> isDueBy(item, open));
    }

    private boolean runsEach() {
        return own.definition().catchUp() == CatchUp.EACH;
    }

    /** Whether one execution makes up for all firings before it. */
    private boolean folds() {
        return own.definition().misfire() && !runsEach();
    }

    /**
     * The first of the firings that the item makes up for, one after the other, and that is not over without it; the latest if
     * there is none.
     */
    private Instant oldest(ItemView item, Instant latest) {
        Optional<Instant> first = kept.first(item.current().scheduledAt(), latest);
        if (first.isEmpty()) {
            return latest;
        }
        Instant firing = first.get();
        while (firing.isBefore(latest) && gate.admit(item.item(), firing) == Admission.OVER) {
            firing = kept.after(firing).orElse(latest);
        }
        return earlier(
                gate.oldestOpen(item.item(), first.get(), open -> isDueBy(item, open))
                        .orElse(firing),
                earlier(firing, latest));
    }

    private Optional<Instant> latest(ItemView item) {
        Optional<Instant> firing = latestFiring;
        while (firing.isPresent() && !isDueBy(item, firing.get())) {
            firing = before.computeIfAbsent(firing.get(), due::before);
        }
        return firing;
    }

    /** Whether its jitter delays the item no longer. */
    private boolean isDueBy(ItemView item, Instant firing) {
        return !limit.isBefore(due.of(item.item(), firing));
    }

    /** Until an item that executes is due for a firing that may cancel the execution. */
    private Optional<Duration> lookAgain(ItemView locked) {
        return delayLeft(locked)
                .or(() -> awaitedFiring
                        .filter(firing -> own.definition().overlap() == Overlap.CANCEL_RUNNING)
                        .filter(firing -> own.items().contains(locked.item()) && isOwed(locked, firing))
                        .map(firing -> Duration.between(registryNow, firing)));
    }

    /** Until the item is due for the latest firing, if its jitter still delays it and nobody else has to start it. */
    private Optional<Duration> delayLeft(ItemView item) {
        return own.items().contains(item.item())
                ? due.delayedUntil(item.item(), item.current(), limit).map(until -> Duration.between(limit, until))
                : Optional.empty();
    }

    // ------------------------------------------------------------------ failover

    private ItemDecision take(ItemView item) {
        Duration pause = pauseLeft(item);
        if (gate.hasEnded(item.current())) {
            return giveUp(item, "its firing has ended");
        }
        if (gate.applies()
                && item.children().disabled()
                && item.current().ends().opened()) {
            // Others wait for the end of the firing.
            return giveUp(item, "the item is disabled");
        }
        if (item.children().disabled()) {
            return new ItemDecision.AwaitEnabled(item.item());
        }
        if (item.current().crashes() >= own.definition().maxFailovers()) {
            return giveUp(item, "abandoned after " + item.current().crashes() + " crashes");
        }
        if (pause.compareTo(Duration.ZERO) > 0) {
            return new ItemDecision.AwaitPause(item.item(), pause);
        }
        if (!own.enabled()) {
            // Asked for before operators held this instance back.
            return ItemDecision.NOTHING;
        }
        if (hasRoom.test(item.item())) {
            if (freeSlots == 0) {
                return new ItemDecision.AwaitSlot(item.item());
            }
            freeSlots--;
        }
        return commit(new ItemChange.Take(item, ofThisJob(item.current().taken(own.instance(), now))));
    }

    /**
     * The first crash may have been an accident; each further one makes the pause longer. The pause counts from when
     * the registry recorded the crash, because the end in the record comes from a machine whose clock may have been
     * ahead.
     */
    private Duration pauseLeft(ItemView interrupted) {
        int crashes = interrupted.current().crashes();
        if (crashes < 2 || !Assignment.mayBeClaimed(interrupted.recorded(), registryNow)) {
            return Duration.ZERO;
        }
        Duration pause = FIRST_FAILOVER_PAUSE.multipliedBy(1L << Math.min(crashes - 2, 16));
        Duration bounded = pause.compareTo(MAX_FAILOVER_PAUSE) > 0 ? MAX_FAILOVER_PAUSE : pause;
        return Duration.between(registryNow, interrupted.recorded().plus(bounded));
    }

    private Commit giveUp(ItemView item, String reason) {
        return commit(ItemChange.Abandon.by(own.instance(), item, reason), lost(item, item.firing(), item.firing(), 1));
    }

    // ------------------------------------------------------------------ starts

    /** A due firing comes first. A manual run doesn't use up a firing, so it may wait. */
    private Optional<ItemDecision> start(ItemView item) {
        return own.items().contains(item.item()) || helps(item)
                ? firing(item)
                        .filter(latest -> isDue(item, latest))
                        .map(latest -> start(item, latest))
                        .or(() -> item.waiting().map(waiting -> start(item, waiting)))
                        .or(() -> awaitRegistry(item))
                        .or(() -> delayLeft(item).map(left -> new ItemDecision.AwaitDelay(item.item(), left)))
                : Optional.empty();
    }

    /** A firing is opened when the registry's clock has reached it: what counts is that all instances have. */
    private Optional<ItemDecision> awaitRegistry(ItemView item) {
        return awaitedFiring
                .filter(latest -> isOwed(item, latest))
                .map(latest -> new ItemDecision.AwaitFiring(Duration.between(registryNow, latest)));
    }

    /** If firings are opened, an item also ends those that are lost: otherwise they would stay open until the next one. */
    private boolean isDue(ItemView item, Instant latest) {
        return isOwed(item, latest)
                && (gate.applies()
                        ? gate.admit(item.item(), latest) != Admission.OVER
                        : missing(item, latest).isEmpty());
    }

    private static boolean isOwed(ItemView item, Instant latest) {
        Instant last = item.current().scheduledAt();
        return last == null || latest.isAfter(last);
    }

    /** How the item ends a firing that it doesn't run; empty if it runs it. The next claim reports it. */
    private Optional<End> missing(ItemView item, Instant latest) {
        if (isSkipped(item, latest)) {
            return Optional.of(End.SKIPPED);
        }
        return isLost(item, latest) ? Optional.of(End.LOST) : Optional.empty();
    }

    /** Without misfire handling, a late firing, or one that found its own item running, is lost. */
    private boolean isLost(ItemView item, Instant latest) {
        if (runsEach()) {
            return kept.isTooOld(latest) && isLate(item, latest);
        }
        if (own.definition().misfire()) {
            return false;
        }
        Instant finished = item.current().finishedAt();
        return isLate(item, latest)
                || (!own.keepsFiringsThatOverlap()
                        && finished != null
                        && !item.current().isRefused()
                        && !due.of(item.item(), latest).isAfter(end(item, finished))
                        && isCredible(finished));
    }

    /** Where firings are due by the registry's clock, one that was ahead has written its end too late. */
    private Instant end(ItemView item, Instant finished) {
        return gate.applies() ? earlier(finished, item.recorded()) : finished;
    }

    private boolean isSkipped(ItemView item, Instant firing) {
        return skippedTime(item)
                .filter(busy -> busy.contains(due.of(item.item(), firing)))
                .isPresent();
    }

    /** What came due in this time, the item doesn't run. */
    private Optional<BusyTime> skippedTime(ItemView item) {
        return own.definition().overlap() == Overlap.SKIP
                ? BusyTime.of(item.current(), now, registryNow)
                : Optional.empty();
    }

    private boolean isLate(ItemView item, Instant latest) {
        Instant start = Assignment.later(gate.startOf(latest), due.of(item.item(), latest));
        return Duration.between(start, now).compareTo(own.misfireThreshold()) > 0;
    }

    /** An end that is in the future of both clocks comes from a clock that runs ahead, and is ignored. */
    private boolean isCredible(Instant finished) {
        return !finished.isAfter(now) || !finished.isAfter(registryNow);
    }

    private ItemDecision start(ItemView item, Instant latest) {
        if (own.clockIsOff(latest, now, registryNow)) {
            return ItemDecision.LEAVE_TO_OTHERS;
        }
        if (item.children().disabled()) {
            return skip(item, latest);
        }
        return switch (gate.admit(item.item(), latest)) {
            case FREE -> passIfMissing(item, latest, () -> claim(item, latest, Optional.empty()));
            case OPENING -> passIfMissing(item, latest, () -> claim(item, latest, Optional.of(latest)));
            case HOOK -> passIfMissing(item, latest, () -> new ItemDecision.CallBefore(latest));
            case WAIT -> new ItemDecision.AwaitFiring(Duration.ZERO);
            case REFUSED -> refuse(item, latest);
            case OVER -> ItemDecision.NOTHING;
        };
    }

    private ItemDecision passIfMissing(ItemView item, Instant latest, Supplier<ItemDecision> start) {
        Optional<End> missing = gate.applies() ? missing(item, latest) : Optional.empty();
        return missing.map(end -> pass(item, latest, end)).orElseGet(start);
    }

    private Commit claim(ItemView item, Instant latest, Optional<Instant> opens) {
        ItemEnds ends = gate.endsWith(item, latest, opens.isPresent(), passed(item));
        ItemRecord next = claimed(item, latest, ends);
        ItemChange claim =
                new ItemChange.Claim(item, next, trigger(item, latest), gate.undone(item, latest, passed(item)));
        return new Commit(claim, gap(item, latest), opens);
    }

    private ItemRecord claimed(ItemView item, Instant firing, ItemEnds ends) {
        return ofThisJob(item.current().claimed(firing, own.instance(), now, ends));
    }

    private ItemRecord claimed(ItemView item, ManualRun run) {
        ItemEnds ends = gate.endsWith(item, run);
        return ofThisJob(item.current().claimedFor(run, own.instance(), now, ends));
    }

    /** With what the job's records say besides: which failures count, and how long items take. */
    private ItemRecord ofThisJob(ItemRecord claim) {
        return claim.countedUnder(own.pause()).measured(own.measures());
    }

    /** What becomes of firings between that which an item has seen and the next. */
    private Function<Instant, End> passed(ItemView item) {
        End missed = folds() ? End.FOLDED : End.LOST;
        return skippedTime(item)
                .<Function<Instant, End>>map(
                        busy -> firing -> busy.contains(due.of(item.item(), firing)) ? End.SKIPPED : missed)
                .orElse(firing -> missed);
    }

    /** The item doesn't run the firing. */
    private ItemDecision pass(ItemView item, Instant latest, End end) {
        if (isInterrupted(item)) {
            return giveUp(item, "failover is off");
        }
        // Names the instance that reports this, which it may have to recognize by that.
        ItemEnds ends = gate.endsPassing(item, latest, new Outcome(end, 0, own.instance()), passed(item));
        ItemChange passing = new ItemChange.Skip(item, latest, ends, ItemChange.SkippedRuns.NONE);
        return new Commit(passing, gap(item, latest, end));
    }

    /** The item fails the firing, for which it was not started. What it has missed before is told as by a claim. */
    private ItemDecision refuse(ItemView item, Instant latest) {
        if (isInterrupted(item)) {
            return giveUp(item, "failover is off");
        }
        ItemEnds ends = gate.endsPassing(item, latest, new Outcome(End.FAILED, 0, own.instance()), passed(item));
        ItemRecord next = refused(claimed(item, latest, ends), gate.refusal(latest));
        List<JobEvent> events = new ArrayList<>(gap(item, latest));
        events.add(refused(item, next));
        return new Commit(new ItemChange.Refuse(item, next, ItemChange.SkippedRuns.NONE), events);
    }

    /** The same for manual runs. Others, which the same execution would have answered, go on waiting. */
    private ItemDecision refuse(ItemView item, ManualRun.Waiting waiting, List<String> runIds) {
        if (isInterrupted(item)) {
            return giveUp(item, "failover is off");
        }
        ManualRun run = waiting.run().only(runIds);
        ItemRecord next = refused(claimed(item, run), gate.refusal(run));
        var runs = ItemChange.SkippedRuns.of(waiting, runIds, RunEnd.FAILED);
        return commit(new ItemChange.Refuse(item, next, runs), refused(item, next));
    }

    private static ItemRecord refused(ItemRecord claimed, OpenFiring refusal) {
        String reason = "cluster listeners failed before the first item: " + refusal.refused();
        return claimed.refused(refusal.since(), RequestedBy.cut(reason, BYTES_OF_REASON));
    }

    private JobEvent refused(ItemView item, ItemRecord next) {
        return new JobEvent.ItemRefused(
                job,
                own.instance(),
                item.item(),
                Objects.requireNonNull(next.dueAt()),
                next.firstRunIdOf(job),
                next.attempt(),
                Objects.requireNonNull(next.failure()));
    }

    private ItemDecision start(ItemView item, ManualRun.Waiting waiting) {
        if (item.children().disabled()) {
            return skip(item, item.current().scheduledAt());
        }
        Optional<String> inVain = inVain(item, waiting.run());
        if (inVain.isPresent()) {
            return commit(
                    pass(item, waiting, waiting.run().runIds(), RunEnd.DROPPED),
                    new JobEvent.ManualRunDropped(
                            job, item.item(), waiting.run().runIds(), inVain.get()));
        }
        Admission admission = gate.admit(waiting.run());
        if (admission == Admission.WAIT) {
            return new ItemDecision.AwaitFiring(Duration.ZERO);
        }
        if (admission == Admission.REFUSED) {
            return refuse(item, waiting, gate.refused(waiting.run()));
        }
        ItemChange claim = new ItemChange.ManualClaim(item, waiting, claimed(item, waiting.run()));
        return isInterrupted(item) ? commit(claim, lost(item, item.firing(), now, 1)) : commit(claim);
    }

    /** No item begins these runs. Others, which would have been answered by the same execution, go on waiting. */
    private static ItemChange pass(ItemView item, ManualRun.Waiting waiting, List<String> runIds, RunEnd end) {
        ItemRecord current = item.current();
        var passed = ItemChange.SkippedRuns.of(waiting, runIds, end);
        return new ItemChange.Skip(item, current.scheduledAt(), current.ends(), passed);
    }

    /** The reason why a waiting run will never begin. */
    private static Optional<String> inVain(ItemView item, ManualRun run) {
        if (run.dropped() != null) {
            return Optional.of(run.dropped().text());
        }
        return run.repeats() == null
                        || !run.repeats().repeatsFailure()
                        || item.current().letsRepeat(run.repeats())
                ? Optional.empty()
                : Optional.of("the failed execution that it was to repeat is not the item's last one any more");
    }

    /** An interrupted execution is abandoned first: otherwise the record would show it as one of the skipped firing. */
    private ItemDecision skip(ItemView item, @Nullable Instant latest) {
        if (isInterrupted(item)) {
            return giveUp(item, "the item is disabled, and failover is off");
        }
        ItemEnds ends = latest != null && isOwed(item, latest)
                ? gate.endsPassing(item, latest, Outcome.notBegun(End.SKIPPED), firing -> End.SKIPPED)
                : item.current().ends();
        ItemChange skip =
                new ItemChange.Skip(item, latest, ends, ItemChange.SkippedRuns.of(item.waiting(), RunEnd.DROPPED));
        return item.waiting()
                .map(waiting -> commit(
                        skip,
                        new JobEvent.ManualRunDropped(
                                job, item.item(), waiting.runs().runIds(), "the item is disabled")))
                .orElseGet(() -> commit(skip));
    }

    // ------------------------------------------------------------------ losses

    private ExecutionTrigger trigger(ItemView item, Instant latest) {
        boolean makesUp = folds() && missed(item, latest).others().count() > 0;
        return makesUp || item.children().misfire() || isLate(item, latest)
                ? ExecutionTrigger.MISFIRE
                : ExecutionTrigger.SCHEDULE;
    }

    /** The firings that the item has missed before the one that it is claimed for. */
    private List<JobEvent> gap(ItemView item, Instant latest) {
        Missed between = missed(item, latest);
        boolean folds = folds();
        int lost = (isInterrupted(item) ? 1 : 0) + (folds ? 0 : between.others().count());
        List<JobEvent> losses = new ArrayList<>();
        if (folds && between.others().count() > 0) {
            losses.add(new JobEvent.FiringsFolded(
                    job,
                    item.item(),
                    between.others().first(),
                    latest,
                    between.others().count()));
        }
        if (lost > 0) {
            Instant first =
                    isInterrupted(item) ? item.firing() : between.others().first();
            losses.add(lost(
                    item,
                    first,
                    latest,
                    lost,
                    between.others().count() > 0 ? whyNot(item, between.others().first(), latest) : ""));
        }
        if (between.skipped().count() > 0) {
            losses.add(skipped(item, between.skipped(), latest));
        }
        return losses;
    }

    /** The same of a firing that the item doesn't run either. No execution makes up for what lies before it. */
    private List<JobEvent> gap(ItemView item, Instant latest, End end) {
        Missed between = missed(item, latest);
        boolean skips = end == End.SKIPPED;
        boolean folds = folds();
        Firings lost = folds ? Firings.none(latest) : between.others();
        Firings skipped = folds ? between.others().and(between.skipped()) : between.skipped();
        List<JobEvent> losses = new ArrayList<>();
        if (!skips || lost.count() > 0) {
            Firings all = skips ? lost : lost.and(Firings.one(latest));
            losses.add(lost(item, all.first(), latest, all.count(), whyNot(item, all.first(), latest)));
        }
        if (skips || skipped.count() > 0) {
            losses.add(skipped(item, skips ? skipped.and(Firings.one(latest)) : skipped, latest));
        }
        return losses;
    }

    private Missed missed(ItemView item, Instant latest) {
        FiringGap gap = new FiringGap(
                item.current().scheduledAt(),
                latest,
                skippedTime(item),
                due.jitter().isNone() ? 0 : item.item());
        return missed.computeIfAbsent(gap, this::missed);
    }

    /**
     * @param busy what came due in this time is skipped
     * @param item whose delays count; 0 if there are none
     */
    private record FiringGap(@Nullable Instant last, Instant latest, Optional<BusyTime> busy, int item) {}

    private Missed missed(FiringGap gap) {
        Firings all = owed(gap.last(), gap.latest());
        Instant last = gap.last();
        if (gap.busy().isEmpty() || last == null || all.count() == 0) {
            return new Missed(all, Firings.none(gap.latest()));
        }
        BusyTime busy = gap.busy().get();
        Instant from = due.first(gap.item(), last, Assignment.later(busy.from(), last))
                .map(firing -> earlier(firing, gap.latest()))
                .orElse(gap.latest());
        Instant until = due.latest(gap.item(), busy.until())
                .map(firing -> earlier(firing.plusNanos(1), gap.latest()))
                .filter(from::isBefore)
                .orElse(from);
        return new Missed(
                owed(last, from).and(owed(until.minusNanos(1), gap.latest())), owed(from.minusNanos(1), until));
    }

    private Firings owed(@Nullable Instant after, Instant before) {
        Assignment assignment = own.assignment();
        int count = after != null && !after.isBefore(before) ? 0 : assignment.countOwed(after, before, COUNTED_FIRINGS);
        return count == 0
                ? Firings.none(before)
                : new Firings(assignment.firstOwed(after).orElse(before), count);
    }

    /** @param skipped what came due while the item was executing, if the job skips that */
    private record Missed(Firings others, Firings skipped) {}

    /** @param first any moment if there are none */
    private record Firings(Instant first, int count) {
        static Firings none(Instant anyMoment) {
            return new Firings(anyMoment, 0);
        }

        static Firings one(Instant firing) {
            return new Firings(firing, 1);
        }

        Firings and(Firings more) {
            return new Firings(
                    count == 0 ? more.first : more.count == 0 ? first : earlier(first, more.first),
                    Math.min(count + more.count, COUNTED_FIRINGS));
        }
    }

    private JobEvent skipped(ItemView item, Firings skipped, Instant before) {
        return new JobEvent.FiringsSkipped(job, item.item(), skipped.first(), before, skipped.count());
    }

    private JobEvent lost(ItemView item, Instant from, Instant before, int count) {
        return lost(item, from, before, count, "");
    }

    private JobEvent lost(ItemView item, Instant from, Instant before, int count, String reason) {
        return new JobEvent.FiringsLost(job, item.item(), from, before, count, reason);
    }

    /** Why the item doesn't make up for a firing, if the job makes up for each. */
    private String whyNot(ItemView item, Instant firing, Instant next) {
        Optional<Instant> latest = latest(item);
        return runsEach() ? kept.whyNot(firing, kept.first(item.current().scheduledAt(), latest.orElse(next))) : "";
    }

    private static boolean isInterrupted(ItemView item) {
        return item.current().state() == ItemState.INTERRUPTED;
    }

    private static Commit commit(ItemChange change, JobEvent... losses) {
        return new Commit(change, List.of(losses));
    }
}
