package dev.elasticjob.coordination.claim;

import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an owner does with its items: which are due, which are to be taken again, which are locked by somebody
 * else. Pure: values in, a value out. The rules are those of "Due, not ticked" in {@code docs/protocol.md}.
 */
final class ItemPlanner {
    private static final int COUNTED_FIRINGS = 1_000;
    private static final int MISSED_BY_LOSS = 1;
    private static final Duration FIRST_FAILOVER_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_FAILOVER_PAUSE = Duration.ofMinutes(5);

    private final Ownership own;
    private final Schedule schedule;
    private final Instant now;
    private final Instant registryNow;
    private int freeSlots;

    private final List<ItemChange> changes = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final List<ItemChange.Orphan> orphans = new ArrayList<>();
    private final List<ItemView> locked = new ArrayList<>();
    private final List<Integer> disabled = new ArrayList<>();
    private final Map<Integer, Duration> later = new TreeMap<>();

    /** The firings between one and the latest: most items have last run for the same. */
    private final Map<Optional<Instant>, Missed> missed = new HashMap<>();

    private boolean lacksSlot;
    private boolean clockDiffers;

    private ItemPlanner(Ownership own, Moment moment) {
        this.own = own;
        this.schedule = own.schedule();
        this.now = moment.now();
        this.registryNow = moment.registryNow();
        this.freeSlots = moment.freeSlots();
    }

    /**
     * When, and with what room, items are looked at.
     *
     * @param now by the local clock, which decides what is due
     * @param registryNow by the registry's, which keeps a fast local one from running ahead
     * @param freeSlots how many interrupted executions may be taken over
     */
    record Moment(Instant now, Instant registryNow, int freeSlots) {}

    /** Plans one look at some items: the owner's own, and others that wait to be taken over by anybody. */
    static ItemPlan plan(Ownership own, Collection<ItemView> items, Moment moment) {
        ItemPlanner planner = new ItemPlanner(own, moment);
        Optional<Instant> firing = own.assignment().latestDue(planner.schedule, moment.now());
        items.forEach(item -> planner.decide(item, firing));
        return planner.planned(firing);
    }

    private ItemPlan planned(Optional<Instant> firing) {
        List<ItemView> misfired = locked.stream()
                .filter(item -> own.definition().misfire() && own.items().contains(item.item()))
                .filter(item -> firing.filter(latest -> isOwed(item, latest)).isPresent())
                .toList();
        List<Integer> lockedItems = locked.stream().map(ItemView::item).toList();
        return new ItemPlan(changes, orphans, lockedItems, disabled, misfired, later, lacksSlot, clockDiffers, gaps);
    }

    private void decide(ItemView item, Optional<Instant> firing) {
        if (!item.isReadable()) {
            return;
        }
        if (item.isOrphan()) {
            orphans.add(
                    new ItemChange.Orphan(item, registryNow, own.definition().failover()));
        } else if (item.children().running()) {
            locked.add(item);
        } else if (waitsToBeTaken(item)) {
            take(item);
        } else if (own.items().contains(item.item())) {
            firing.filter(latest -> isDue(item, latest))
                    .ifPresentOrElse(
                            latest -> claim(item, latest),
                            () -> item.waiting().ifPresent(waiting -> claim(item, waiting)));
        }
        boolean stale = item.waitsForFailover() && item.isIdle();
        if (stale && changes.stream().noneMatch(change -> change.item() == item.item())) {
            changes.add(new ItemChange.Silence(item));
        }
    }

    private boolean waitsToBeTaken(ItemView item) {
        return own.definition().failover() && item.current().state() == ItemState.INTERRUPTED;
    }

    private void take(ItemView item) {
        if (item.children().disabled()) {
            disabled.add(item.item());
            return;
        }
        if (item.current().crashes() >= own.definition().maxFailovers()) {
            giveUp(item, "given up after " + item.current().crashes() + " crashes");
        } else if (pauseLeft(item).compareTo(Duration.ZERO) > 0) {
            later.put(item.item(), pauseLeft(item));
        } else if (freeSlots == 0) {
            lacksSlot = true;
        } else {
            freeSlots--;
            changes.add(new ItemChange.Take(item, item.current().taken(own.instance(), now)));
        }
    }

    /**
     * The first crash may have been an accident; what crashes again waits longer each time. From when the registry was
     * told of it: the end in the record was stamped by a machine whose clock may have been ahead.
     */
    private Duration pauseLeft(ItemView interrupted) {
        int crashes = interrupted.current().crashes();
        if (crashes < 2 || !Assignment.mayBeClaimed(interrupted.recorded(), registryNow)) {
            return Duration.ZERO;
        }
        Duration pause = FIRST_FAILOVER_PAUSE.multipliedBy(1L << Math.min(crashes - 2, 16));
        Duration bounded = pause.compareTo(LONGEST_FAILOVER_PAUSE) > 0 ? LONGEST_FAILOVER_PAUSE : pause;
        return Duration.between(registryNow, interrupted.recorded().plus(bounded));
    }

    private boolean isDue(ItemView item, Instant firing) {
        return isOwed(item, firing) && !isLost(item, firing);
    }

    private static boolean isOwed(ItemView item, Instant firing) {
        Instant last = item.current().scheduledAt();
        return last == null || firing.isAfter(last);
    }

