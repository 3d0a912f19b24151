package dev.elasticjob.admin.explain;

import dev.elasticjob.admin.explain.ConditionTexts.Place;
import dev.elasticjob.admin.explain.Explanation.Certainty;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.Explanation.Verdict;
import dev.elasticjob.coordination.claim.ItemObstacles;
import dev.elasticjob.coordination.claim.ItemObstacles.Obstacle;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.FailureStreak;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.LackingRoom;
import dev.elasticjob.coordination.view.Leaver;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds the conditions that keep one item from running. Those of the job come first, because without an owner nothing is
 * planned for the item; those of the item are the planner's own, from {@link ItemObstacles}. Pure.
 */
public final class ItemConditions {
    /** Conditions that end when the item becomes due. */
    private static final Set<Reason> DUE = EnumSet.of(
            Reason.NOT_DUE,
            Reason.NEVER_DUE,
            Reason.ON_REQUEST,
            Reason.PARENT_NOT_FOLLOWED,
            Reason.PARENT_FAILED,
            Reason.WAITS_FOR_OTHER_JOBS);

    /** Conditions in whose end an item that is disabled has no part. */
    private static final Set<Reason> WAITS_ENABLED = EnumSet.copyOf(DUE);

    /** Conditions of the owner, or of who gets the item next: they don't keep one from running that runs, there or elsewhere. */
    private static final Set<Reason> OF_THE_OWNER = EnumSet.of(
            Reason.SUCCESSOR_AWAITED,
            Reason.OWNER_GONE,
            Reason.NO_LEADER,
            Reason.WAITS_FOR_PLAN,
            Reason.SERVER_DISABLED,
            Reason.OWNER_DRAINS,
            Reason.OWNER_UNMATCHED,
            Reason.ITEM_TOO_HEAVY,
            Reason.WAITS_FOR_CAPACITY,
            Reason.INSTANCE_NOT_ACTIVE);

    static {
        WAITS_ENABLED.addAll(List.of(Reason.GIVEN_UP, Reason.RESTS, Reason.NO_FREE_THREAD));
    }

    private final JobSnapshot job;
    private final int number;
    private final ItemNodes nodes;
    private final Viewpoint from;
    private final Around around;
    private final ConditionTexts texts;
    private final List<Condition> found = new ArrayList<>();

    private ItemConditions(JobSnapshot job, int number, ItemNodes nodes, Viewpoint from, Around around) {
        this.job = job;
        this.number = number;
        this.nodes = nodes;
        this.from = from;
        this.around = around;
        this.texts = new ConditionTexts(job, number, nodes, from.registryNow());
    }

    /**
     * Who asks.
     *
     * @param session provides the session timeout, which the item's owner is assumed to share
     * @param now the time by which firings are due
     * @param registryNow the registry's time as far as it is known here
     * @param local the job on this instance; empty if this process doesn't run it
     */
    public record Viewpoint(RegistrySession session, Instant now, Instant registryNow, Optional<Local> local) {}

    /**
     * What this instance knows of itself.
     *
     * @param instance its id in the job
     * @param state of the job here, in a word; empty if it is active
     * @param freeThreads how many executions could start here at once
     * @param clockAhead how far its machine's clock is ahead of the registry's; negative if it is behind
     * @param lackingRoom the items that wait for its capacity, with why
     */
    public record Local(
            String instance,
            Optional<String> state,
            int freeThreads,
            Duration clockAhead,
            Map<Integer, LackingRoom> lackingRoom) {
        public Local(String instance, Optional<String> state, int freeThreads) {
            this(instance, state, freeThreads, Duration.ZERO, Map.of());
        }
    }

    /**
     * What else is known of the job.
     *
     * @param standstill what keeps all its instances from running items
     * @param failing of the jobs whose success it waits for, those that fail, by name
     * @param unfinished the items that have not ended the last firing of a job with a fixed delay
     */
    public record Around(
            Optional<Standstill> standstill,
            SortedMap<String, FailureStreak> failing,
            NavigableSet<Integer> unfinished) {
        public static final Around NOTHING =
                new Around(Optional.empty(), Collections.emptySortedMap(), Collections.emptyNavigableSet());
    }

