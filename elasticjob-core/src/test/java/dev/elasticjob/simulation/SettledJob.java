package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What has to be true of one job once nothing goes wrong any more. */
final class SettledJob {
    private static final Duration JOINING = Duration.ofSeconds(4);
    /** What the writing of a resume takes, at most. */
    private static final Duration WRITING = Duration.ofMillis(5);

    private final World world;
    private final Oracle oracle;
    private final JobTree tree;
    private final Duration allowance;
    private Instant calmSince = Instant.MAX;
    /** Whether what is missed runs later, however long that takes. */
    private boolean misfire;

    private Overlap overlap = Overlap.WAIT;
    private List<Execution> owed = List.of();
    private Set<Integer> disabled = Set.of();

    /** @param allowance from a firing to the start of an item that is free */
    SettledJob(World world, Oracle oracle, Duration allowance) {
        this.world = world;
        this.oracle = oracle;
        this.tree = oracle.tree();
        this.allowance = allowance;
    }

    /** From now on each firing counts for itself, whether or not missed ones are made up for. */
    void isCalm() {
        calmSince = world.time().instant();
    }

    /**
     * Nothing that was written while the registry's clock was ahead keeps a firing from being due, once a leader has had the
     * time to correct it: it may have to be elected first.
     */
    void waitsForNoFuture() {
        Instant now = world.time().instant().plus(world.quorum().sessionTimeout());
        Replica there = world.quorum().tree();
        InForce.at(there, tree)
                .ifPresent(plan -> require(
                        !plan.since().isAfter(now),
                        "a time from the future stops no job: its plan counts from " + plan.since()));
        for (String name : there.children(tree.sharding()).orElse(List.of())) {
            JobTree.itemNumber(name)
                    .ifPresent(item -> there.node(tree.item(item))
                            .map(Recorded::of)
                            .filter(record -> record.scheduledAt() != null
                                    && record.scheduledAt().isAfter(now.plusSeconds(60)))
                            .ifPresent(record -> require(false, "a time from the future stops no job: " + record)));
        }
    }

    /** @param grace what may still be running: it had so long to begin and end */
    void settled(String when, Duration grace) {
        if (world.violation().isPresent()) {
            return;
        }
        Replica now = world.quorum().tree();
        Optional<InForce> plan = InForce.at(now, tree);
        require(plan.isPresent(), "P4, progress: there is no plan " + when);
        if (plan.isEmpty()) {
            return;
        }
        world.living().stream()
                .filter(process -> process.hasJob(tree.jobName()))
                .forEach(process -> takesPart(process, when));
        JobDefinition definition = InForce.definition(now, tree);
        misfire = definition.misfire() && definition.catchUpWindow().isZero();
        overlap = definition.overlap();
        int total = definition.shardingTotalCount();
        List<Integer> owned = plan.get().owners().keySet().stream().toList();
        require(
                owned.equals(java.util.stream.IntStream.range(0, total).boxed().toList()),
                "P4, progress: of %d items only %s are owned %s".formatted(total, owned, when));
        plan.get().owners().forEach((item, owner) -> ownedByLivingMember(now, item, owner, when));
        require(now.node(tree.necessary()).isEmpty(), "a healthy cluster settles: the bell still rings " + when);
        for (int item = 0; item < total; item++) {
            itemSettled(now, plan.get(), item, definition.failover(), when, grace);
        }
    }

    // ------------------------------------------------------------------ coming back

    /** Under the id that it was given, which it gets once more when it comes back. */
    boolean isOwnedBy(SimulatedProcess process) {
        boolean shows = world.quorum()
                .tree()
                .node(tree.instance(process.instanceId()))
                .filter(node -> node.ephemeralOwner() == process.connection().sessionId())
                .isPresent();
        return shows && owners().containsValue(process.instanceId());
    }

    Map<Integer, String> owners() {
        return InForce.at(world.quorum().tree(), tree)
                .<Map<Integer, String>>map(plan -> new TreeMap<>(plan.owners()))
                .orElseGet(Map::of);
    }

