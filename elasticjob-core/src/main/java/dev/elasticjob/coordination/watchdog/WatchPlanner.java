package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.BusyTime;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.DueMoments;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.watchdog.WatchdogState.Overdue;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.WatchdogSettings;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Decides what the leader of a watched job has to report, and when it has to look again. Pure. */
public final class WatchPlanner {
    /** What an instance has to report itself what is stuck there, before the leader does. */
    static final Duration SILENCE = Duration.ofSeconds(5);

    private final JobDefinition definition;
    private final WatchdogSettings settings;
    private final Assignment assignment;
    private final Schedule schedule;
    private final ItemsView view;
    private final WatchdogState reported;
    private final Optional<DelayedFiring> delayed;
    private final Instant now;
    private final List<Instant> looks = new ArrayList<>();

    private WatchPlanner(
            JobDefinition definition,
            WatchdogSettings settings,
            Assignment assignment,
            ItemsView view,
            WatchdogState reported,
            Optional<DelayedFiring> delayed,
            Instant now) {
        this.definition = definition;
        this.settings = settings;
        this.assignment = assignment;
        this.schedule = assignment.schedule();
        this.view = view;
        this.reported = reported;
        this.delayed = delayed;
        this.now = now;
    }

    /**
     * What follows from a look.
     *
     * @param stuck the executions to report
     * @param overdue the firing to report
     * @param kept what was reported before, without executions that have ended
     * @param next when to look again, by the registry's clock; empty if only an event can change something
     */
    record Plan(List<StuckItem> stuck, Optional<Instant> overdue, WatchdogState kept, Optional<Instant> next) {
        boolean reportsNothing() {
            return stuck.isEmpty() && overdue.isEmpty();
        }
    }

    /**
     * @param settings the definition's, without what doesn't apply at present
     * @param view all items, with their locks
     * @param reported what was reported so far, as far as it is known
     * @param delayed the last firing of a job with a fixed delay
     * @param now by the registry's clock
     */
    static Plan plan(
            JobDefinition definition,
            WatchdogSettings settings,
            Assignment assignment,
            ItemsView view,
            WatchdogState reported,
            Optional<DelayedFiring> delayed,
            Instant now) {
        return new WatchPlanner(definition, settings, assignment, view, reported, delayed, now).plan();
    }

    /**
     * The firing that an item should have begun by now, and none has; it may have been reported or not.
     *
     * @param view all items; the locks don't matter
     * @param delayed the last firing of a job with a fixed delay
     * @param now by the registry's clock
     * @return empty also if the job has no {@code expectWithin}. Not to be asked of a paused job
     */
    public static Optional<Instant> overdue(
            JobDefinition definition,
            Assignment assignment,
            ItemsView view,
            Optional<DelayedFiring> delayed,
            Instant now) {
        WatchdogSettings firings =
                new WatchdogSettings(Duration.ZERO, definition.watchdog().expectWithin());
        return plan(definition, firings, assignment, view, WatchdogState.NOTHING, delayed, now)
                .overdue();
    }

    /** How long an execution may go on before the leader reports it. */
    static Duration patience(WatchdogSettings settings) {
        return settings.stuckAfter().plus(SILENCE);
    }

    private Plan plan() {
        List<StuckItem> stuck = settings.watchesExecutions() ? stuck() : List.of();
        Optional<Overdue> known = reported.overdue().filter(this::goesOn);
        Optional<Instant> overdue = settings.watchesFirings() ? overdue(known) : Optional.empty();
        Map<Integer, Long> tokens = new HashMap<>();
        view.locks().forEach((item, lock) -> tokens.put(item, lock.czxid()));
        return new Plan(
                stuck, overdue, reported.retaining(tokens), looks.stream().min(Comparator.naturalOrder()));
    }

    // ------------------------------------------------------------------ executions

    private List<StuckItem> stuck() {
        Duration patience = patience(settings);
        List<StuckItem> stuck = new ArrayList<>();
        for (ItemView item : view.items().values()) {
            Optional<RegistryNode> lock = Optional.ofNullable(view.locks().get(item.item()));
            Optional<RegistryNode> unanswered =
                    lock.filter(node -> reported.of(item.item(), node.czxid()).isEmpty());
            Optional<Instant> deadline = unanswered.map(node -> node.created().plus(patience));
            if (deadline.filter(now::isBefore).isPresent()) {
                looks.add(deadline.get());
            } else if (lock.isPresent() || mayBegin(item)) {
                looks.add(now.plus(patience));
                unanswered.ifPresent(node -> stuck.add(StuckItem.elsewhere(
                        definition.jobName(), item.item(), node, item.current(), settings.stuckAfter())));
            }
        }
        // What begins with the next firing doesn't take too long before that.
        schedule.nextAfter(now).ifPresent(firing -> looks.add(firing.plus(patience)));
        return stuck;
    }

