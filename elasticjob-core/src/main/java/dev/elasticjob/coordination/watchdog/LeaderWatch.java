package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.LeaderDuty;
import dev.elasticjob.coordination.view.Pauses;
import dev.elasticjob.coordination.watchdog.ReportStore.Stored;
import dev.elasticjob.coordination.watchdog.WatchPlanner.Plan;
import dev.elasticjob.coordination.watchdog.WatchdogState.Answer;
import dev.elasticjob.coordination.watchdog.WatchdogState.Kind;
import dev.elasticjob.coordination.watchdog.WatchdogState.Overdue;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.WatchdogSettings;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The leader's part: it looks at the items when the first of them may have been executing for too long, or a firing may
 * be overdue, and at no other time.
 *
 * <p>Confined to the coordination executor.
 */
final class LeaderWatch {
    /** After a look that another plan has overtaken. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final JobScope scope;
    private final JobViewReader reader;
    private final ReportStore store;
    private final WatchdogReports reports;
    private final Runnable look;
    private Optional<Planned> leading = Optional.empty();
    /** What was reported, as far as this leader has seen it. */
    private WatchdogState known = WatchdogState.NOTHING;

    /** When what was asked for since the last look may have been executing for too long. */
    private Optional<Instant> asked = Optional.empty();

    /** Of the last firing of a job with a fixed delay. */
    private Optional<Subscription> delays = Optional.empty();

    private boolean due;
    private boolean closed;
    private TaskTimer.@Nullable Cancellable timer;
    /** When the timer goes off, by the registry's clock; the far future without one. */
    private Instant wakes = Instant.MAX;

    /** @param look called when a round is due */
    LeaderWatch(JobScope scope, ReportStore store, WatchdogReports reports, Runnable look) {
        this.scope = scope;
        this.reader = new JobViewReader(scope);
        this.store = store;
        this.reports = reports;
        this.look = look;
    }

    /** What the leader has last read of its job, with the plan that it watches. */
    private record Planned(LeaderDuty duty, Assignment assignment) {
        boolean isSameAs(Planned other) {
            return duty.isUnderSamePlan(other.duty)
                    && view().items().equals(other.view().items())
                    && view().pauses().equals(other.view().pauses());
        }

        RegistrySession session() {
            return duty.session();
        }

        JobView view() {
            return duty.view();
        }

        JobDefinition definition() {
            return duty.definition();
        }

        boolean isPaused() {
            return Pauses.of(view().pauses()).lasts();
        }

        long runs() {
            return view().runs().map(RegistryNode::mzxid).orElse(0L);
        }
    }

    void lead(LeaderDuty duty) {
        WatchdogSettings settings = duty.definition().watchdog();
        Optional<Assignment> assignment = duty.view().assignment();
        if (closed || settings.equals(WatchdogSettings.OFF) || assignment.isEmpty()) {
            resign();
            return;
        }
        watchDelays(settings.watchesFirings()
                && duty.definition().schedule().delay().isPresent());
        Planned now = new Planned(duty, assignment.get());
        Optional<Planned> before = leading;
        leading = Optional.of(now);
        if (before.filter(now::isSameAs).isEmpty()) {
            lookNow();
        } else if (settings.watchesExecutions() && before.get().runs() != now.runs()) {
            // No timer goes off for what is asked for.
            asked = Optional.of(scope.registryTime().now().plus(WatchPlanner.patience(settings)));
            if (!due) {
                wakeAt(asked.get());
            }
        }
    }

    /** No timer goes off for a firing that follows from an end. */
    private void watchDelays(boolean wanted) {
        if (wanted && delays.isEmpty()) {
            delays = Optional.of(scope.registry().watch(scope.tree().delay(), WatchScope.DATA, this::lookNow));
        } else if (!wanted) {
            delays.ifPresent(Subscription::close);
            delays = Optional.empty();
        }
    }

    void resign() {
        watchDelays(false);
        leading = Optional.empty();
        known = WatchdogState.NOTHING;
        asked = Optional.empty();
        due = false;
        cancelTimer();
    }

    void close() {
        closed = true;
        resign();
    }

    private void lookNow() {
        due = true;
        look.run();
    }

    // ------------------------------------------------------------------ a look

    CompletionStage<Next> round() {
        if (!due || leading.isEmpty()) {
            return Next.WAIT.stage();
        }
        Planned at = leading.get();
        return seen(at).thenCompose(seen -> {
            if (isOvertaken(at, seen.items())) {
                return overtaken(at).stage();
            }
            Plan plan = plan(at, seen);
            return plan.reportsNothing() ? rest(at, plan).stage() : confirm(at);
        });
    }

    /** What a look has read. */
    private record Seen(ItemsView items, Optional<DelayedFiring> delayed) {}