    void isOwnedAs(Map<Integer, String> before, String when) {
        require(owners().equals(before), "placement, nothing moves %s: %s became %s".formatted(when, before, owners()));
    }

    /** These items; others may have moved. */
    void areStillOwnedAs(Map<Integer, String> before, String when) {
        Map<Integer, String> now = new TreeMap<>(owners());
        now.keySet().retainAll(before.keySet());
        require(
                now.equals(before),
                "placement, nothing that waits moves %s: %s became %s".formatted(when, before, now));
    }

    void isOwnedByMembers(String when) {
        Replica now = world.quorum().tree();
        owners().forEach((item, owner) -> ownedByLivingMember(now, item, owner, when));
    }

    /** Unless an operator has ended the job there: that is for good. */
    private void takesPart(SimulatedProcess process, String when) {
        require(
                world.scenario().has(Fault.INSTANCE_REMOVED) || hasMember(process),
                "P4, progress: %s has the job, but takes no part in it %s".formatted(process.name(), when));
    }

    private void ownedByLivingMember(Replica now, int item, String owner, String when) {
        boolean lives = now.node(tree.instance(owner))
                .map(RegistryNode::ephemeralOwner)
                .filter(session -> world.living().stream()
                        .anyMatch(process -> process.connection().sessionId() == session))
                .isPresent();
        require(lives, "P4, progress: item %d is owned by \"%s\", which isn't there, %s".formatted(item, owner, when));
    }

    /** Who has a wrong clock shows that, and owns nothing. */
    void isOwnedWhereTheClockIsRight() {
        Replica now = world.quorum().tree();
        Map<Integer, String> owners = owners();
        world.living()
                .forEach(process -> now.children(tree.instances()).orElse(List.of()).stream()
                        .filter(id -> now.node(tree.instance(id))
                                .filter(node -> node.ephemeralOwner()
                                        == process.connection().sessionId())
                                .isPresent())
                        .forEach(id -> {
                            boolean wrong = process.hasAWrongClock();
                            boolean shown = NodeCodec.clockDiffers(
                                    now.node(tree.instance(id)).orElseThrow().text());
                            require(
                                    wrong == shown,
                                    "clocks: %s is wrong (%b), and shows %b".formatted(id, wrong, shown));
                            require(!wrong || !owners.containsValue(id), "clocks: %s owns items".formatted(id));
                        }));
    }

    private void itemSettled(Replica now, InForce plan, int item, boolean failover, String when, Duration grace) {
        Optional<RegistryNode> node = now.node(tree.item(item));
        require(node.isPresent(), "P4, progress: there is no item %d %s".formatted(item, when));
        if (node.isEmpty() || now.node(tree.disabled(item)).isPresent()) {
            return;
        }
        Recorded recorded = Recorded.of(node.get());
        boolean waitsRightly = recorded.is("INTERRUPTED") && !failover;
        boolean executing = oracle.active().stream()
                .anyMatch(each -> each.item() == item && each.cause().equals(recorded.cause()));
        require(
                recorded.isOver()
                        || waitsRightly
                        || pauses(node.get(), recorded)
                        || executing
                        || isYoung(recorded, grace)
                        || isYoungRun(node.get(), recorded, grace),
                "P3, no firing lost: item %d is stuck %s: %s".formatted(item, when, recorded));
        boolean locked = now.node(tree.running(item)).isPresent();
        require(
                !locked || recorded.is("RUNNING"),
                "a healthy cluster settles: item %d is locked %s, but %s".formatted(item, when, recorded));
        // With failover off nobody looks for what somebody else has put there, but in a reconcile round.
        require(
                !failover || now.node(tree.failoverItem(item)).isEmpty() || recorded.is("INTERRUPTED"),
                "a healthy cluster settles: the failover item of item %d is left over %s".formatted(item, when));
        require(
                now.node(tree.failover(item)).isEmpty() || recorded.is("RUNNING"),
                "a healthy cluster settles: item %d is shown as taken over %s, but %s".formatted(item, when, recorded));
        if (!plan.monitored()) {
            return;
        }
        Instant limit = world.time().instant().minus(grace).minus(allowance);
        Instant clocks = world.time().instant().plus(allowance);
        Optional<Instant> due = plan.latestDue(limit)
                .filter(firing -> misfire || firing.isAfter(calmSince))
                .filter(firing -> overlap != Overlap.SKIP || !recorded.wasBusyAt(firing, clocks));
        boolean behind = due.filter(firing -> !oracle.firings().isOver(item, firing))
                        .isPresent()
                && (recorded.scheduledAt() == null || recorded.scheduledAt().isBefore(due.get()));
        require(!behind, "lateness: item %d has not started for %s %s: %s".formatted(item, due, when, recorded));
    }

