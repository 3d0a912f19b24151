package dev.elasticjob.simulation;

import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.OpenWork;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.DemandReader;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The demand is what is there to be done: while instances run and all is calm it is nothing, and once all have stopped, the
 * next one starts just that.
 */
final class DemandOracle {
    /** No server asks what a dead client has to do. */
    private static final Duration SESSIONS_OVER =
            World.SESSION_TIMEOUT.multipliedBy(2).plusSeconds(8);

    /** From the start of a process to the start of an item that is due. */
    private static final Duration STARTING = Duration.ofMillis(2_500);

    /** Until nothing is left of what somebody who has come has begun. */
    private static final Duration CALM = Duration.ofSeconds(6);

    /** Of pods that end by themselves. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(40);

    /** From many pods to none and back. */
    private static final int ROUNDS = 2;

    private final World world;
    private final Scenario scenario;
    private final Registry looks;
    private final Random random;
    private final MadController controller;

    DemandOracle(World world, Scenario scenario, Flaw flaw) {
        this.world = world;
        this.scenario = scenario;
        this.looks = flaw.shown(new QuorumReads(world.quorum()));
        this.random = new Random(scenario.seed() * 13 + 5);
        this.controller = new MadController(world, scenario, random, started -> {}, () -> {});
    }

    void run() {
        if (world.violation().isPresent() || world.quorum().isPardoned()) {
            return;
        }
        nothingIsOpenWhileAllIsCalm();
        if (scenario.has(Fault.MAD_CONTROLLER)) {
            podsAreThereOnlyAsLongAsTheyAreNeeded();
            for (int i = 0; i < ROUNDS; i++) {
                allPodsEndAndOthersCome();
            }
        }
        everybodyStops();
        whatIsOpenIsWhatBegins(this::somebodyComes);
    }

    /** Nobody is there. */
    private void whatIsOpenIsWhatBegins(Runnable somebodyComes) {
        Map<JobTree, OpenWork> asked = new TreeMap<>(Comparator.comparing(JobTree::jobName));
        world.oracles().forEach(oracle -> asked.put(oracle.tree(), demand(oracle.tree())));
        Instant now = world.time().instant();
        asked.forEach((tree, work) -> {
            world.note("demand", tree.jobName() + ": " + work);
            require(
                    world.oracle(tree.jobName()),
                    work.running().isEmpty(),
                    "nobody is there, and these are claimed: " + work.running());
        });
        Map<JobTree, Integer> before = asked.keySet().stream()
                .collect(Collectors.toMap(tree -> tree, tree -> begun(tree).size()));
        somebodyComes.run();
        Instant until = asked.values().stream()
                .flatMap(work -> work.nextDue().stream())
                .map(due -> due.minusMillis(1))
                .filter(now.plus(STARTING)::isAfter)
                .min(Instant::compareTo)
                .orElse(now.plus(STARTING));
        world.settle();
        if (until.isAfter(now)) {
            world.pass(Duration.between(now, until));
        }
        asked.forEach((tree, work) -> nothingElseBegins(tree, work, before.get(tree)));
        world.pass(STARTING);
        asked.forEach((tree, work) -> everyOpenItemBegins(tree, work, before.get(tree), now));
    }

    /**
     * At two moments in a row: a firing may come just now. With a clock that is off, nobody starts what is due by the right
     * one.
     */
    private void nothingIsOpenWhileAllIsCalm() {
        world.settle();
        if (!scenario.skew().isZero() || world.violation().isPresent()) {
            return;
        }
        Map<String, OpenWork> first = opened();
        if (!first.isEmpty()) {
            world.pass(STARTING);
            Map<String, OpenWork> still = opened();
            world.oracles().stream()
                    .filter(oracle -> first.containsKey(oracle.tree().jobName()))
                    .filter(oracle -> still.containsKey(oracle.tree().jobName()))
                    .forEach(oracle -> require(
                            oracle,
                            false,
                            "while all is calm, nothing is open, but %s is"
                                    .formatted(still.get(oracle.tree().jobName()))));
        }
    }

    private Map<String, OpenWork> opened() {
        Map<String, OpenWork> open = new TreeMap<>();
        for (Oracle oracle : world.oracles()) {
            OpenWork work = demand(oracle.tree());
            if (!work.open().isEmpty()) {
                open.put(oracle.tree().jobName(), work);
            }
        }
        return open;
    }