    /** Without misfire, a late firing and one that met its own item running are nobody's: the next claim says so. */
    private boolean isLost(ItemView item, Instant firing) {
        if (own.definition().misfire()) {
            return false;
        }
        Instant finished = item.current().finishedAt();
        boolean late = Duration.between(firing, now).compareTo(own.misfireThreshold()) > 0;
        return late || (finished != null && !firing.isAfter(finished) && isCredible(finished));
    }

    /** An end that neither clock here has seen yet was stamped by one that runs ahead: nothing follows from it. */
    private boolean isCredible(Instant finished) {
        return !finished.isAfter(now) || !finished.isAfter(registryNow);
    }

    /** Whether this machine's clock is too far from the registry's to claim the firing. */
    private boolean clockIsOff(Instant firing) {
        int tolerated = own.definition().maxTimeDiffSeconds();
        Duration difference = Duration.between(registryNow, now).abs();
        return !Assignment.mayBeClaimed(firing, registryNow)
                || (tolerated >= 0 && difference.compareTo(Duration.ofSeconds(tolerated)) > 0);
    }

    private void claim(ItemView item, Instant firing) {
        if (clockIsOff(firing)) {
            clockDiffers = true;
        } else if (item.children().disabled()) {
            skip(item, firing);
        } else {
            changes.add(new ItemChange.Claim(item, item.current().claimed(firing, own.instance(), now)));
            tellGap(item, firing);
        }
    }

    /** A manual run: nothing is due, so it may go first. */
    private void claim(ItemView item, ManualRun.Waiting waiting) {
        if (item.children().disabled()) {
            skip(item, item.current().scheduledAt());
            return;
        }
        ItemRecord next = item.current().claimedFor(waiting.run(), own.instance(), now);
        changes.add(new ItemChange.ManualClaim(item, waiting, next));
        if (item.current().state() == ItemState.INTERRUPTED) {
            String job = own.definition().jobName();
            gaps.add(new Gap(item.item(), new JobEvent.FiringsLost(job, item.item(), now, MISSED_BY_LOSS)));
        }
    }

    /** Nobody repeats the execution that was interrupted. */
    private void giveUp(ItemView item, String reason) {
        Instant firing = item.current().scheduledAt();
        changes.add(ItemChange.Drop.by(own.instance(), item, reason));
        tellLoss(item, firing == null ? Instant.EPOCH : firing, MISSED_BY_LOSS);
    }

    /** What was interrupted is given up first: the record would else show an interrupted execution of the firing. */
    private void skip(ItemView item, @Nullable Instant firing) {
        if (item.current().state() == ItemState.INTERRUPTED) {
            giveUp(item, "the item is disabled, and failover is off");
            return;
        }
        changes.add(new ItemChange.Skip(item, firing));
        item.waiting()
                .ifPresent(waiting -> gaps.add(new Gap(
                        item.item(),
                        new JobEvent.ManualRunDropped(
                                own.definition().jobName(),
                                item.item(),
                                waiting.runs().runIds(),
                                "the item is disabled"))));
    }

    private void tellGap(ItemView item, Instant firing) {
        Instant last = item.current().scheduledAt();
        Missed between = missed.computeIfAbsent(Optional.ofNullable(last), seen -> missed(last, firing));
        int interrupted = item.current().state() == ItemState.INTERRUPTED ? MISSED_BY_LOSS : 0;
        boolean folds = own.definition().misfire();
        if (folds && between.count() > 0) {
            String job = own.definition().jobName();
            gaps.add(new Gap(
                    item.item(),
                    new JobEvent.FiringsFolded(job, item.item(), between.first(), firing, between.count())));
        }
        int lost = interrupted + (folds ? 0 : between.count());
        if (lost > 0) {
            tellLoss(item, firing, lost);
        }
    }

    private Missed missed(@Nullable Instant last, Instant firing) {
        Assignment assignment = own.assignment();
        int count = assignment.countOwed(schedule, last, firing, COUNTED_FIRINGS);
        return new Missed(assignment.firstOwed(schedule, last).orElse(firing), count);
    }

    private void tellLoss(ItemView item, Instant firing, int count) {
        String job = own.definition().jobName();
        gaps.add(new Gap(item.item(), new JobEvent.FiringsLost(job, item.item(), firing, count)));
    }

    /**
     * What to do.
     *
     * @param changes to commit together
     * @param orphans to record first, in a transaction of their own
     * @param locked items that somebody executes: to be looked at again when their locks are gone
     * @param disabled items that wait to be taken over until they are enabled
     * @param misfired those of the locked ones that a firing has met, and that keep it
     * @param later items whose next take-over has to wait, and for how long
     * @param lacksSlot whether there were more to take over than there is room for
     * @param clockDiffers whether firings are left to others because of this machine's clock
     * @param gaps to be told once the claims that close them are committed
     */
    record ItemPlan(
            List<ItemChange> changes,
            List<ItemChange.Orphan> orphans,
            List<Integer> locked,
            List<Integer> disabled,
            List<ItemView> misfired,
            Map<Integer, Duration> later,
            boolean lacksSlot,
            boolean clockDiffers,
            List<Gap> gaps) {}

    /** How many firings nobody ran before the latest, and the first of them. */
    private record Missed(Instant first, int count) {}

    /** Firings that an item did not run, to be told by the claim that closes the gap. */
    record Gap(int item, JobEvent event) {}
}