    /** What has crashed again is left alone for a while: 5 s after the second crash, and twice as long each time. */
    private boolean pauses(RegistryNode record, Recorded recorded) {
        if (!recorded.is("INTERRUPTED") || recorded.crashes() < 2) {
            return false;
        }
        Duration pause = Duration.ofSeconds(5L << (recorded.crashes() - 2)).plus(allowance);
        return record.modified().plus(pause).isAfter(world.time().instant());
    }

    private boolean isYoung(Recorded recorded, Duration grace) {
        return recorded.scheduledAt() != null
                && !recorded.scheduledAt()
                        .isBefore(world.time().instant().minus(grace).minus(allowance));
    }

    /** Of a job with a delay, whose firings are runs. */
    private boolean isYoungRun(RegistryNode node, Recorded recorded, Duration grace) {
        return recorded.runId() != null
                && recorded.runId().startsWith("delay-")
                && !node.modified().isBefore(world.time().instant().minus(grace).minus(allowance));
    }

    void everyFiringStartedInTime(Instant healthy) {
        Replica now = world.quorum().tree();
        Optional<InForce> plan = InForce.at(now, tree);
        if (world.violation().isPresent() || plan.isEmpty()) {
            return;
        }
        oracle.delays().followInTime(healthy, allowance);
        Instant last = world.time().instant().minus(allowance);
        Optional<Instant> firing = plan.get().schedule().nextAfter(healthy);
        while (firing.isPresent() && firing.get().isBefore(last)) {
            for (Map.Entry<Integer, String> item : plan.get().owners().entrySet()) {
                if (now.node(tree.disabled(item.getKey())).isEmpty()) {
                    startedInTime(item.getKey(), firing.get());
                }
            }
            firing = plan.get().schedule().nextAfter(firing.get());
        }
    }

    /** Instances of other zones have to give up what they own. */
    void isChosenIn(String zone) {
        new Operator(world, tree, new Random(0)).runOn("zone=" + zone);
    }

    /** For that firing or, where its new owner's clock is slightly ahead, for a later one that it is folded into. */
    void wentOnInTime(int item, Instant firing) {
        boolean began = oracle.begun().stream()
                .filter(each -> each.item() == item)
                .filter(each -> !each.scheduledAt().isBefore(firing))
                .anyMatch(each -> !each.began().isAfter(firing.plus(allowance)));
        require(began, "lateness: item %d did not start in time for %s".formatted(item, firing));
    }

    private void startedInTime(int item, Instant firing) {
        boolean started = oracle.begun().stream()
                .filter(each -> each.item() == item)
                .filter(each -> each.scheduledAt().equals(firing))
                .anyMatch(each -> !each.began().isAfter(firing.plus(allowance)));
        require(started, "lateness: item %d did not start in time for %s".formatted(item, firing));
    }

    // ------------------------------------------------------------------ a pause