    /** In the middle of their work; perhaps more is asked for, or the job is paused. */
    private void everybodyStops() {
        if (random.nextBoolean()) {
            world.takeUpTo(Duration.ofSeconds(9));
            world.pass(Duration.ofMillis(random.nextInt(9_000)));
        }
        List<SimulatedProcess> living = world.living();
        aRunIsAskedFor(living);
        living.forEach(world::crash);
        world.pass(SESSIONS_OVER.plusMillis(random.nextInt(12_000)));
        if (random.nextInt(6) == 0) {
            new Operator(world, world.oracles().get(0).tree(), new Random(0)).pauseWithNobodyThere();
        }
        world.takeUpTo(Duration.ofMillis(300));
    }

    /** Perhaps. */
    private void aRunIsAskedFor(List<SimulatedProcess> living) {
        if (random.nextInt(3) == 0 && !living.isEmpty()) {
            Oracle first = world.oracles().get(0);
            first.runs().asks("demand", "");
            living.get(0).admin().trigger(first.tree().jobName(), new RunRequest("demand", ""));
            world.settle();
        }
    }

    // ------------------------------------------------------------------ pods

    /**
     * Some that end by themselves: none of them does while there is something to be done, and all do when there is nothing,
     * until something comes due.
     */
    private void podsAreThereOnlyAsLongAsTheyAreNeeded() {
        if (!scenario.rebalanceDelay().isZero()) {
            return;
        }
        podsEnd();
        Duration idleAfter = Duration.ofMillis(1_000 + random.nextInt(3_000));
        controller.startUntilIdle(2 + random.nextInt(2), idleAfter, () -> nothingIsToBeDoneFor(idleAfter));
        Duration patience = idleAfter.multipliedBy(2).plus(STARTING);
        Instant needed = world.time().instant();
        Instant end = needed.plus(LONGEST_LOOK);
        Instant due = needed;
        while (!world.living().isEmpty()
                && world.time().instant().isBefore(end)
                && world.violation().isEmpty()) {
            Instant now = world.time().instant();
            due = due();
            needed = due.isAfter(now.plus(idleAfter)) ? needed : now;
            require(
                    world.oracles().get(0),
                    !needed.plus(patience).isBefore(now),
                    "since %s, nothing is to be done before %s, and pods that end after %s are there"
                            .formatted(needed, due, idleAfter));
            world.pass(Duration.ofMillis(250));
        }
        if (world.living().isEmpty() && world.time().instant().isBefore(due)) {
            world.settle();
            opened().forEach((job, work) ->
                    require(world.oracle(job), false, "all pods have ended by themselves, and this is left: " + work));
        }
    }

    /**
     * Unless something has just ended elsewhere: what follows from that, the one that leaves need not have seen. What is for
     * instances of another zone is none of its business.
     */
    private void nothingIsToBeDoneFor(Duration time) {
        Instant now = world.time().instant();
        boolean calm = world.oracles().stream()
                .allMatch(oracle -> oracle.active().isEmpty()
                        && oracle.begun().stream()
                                .noneMatch(execution -> execution.began().isAfter(now.minus(STARTING))));
        Instant due = due();
        require(
                world.oracles().get(0),
                !calm || scenario.choosesInstances() || due.isAfter(now.plus(time)),
                "a pod that ends when nothing is to be done for %s ends, and %s is to be done".formatted(time, due));
    }

    /** Perhaps an item is disabled while nobody is there. */
    private void allPodsEndAndOthersCome() {
        podsEnd();
        SettledJob first = new SettledJob(world, world.oracles().get(0), Duration.ZERO);
        first.disable(random.nextInt(3) == 0 ? Set.of(0) : Set.of());
        whatIsOpenIsWhatBegins(this::podsCome);
        first.enable();
        world.pass(CALM);
        nothingIsOpenWhileAllIsCalm();
    }