    /** @param job with its members */
    public static Explanation explain(JobSnapshot job, int item, ItemNodes nodes, Viewpoint from, Around around) {
        return new ItemConditions(job, item, nodes, from, around).explanation();
    }

    /** When the pause of an interrupted item ends, by the registry's clock; empty if it has none. */
    public static Optional<Instant> pauseEnds(JobSnapshot job, ItemView item, OpenFirings firings, Viewpoint from) {
        if (item.current().state() != ItemState.INTERRUPTED
                || job.assignment().isEmpty()
                || job.definition().isEmpty()) {
            return Optional.empty();
        }
        Optional<RegistryNode> unread = Optional.empty();
        var nodes = new ItemNodes(Optional.of(item), unread, unread, unread, unread, unread, firings);
        var conditions = new ItemConditions(job, item.item(), nodes, from, Around.NOTHING);
        return conditions.obstacles(item, "", 1).obstacles().stream()
                .flatMap(obstacle ->
                        obstacle instanceof Obstacle.Resting resting ? Stream.of(resting.until()) : Stream.empty())
                .findFirst();
    }

    private Explanation explanation() {
        Optional<String> owner = owner();
        ofTheJob();
        if (found.isEmpty()) {
            ofTheOwner();
        }
        ofTheItem();
        return new Explanation(job.jobName(), number, verdict(), owner, found);
    }

    private Optional<String> owner() {
        return job.assignment()
                .flatMap(plan -> Optional.ofNullable(plan.owners().get(number)));
    }

    private Verdict verdict() {
        List<Condition> holding = found.stream()
                .filter(condition -> condition.certainty() == Certainty.HOLDS)
                .toList();
        if (holding.isEmpty()) {
            return Verdict.DUE_NOW;
        }
        if (holding.stream().anyMatch(condition -> condition.reason() == Reason.RUNS)) {
            return Verdict.RUNNING;
        }
        return holding.stream().allMatch(condition -> condition.reason().isPassing()) ? Verdict.WAITS : Verdict.BLOCKED;
    }

    // ------------------------------------------------------------------ the job

    private void ofTheJob() {
        Optional<Condition> first =
                unreadable().or(this::foreign).or(this::paused).or(this::nobody);
        first.ifPresent(found::add);
        if (first.isEmpty() && owner().isEmpty()) {
            found.add(unowned());
        }
    }

    private Optional<Condition> unreadable() {
        if (job.denied().isPresent()) {
            return job.denied().map(texts::denied);
        }
        if (!job.hasDefinition()) {
            return Optional.of(texts.removed());
        }
        if (job.definition().isEmpty()) {
            return job.definitionProblem().map(texts::definitionUnreadable);
        }
        return job.view().problem().map(texts::assignmentUnreadable);
    }

    private Optional<Condition> foreign() {
        List<JobSnapshot.InstanceNode> others = job.instances().stream()
                .filter(instance -> instance.software().isForeign())
                .toList();
        boolean held = job.assignment().filter(Assignment::isHeld).isPresent();
        return held || (!others.isEmpty() && owner().isEmpty()) ? Optional.of(texts.foreign(others)) : Optional.empty();
    }

    private Optional<Condition> paused() {
        Optional<Condition> byJob = job.view()
                .jobPause()
                .filter(PauseSwitch::paused)
                .map(pause -> texts.paused(job.tree().paused(), pause));
        return byJob.or(() -> job.view()
                .namespacePause()
                .filter(PauseSwitch::paused)
                .map(pause -> texts.paused(JobTree.namespacePaused(), pause)));
    }

    private Optional<Condition> nobody() {
        if (job.instances().isEmpty()) {
            return Optional.of(texts.noInstance());
        }
        return around.standstill().map(texts::standsStill);
    }

    private Condition unowned() {
        int total = job.definition().orElseThrow().shardingTotalCount();
        if (number >= total) {
            return texts.beyond(total);
        }
        return waitsForPlan();
    }