    /** Whether it may be claimed before the next firing. Those who ask for a run later wake the leader. */
    private boolean mayBegin(ItemView item) {
        if (!assignment.owners().containsKey(item.item())) {
            return false;
        }
        ItemState state = item.current().state();
        return state == ItemState.RUNNING
                || (state == ItemState.INTERRUPTED && definition.failover())
                || item.children().trigger()
                || assignment
                        .latestDue(now)
                        .filter(latest -> latest.isAfter(item.firing()) && !isLost(latest))
                        .isPresent();
    }

    private boolean isLost(Instant latest) {
        Duration late = definition.misfireThreshold().plus(Assignment.CLOCK_TOLERANCE);
        return !definition.misfire() && latest.plus(late).isBefore(now);
    }

    // ------------------------------------------------------------------ firings

    /** Whether still no item has begun that firing or a later one, and one should. */
    private boolean goesOn(Overdue known) {
        if (isDelayed()) {
            return pending().filter(known.firing()::equals).isPresent();
        }
        return assignment.owes(known.firing())
                && handled().filter(firing -> !firing.isBefore(known.firing())).isEmpty();
    }

    private boolean isDelayed() {
        return schedule.delay().isPresent();
    }

    /** In a job with a fixed delay, the firing that is to be asked for, or that was, and no item has begun. */
    private Optional<Instant> pending() {
        Optional<Instant> unbegun = delayed.filter(last -> last.ended().isEmpty())
                .filter(last -> expected().stream().noneMatch(item -> last.wasBegun(item.current())))
                .map(DelayedFiring::at);
        return unbegun.or(() -> DelayedFiring.next(delayed, assignment));
    }

    /** The newest firing that an expected item has begun or skipped. */
    private Optional<Instant> handled() {
        return expected().stream()
                .flatMap(item -> Stream.concat(Stream.ofNullable(item.current().scheduledAt()), skipped(item).stream()))
                .max(Comparator.naturalOrder());
    }

    /** The newest firing that came due while the item was executing, if the job skips those. */
    private Optional<Instant> skipped(ItemView item) {
        if (definition.overlap() != Overlap.SKIP) {
            return Optional.empty();
        }
        return item.current().state() == ItemState.RUNNING
                ? due().latest(item.item(), now)
                : BusyTime.of(item.current(), now, now)
                        .flatMap(busy -> due().latest(item.item(), busy.until())
                                .filter(firing -> busy.contains(due().of(item.item(), firing))));
    }

    /** A firing that was reported is no news, also if the item that has begun it isn't expected any more. */
    private Optional<Instant> seen() {
        return Stream.concat(handled().stream(), reported.overdue().map(Overdue::firing).stream())
                .max(Comparator.naturalOrder());
    }

    private List<ItemView> expected() {
        return view.items().values().stream()
                .filter(item -> item.isReadable() && !item.children().disabled())
                .filter(item -> assignment.total() == 0 || assignment.owners().containsKey(item.item()))
                .toList();
    }

    private Optional<Instant> overdue(Optional<Overdue> known) {
        boolean suspended = !assignment.monitored() || assignment.pausedFrom() != null || assignment.isHeld();
        if (suspended) {
            return Optional.empty();
        }
        Optional<Instant> due = expected().isEmpty() || known.isPresent()
                ? Optional.empty()
                : isDelayed() ? pending() : assignment.firstOwed(seen().orElse(null));
        Optional<Instant> deadline = due.map(this::deadline);
        if (deadline.filter(now::isBefore).isPresent()) {
            looks.add(deadline.get());
            return Optional.empty();
        }
        schedule.nextAfter(now).ifPresent(firing -> looks.add(deadline(firing)));
        return due;
    }

    private DueMoments due() {
        return DueMoments.of(assignment, definition);
    }

    /** When an item last began or ended something: those that make up for firings do so one after the other. */
    private Optional<Instant> progress() {
        return expected().stream()
                .filter(item -> item.current().state() != ItemState.NEW)
                .map(ItemView::recorded)
                .max(Comparator.naturalOrder());
    }

    /** From when its first item is due. What became due before a pause counts from its end. */
    private Instant deadline(Instant firing) {
        Instant first = expected().stream()
                .map(item -> due().of(item.item(), firing))
                .min(Comparator.naturalOrder())
                .orElse(firing);
        Instant progress = definition.catchUp() == CatchUp.EACH ? progress().orElse(first) : first;
        return Assignment.later(Assignment.later(first, progress), assignment.since())
                .plus(settings.expectWithin());
    }
}