    /** When something has to be done: now, if it is open or runs. */
    private Instant due() {
        Instant now = world.time().instant();
        return world.oracles().stream()
                .map(oracle -> demand(oracle.tree()))
                .map(work -> work.open().isEmpty() && work.running().isEmpty()
                        ? work.nextDue().orElse(Instant.MAX)
                        : now)
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /** All of them, in the middle of their work, and as the controller likes. */
    private void podsEnd() {
        world.living().stream().filter(SimulatedProcess::isLeaving).forEach(world::exits);
        world.takeUpTo(Duration.ofSeconds(9));
        world.pass(Duration.ofMillis(random.nextInt(9_000)));
        aRunIsAskedFor(world.living());
        boolean inGoodOrder = random.nextBoolean() && scenario.rebalanceDelay().isZero();
        if (inGoodOrder) {
            world.living().forEach(controller::end);
        } else {
            controller.toZero();
        }
        world.takeUpTo(Duration.ofMillis(300));
        Instant over = world.time().instant().plus(SESSIONS_OVER).plusMillis(random.nextInt(12_000));
        boolean asksAtOnce = false;
        while (!asksAtOnce
                && world.time().instant().isBefore(over)
                && world.violation().isEmpty()) {
            world.pass(Duration.ofMillis(250));
            asksAtOnce = inGoodOrder && world.living().isEmpty() && nobodyHoldsAnything();
        }
    }

    /** If none of them was killed before it had left, nothing waits for the end of a session. */
    private boolean nobodyHoldsAnything() {
        return world.oracles().stream()
                .map(Oracle::tree)
                .allMatch(tree -> demand(tree).running().isEmpty()
                        && world.quorum()
                                .tree()
                                .children(tree.instances())
                                .orElse(List.of())
                                .isEmpty());
    }

    private void podsCome() {
        controller.startInTime(zones() + random.nextInt(4));
    }

    /** Of each zone, so that a job finds the one that it chooses. */
    private void somebodyComes() {
        IntStream.range(0, Math.max(2, zones()))
                .forEach(zone -> world.start("10.0.9.%d@-@1".formatted(4 + zone), Duration.ZERO));
    }

    /** So many processes, one after the other, are in all zones from which a job may choose. */
    private int zones() {
        return scenario.choosesInstances() ? Traits.zones(scenario) : 1;
    }

    private OpenWork demand(JobTree tree) {
        Instant now = world.time().instant();
        return new DemandReader(looks)
                .jobs(List.of(tree.jobName())).toCompletableFuture().join().stream()
                        .map(job -> OpenWork.of(job, looks.session().orElseThrow(), now, now))
                        .findFirst()
                        .orElseGet(() ->
                                new OpenWork(new TreeSet<>(), new TreeSet<>(), Optional.empty(), Optional.empty()));
    }

    /** Unless it is a firing that nobody knows of before another one has ended. */
    private void nothingElseBegins(JobTree tree, OpenWork work, int before) {
        boolean asksAtStart = scenario.runsAtStart() && tree.jobName().equals(Scenario.JOB);
        boolean known = work.open().isEmpty() || work.nextDue().isPresent();
        List<Execution> begun = begun(tree);
        begun.subList(before, begun.size()).stream()
                .filter(execution -> known && !asksAtStart && !work.open().contains(execution.item()))
                .forEach(execution -> require(
                        world.oracle(tree.jobName()),
                        false,
                        (work.open().isEmpty() ? "nothing" : "only " + work.open()) + " was open, and then begins "
                                + execution));
    }

    /** Or fails, because the listeners that come first do, or is recorded as ended. */
    private void everyOpenItemBegins(JobTree tree, OpenWork work, int before, Instant asked) {
        List<Execution> begun = begun(tree);
        List<Integer> items = begun.subList(before, begun.size()).stream()
                .map(Execution::item)
                .toList();
        Set<Integer> over = overSince(tree, asked);
        if (!over.isEmpty() && isDelayed(tree)) {
            // The delay begins with that, unless the leader was faster.
            return;
        }
        work.open().stream()
                .filter(item -> !items.contains(item) && !over.contains(item))
                .forEach(item -> require(
                        world.oracle(tree.jobName()), false, "item %d was open, and nobody starts it".formatted(item)));
    }

    private boolean isDelayed(JobTree tree) {
        return !InForce.definition(world.quorum().tree(), tree).fixedDelay().isZero();
    }

    /** The items that were refused since then, or of which an interrupted execution was given up. */
    private Set<Integer> overSince(JobTree tree, Instant asked) {
        return new DemandReader(looks)
                .jobs(List.of(tree.jobName())).toCompletableFuture().join().stream()
                        .flatMap(job -> job.leader().items().values().stream())
                        .filter(item -> Set.of(ItemState.FAILED, ItemState.INTERRUPTED)
                                        .contains(item.current().state())
                                && !item.recorded().isBefore(asked.truncatedTo(ChronoUnit.MILLIS)))
                        .map(ItemView::item)
                        .collect(Collectors.toSet());
    }

    private List<Execution> begun(JobTree tree) {
        return world.oracle(tree.jobName()).begun();
    }

    private void require(Oracle oracle, boolean holds, String what) {
        if (!holds && world.violation().isEmpty()) {
            oracle.violated("demand: " + what);
        }
    }
}