    private Condition waitsForPlan() {
        return job.view().leader().isEmpty() ? texts.noLeader() : texts.waitsForPlan();
    }

    // ------------------------------------------------------------------ its owner

    private void ofTheOwner() {
        String owner = owner().orElseThrow();
        Optional<JobSnapshot.InstanceNode> instance =
                job.instances().stream().filter(one -> one.id().equals(owner)).findFirst();
        if (instance.isEmpty()) {
            Optional<Leaver> leaver = Leaver.awaited(job, owner, from.registryNow());
            if (leaver.isPresent()) {
                found.add(texts.successorAwaited(leaver.get()));
                return;
            }
            found.add(texts.ownerGone(owner));
            found.add(waitsForPlan());
            return;
        }
        job.servers().stream()
                .filter(server -> server.ip().equals(instance.get().ip()) && server.disabled())
                .findFirst()
                .ifPresent(server -> found.add(texts.serverDisabled(owner, server)));
        List<String> lacking =
                instance.get().unfulfilledOf(job.definition().orElseThrow().instances());
        if (!lacking.isEmpty()) {
            found.add(texts.unmatched(owner, lacking));
        }
        if (instance.get().clockDiffers() && local(owner).isEmpty()) {
            found.add(texts.clockDiffers(owner));
        }
        capacity(instance.get());
        instance.get().drain().ifPresent(drain -> found.add(texts.drains(owner, drain)));
        local(owner).flatMap(Local::state).ifPresent(state -> found.add(texts.notActive(owner, state)));
    }

    private void capacity(JobSnapshot.InstanceNode owner) {
        int weight = job.definition().orElseThrow().weightOf(number);
        Optional<Local> here = local(owner.id());
        if (!owner.carries(weight)) {
            found.add(tooHeavy(owner, weight));
        } else if (here.isEmpty()) {
            nodes.offer().ifPresent(offer -> found.add(texts.offered(owner.id(), weight, offer)));
        }
        here.flatMap(local -> Optional.ofNullable(local.lackingRoom().get(number)))
                .ifPresent(lacking -> found.add(texts.waitsForCapacity(owner.id(), weight, lacking)));
    }

    private Condition tooHeavy(JobSnapshot.InstanceNode owner, int weight) {
        int capacity = owner.capacity().orElseThrow();
        if (job.isHelpedElsewhere(owner.id(), weight, from.registryNow())) {
            return texts.offeredAsTooHeavy(owner.id(), weight, capacity);
        }
        Remedy remedy = job.isCarriedSomewhere(weight) ? Remedy.RAISE_CAPACITY_OR_MOVE : Remedy.RAISE_CAPACITY;
        return texts.tooHeavy(owner.id(), weight, capacity, remedy);
    }

    private Optional<Local> local(String owner) {
        return from.local().filter(here -> here.instance().equals(owner));
    }

    // ------------------------------------------------------------------ the item

    private void ofTheItem() {
        if (job.assignment().isEmpty() || job.definition().isEmpty()) {
            return;
        }
        if (nodes.view().isEmpty()) {
            if (owner().isPresent()) {
                found.add(texts.withoutNode());
            }
            return;
        }
        ItemView item = nodes.view().get();
        String owner = owner().orElse("");
        Optional<Local> here = local(owner);
        obstacles(item, owner, here.map(Local::freeThreads).orElse(1))
                .obstacles()
                .forEach(obstacle -> {
                    if (obstacle instanceof Obstacle.NotDue) {
                        ofOtherJobs();
                    }
                    add(
                            obstacle instanceof Obstacle.NotDue && delay().isPresent()
                                    ? afterTheDelay(delay().get())
                                    : texts.obstacle(item, obstacle, here));
                });
        if (found.stream().map(Condition::reason).anyMatch(reason -> reason == Reason.RUNS || DUE.contains(reason))) {
            found.removeIf(condition -> condition.reason() == Reason.WAITS_FOR_CAPACITY);
        }
        if (owner.isEmpty()) {
            return;
        }
        if (!job.assignment().get().monitored()
                && item.isIdle()
                && item.waiting().isEmpty()) {
            found.add(texts.notRecorded(owner));
        } else if (here.isEmpty() && asksTheInstance(item, owner)) {
            found.add(texts.inside(owner, item.current().state() == ItemState.INTERRUPTED));
        }
    }