    /** What falls due while operators have paused the job, or disabled all servers, is not missed: nobody runs it, then or later. */
    void isPausedFor(Duration pause) {
        Operator operator = new Operator(world, tree, new Random(0));
        Scenario scenario = world.scenario();
        String node = scenario.pausesNamespace() ? JobTree.namespacePaused() : tree.paused();
        if (scenario.pausesByNode()) {
            operator.pause(node);
        } else {
            operator.switchAllServers("DISABLED");
        }
        world.pass(allowance);
        Instant paused = world.time().instant();
        world.pass(pause);
        if (scenario.pausesByNode()) {
            operator.resume(node);
        } else {
            operator.switchAllServers("ENABLED");
        }
        // A fixed delay is due when the pause ends: at the time of the resume, by the registry's milliseconds.
        Instant resumed = world.time().instant().minus(WRITING);
        world.pass(JOINING);
        oracle.begun().stream()
                .filter(each -> each.token() != 0 && each.attempt() == 1)
                .filter(each -> each.began().isAfter(paused)
                        && each.scheduledAt().isAfter(paused)
                        && each.scheduledAt().isBefore(resumed))
                .findFirst()
                .ifPresent(each -> require(false, "what fell due in a pause is run: " + each));
    }

    // ------------------------------------------------------------------ joining

    /** What the other items have begun is not for the new one. */
    void oneItemJoins() {
        Optional<Instant> seen = seenByAll();
        Optional<Integer> joined = seen.flatMap(firing -> new Operator(world, tree, new Random(0)).addItem());
        joined.ifPresent(item -> {
            world.pass(JOINING);
            boolean repeats = oracle.begun().stream()
                    .anyMatch(each -> each.item() == item
                            && each.began().isAfter(world.time().instant().minus(JOINING))
                            && !each.scheduledAt().isAfter(seen.orElseThrow()));
            require(!repeats, "a new item repeats what the others have begun: item " + item);
        });
    }

    /** The latest firing that each item has begun, if there is one. */
    private Optional<Instant> seenByAll() {
        Replica now = world.quorum().tree();
        Optional<InForce> plan = InForce.at(now, tree);
        List<Optional<Instant>> seen = plan.stream()
                .flatMap(inForce -> inForce.owners().keySet().stream())
                .map(item -> now.node(tree.item(item))
                        .map(Recorded::of)
                        .flatMap(record -> Optional.ofNullable(record.scheduledAt())))
                .toList();
        return seen.stream().allMatch(Optional::isPresent)
                ? seen.stream().flatMap(Optional::stream).min(Instant::compareTo)
                : Optional.empty();
    }

    // ------------------------------------------------------------------ leaving

    Optional<Instant> nextFiring() {
        return InForce.at(world.quorum().tree(), tree)
                .flatMap(plan -> plan.schedule().nextAfter(world.time().instant()));
    }

    /** What a process owns and doesn't execute, if a firing comes soon, but not before others can have a new plan. */
    List<Integer> idleItemsBeforeAFiring(SimulatedProcess process) {
        Instant now = world.time().instant();
        boolean soon = nextFiring()
                .filter(firing -> firing.isAfter(now.plusMillis(600)) && firing.isBefore(now.plusMillis(1_500)))
                .isPresent();
        if (!soon || !process.skew().isZero() || !hasMember(process)) {
            return List.of();
        }
        Replica tree = world.quorum().tree();
        Optional<InForce> plan = InForce.at(tree, this.tree).filter(InForce::monitored);
        return plan.stream()
                .flatMap(inForce -> inForce.owners().entrySet().stream())
                .filter(owner -> owner.getValue().equals(process.instanceId()))
                .map(Map.Entry::getKey)
                .filter(item -> tree.node(this.tree.running(item)).isEmpty())
                .filter(item -> tree.node(this.tree.disabled(item)).isEmpty())
                // One that has an open firing to run isn't idle: that one comes first, and takes as long as it takes.
                .filter(item -> !oracle.firings().awaits(item))
                .filter(item -> !isDelayed(item, plan.orElseThrow()))
                .filter(item -> Recorded.of(tree.node(this.tree.item(item)).orElseThrow())
                        .isOver())
                .toList();
    }

    /** Whether its jitter still delays a firing that has come: that one comes first, too. */
    private boolean isDelayed(int item, InForce plan) {
        Instant seen = world.quorum()
                .tree()
                .node(tree.item(item))
                .map(Recorded::of)
                .flatMap(record -> Optional.ofNullable(record.scheduledAt()))
                .orElse(Instant.MIN);
        return !world.scenario().jitter().isZero()
                && plan.latestDue(world.time().instant()).filter(seen::isBefore).isPresent();
    }