    private CompletionStage<Seen> seen(Planned at) {
        String delay = scope.tree().delay();
        CompletionStage<Optional<DelayedFiring>> last = delays.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : scope.registry()
                        .read(RegistryRead.allData(delay))
                        .thenApply(answer -> DelayedFiring.of(answer.node(delay)));
        return last.thenCompose(
                delayed -> reader.itemsWithLocks(at.view().items()).thenApply(items -> new Seen(items, delayed)));
    }

    private boolean isOvertaken(Planned at, ItemsView items) {
        return !isCurrent(at) || items.epoch() != at.view().epoch();
    }

    private boolean isCurrent(Planned at) {
        return leading.filter(at::isSameAs).isPresent();
    }

    /** Another plan is in force than the one that this leader has read, or the answer was behind it. */
    private Next overtaken(Planned at) {
        if (!isCurrent(at)) {
            return Next.AGAIN;
        }
        due = false;
        wakeAt(scope.registryTime().now().plus(SOON));
        return Next.WAIT;
    }

    private Plan plan(Planned at, Seen seen) {
        Instant now = scope.registryTime().now();
        return WatchPlanner.plan(
                at.definition(), inForce(at), at.assignment(), seen.items(), known, seen.delayed(), now);
    }

    /** Nothing is expected in a pause. */
    private static WatchdogSettings inForce(Planned at) {
        WatchdogSettings settings = at.definition().watchdog();
        return at.isPaused() ? new WatchdogSettings(settings.stuckAfter(), Duration.ZERO) : settings;
    }

    private Next rest(Planned at, Plan plan) {
        if (!isCurrent(at)) {
            return Next.AGAIN;
        }
        due = false;
        Instant now = scope.registryTime().now();
        asked = asked.filter(now::isBefore);
        cancelTimer();
        Stream.concat(plan.next().stream(), asked.stream())
                .min(Instant::compareTo)
                .ifPresent(this::wakeAt);
        return Next.WAIT;
    }

    /** Replaces the timer, unless that goes off earlier: frequent requests for runs must not put off a look for ever. */
    private void wakeAt(Instant time) {
        if (time.isBefore(wakes)) {
            cancelTimer();
            wakes = time;
            Duration left = Duration.between(scope.registryTime().now(), time);
            timer = scope.connection().later(left.isNegative() ? Duration.ZERO : left, this::wake);
        }
    }

    private void wake() {
        cancelTimer();
        lookNow();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        wakes = Instant.MAX;
    }

    // ------------------------------------------------------------------ reports

    /**
     * What was read may be behind, and so may the registry's time. After a write, neither is: what is read then was so
     * at that time, or later. A pause that no plan has applied yet is found too, also one that is over, and one by
     * disabled servers, because this instance's own is among them.
     */
    private CompletionStage<Next> confirm(Planned at) {
        JobView view = at.view();
        return scope.askTime(at.session())
                .thenCompose(asked -> !asked.isCommitted()
                        ? overtaken(at).stage()
                        : reader.asMember(view.instance(), view.ip())
                                .thenCompose(fresh -> isPausedAnew(view, fresh)
                                        ? overtaken(at).stage()
                                        : store.read()
                                                .thenCompose(stored ->
                                                        seen(at).thenCompose(seen -> report(at, stored, seen)))));
    }

    private static boolean isPausedAnew(JobView planned, JobView fresh) {
        return !fresh.pauses().equals(planned.pauses()) || fresh.standing() != planned.standing();
    }

    private CompletionStage<Next> report(Planned at, Stored stored, Seen seen) {
        if (isOvertaken(at, seen.items())) {
            return overtaken(at).stage();
        }
        String instance = at.view().instance();
        known = stored.value();
        reports.stored(known);
        Plan plan = plan(at, seen);
        if (plan.reportsNothing()) {
            return rest(at, plan).stage();
        }
        WatchdogState next = plan.kept();
        for (StuckItem item : plan.stuck()) {
            next = next.with(item.item(), new Answer(item.token(), Kind.STUCK, instance));
        }
        if (plan.overdue().isPresent()) {
            next = next.with(plan.overdue().map(firing -> new Overdue(firing, instance)));
        }
        return store(at, stored, plan, next);
    }

    private CompletionStage<Next> store(Planned at, Stored stored, Plan plan, WatchdogState next) {
        String instance = at.view().instance();
        reports.sent(plan.stuck(), instance);
        plan.overdue()
                .ifPresent(firing ->
                        reports.sent(firing, at.definition().watchdog().expectWithin(), instance));
        return scope.connection()
                .commit(at.session(), store.write(next, stored, at.view().epoch()))
                .thenApply(outcome -> {
                    if (!outcome.isCommitted()) {
                        return Next.AGAIN;
                    }
                    reports.stored(next);
                    known = isCurrent(at) ? next : known;
                    return rest(at, plan);
                });
    }
}