    /**
     * What would keep the item from running whenever it is due comes before the time for which it waits, and an item that
     * operators have disabled is not taken over either: no other remedy would help. That it runs comes before what its owner
     * is: another instance may execute it.
     */
    private void add(Condition condition) {
        Set<Reason> later = switch (condition.reason()) {
            case ITEM_DISABLED -> WAITS_ENABLED;
            case CLOCK_DIFFERS -> DUE;
            case RUNS -> OF_THE_OWNER;
            default -> Set.of();
        };
        int place = found.size();
        while (place > 0 && later.contains(found.get(place - 1).reason())) {
            place--;
        }
        found.add(place, condition);
    }

    private Optional<Duration> delay() {
        return job.assignment().flatMap(plan -> plan.schedule().delay());
    }

    private Condition afterTheDelay(Duration delay) {
        Optional<DelayedFiring> last = DelayedFiring.of(job.view().delay());
        Place place = Place.written(job.tree().delay(), job.view().delay());
        return last.filter(firing -> firing.ended().isEmpty())
                .map(firing -> DueTexts.goesOn(delay, job.jobName(), firing, around.unfinished(), place))
                .orElseGet(() -> DueTexts.delayed(
                        delay,
                        last,
                        DelayedFiring.next(last, job.assignment().orElseThrow()),
                        from.registryNow(),
                        place));
    }

    /** Only of a job that runs after others. */
    private void ofOtherJobs() {
        job.notFollowed()
                .forEach((parent, problem) ->
                        found.add(DueTexts.notFollowed(parent, problem, new JobTree(parent).follower(job.jobName()))));
        around.failing().forEach((parent, failing) -> found.add(DueTexts.fails(parent, failing)));
    }

    private ItemObstacles obstacles(ItemView item, String owner, int freeThreads) {
        var moment = new ItemObstacles.Moment(now(owner), from.registryNow(), freeThreads, nodes.firings());
        return ItemObstacles.of(asOwner(owner), item, moment);
    }

    /** The owner's own time, if it is known and differs by more than the job tolerates: then it claims nothing. */
    private Instant now(String owner) {
        return local(owner)
                .map(Local::clockAhead)
                .filter(ahead -> job.definition()
                        .filter(definition -> !definition.toleratesClock(ahead))
                        .isPresent())
                .map(ahead -> from.registryNow().plus(ahead))
                .orElse(from.now());
    }

    /** Whether an instance's threads, clock and connection decide what comes next. */
    private boolean asksTheInstance(ItemView item, String owner) {
        boolean blocked =
                found.stream().anyMatch(condition -> !condition.reason().isPassing());
        boolean somebodyIsThere = item.current().state() == ItemState.INTERRUPTED
                || job.instances().stream().map(JobSnapshot.InstanceNode::id).anyMatch(owner::equals);
        boolean runsElsewhere = found.stream().anyMatch(condition -> condition.reason() == Reason.RUNS)
                && !owner.equals(item.current().instance());
        return item.isReadable() && !blocked && !runsElsewhere && somebodyIsThere;
    }

    /** What the owner may claim; an item without an owner is looked at as if it had one. */
    private Ownership asOwner(String owner) {
        Assignment plan = job.assignment().orElseThrow();
        NavigableSet<Integer> items = new TreeSet<>(plan.itemsOf(owner));
        items.add(number);
        return new Ownership(
                from.session(),
                owner,
                job.epoch(),
                plan,
                job.definition().orElseThrow(),
                job.view().definitionVersion(),
                items,
                true,
                Ownership.pauseOf(job.view(), job.definition().orElseThrow()));
    }
}