    // ------------------------------------------------------------------ take-overs

    boolean isLedBy(SimulatedProcess process) {
        return world.quorum()
                .tree()
                .node(tree.leader())
                .filter(node -> node.ephemeralOwner() == process.connection().sessionId())
                .isPresent();
    }

    boolean hasMember(SimulatedProcess process) {
        Replica now = world.quorum().tree();
        return now.children(tree.instances()).orElseThrow().stream()
                .flatMap(id -> now.node(tree.instance(id)).stream())
                .anyMatch(node -> node.ephemeralOwner() == process.connection().sessionId());
    }

    /** What is interrupted for the first time is owed at once, unless its item is disabled. */
    void owesTakeoversOf(List<SimulatedProcess> dying) {
        Replica now = world.quorum().tree();
        boolean failover = InForce.definition(now, tree).failover();
        owed = oracle.active().stream()
                .filter(each -> failover && each.token() != 0 && each.attempt() == 1 && dying.contains(each.process()))
                .filter(each -> now.node(tree.running(each.item()))
                        .filter(lock -> lock.czxid() == each.token())
                        .isPresent())
                .filter(each -> now.node(tree.disabled(each.item())).isEmpty())
                .toList();
    }

    void disableWhatIsOwed() {
        disable(owed.stream().map(Execution::item).collect(Collectors.toSet()));
    }

    // ------------------------------------------------------------------ disabled items

    void disable(Set<Integer> items) {
        disabled = new TreeSet<>(items);
        disabled.removeIf(item -> world.quorum().tree().node(tree.item(item)).isEmpty());
        disabled.forEach(item -> commit(RegistryCommit.builder().create(tree.disabled(item), "")));
    }

    void enable() {
        disabled.forEach(
                item -> commit(RegistryCommit.builder().delete(tree.disabled(item), RegistryCommit.ANY_VERSION)));
        disabled = Set.of();
    }

    private void commit(RegistryCommit.Builder commit) {
        RegistryCommit built = commit.build();
        CommitOutcome outcome = world.quorum().commit(0, built);
        world.trace().note("operator", () -> Trace.describe(built) + " -> " + outcome);
    }

    void disabledOnesHaveNotBegun(Instant noticed) {
        oracle.begun().stream()
                .filter(each -> disabled.contains(each.item()) && each.began().isAfter(noticed))
                .forEach(each -> require(
                        false,
                        "an operator's word: a disabled item is %s: %s"
                                .formatted(each.attempt() > 1 ? "taken over" : "claimed", each)));
    }

    void everyTakeoverHasBegun() {
        for (Execution interrupted : owed) {
            boolean begun = oracle.begun().stream()
                    .anyMatch(each -> each.item() == interrupted.item()
                            && each.cause().equals(interrupted.cause())
                            && each.attempt() > interrupted.attempt());
            boolean cancelled = oracle.cancels().hasReached(interrupted);
            require(begun || cancelled, "lateness: nobody has taken over " + interrupted);
        }
    }

    /** What was asked for has run by now, and whoever awaits it knows. */
    void everyRunIsOver() {
        oracle.backfills().isOver();
        if (world.violation().isPresent()) {
            return;
        }
        Replica now = world.quorum().tree();
        InForce.at(now, tree).orElseThrow().owners().keySet().stream()
                .filter(item -> now.node(tree.disabled(item)).isEmpty())
                .forEach(item -> require(
                        now.node(tree.trigger(item))
                                .filter(waiting -> !oracle.delays().isFresh(waiting, allowance))
                                .isEmpty(),
                        "P4, progress: a manual run still waits for item " + item));
        oracle.runs().everyWaitIsOver();
    }

    void everyLossWasTold() {
        if (world.violation().isEmpty()) {
            oracle.losses().untold(world.time().instant()).ifPresent(oracle::violated);
        }
    }

    private void require(boolean holds, String promise) {
        if (!holds) {
            oracle.violated(promise);
        }
    }
}
