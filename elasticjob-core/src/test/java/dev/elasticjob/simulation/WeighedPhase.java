package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a process with a capacity does once nothing goes wrong any more: it counts what it has, and where there is more to do
 * than it has room for, what asked first begins first, as soon as there is room for it.
 */
final class WeighedPhase {
    private static final Duration TICK = Duration.ofMillis(50);
    /** Until all have left, and those that stay have their items. */
    private static final Duration LEAVING = Duration.ofSeconds(14);
    /** Until new settings are planned, and read. */
    private static final Duration DEFINING = Duration.ofSeconds(4);

    /** For which it is judged who helps. */
    private static final Duration HELPING = Duration.ofSeconds(30);

    private final World world;
    private final Scenario scenario;
    private final List<JobTree> jobs;
    private final CapacityChain chain;

    WeighedPhase(World world, Scenario scenario) {
        this.world = world;
        this.scenario = scenario;
        this.jobs = world.oracles().stream().map(Oracle::tree).toList();
        this.chain = world.oracles().get(0).capacity();
    }

    /**
     * Each process comes to a moment at which it counts what its locks weigh. One that leaves may have closed its registry
     * before an end was written: it never starts anything again.
     */
    void everyProcessCountsRightly() {
        List<SimulatedProcess> counting = new ArrayList<>(world.living());
        Instant giveUp = world.time().instant().plusSeconds(12);
        while (!counting.isEmpty() && isGoingOn() && world.time().instant().isBefore(giveUp)) {
            counting.removeIf(process -> !process.isAlive() || process.isLeaving() || countsRightly(process));
            world.pass(TICK);
        }
        counting.stream()
                .filter(process -> isGoingOn())
                .forEach(process -> world.oracles()
                        .get(0)
                        .violated("capacity: %s counts %d, and its locks weigh %d"
                                .formatted(
                                        process.name(),
                                        process.engine().figures().capacityUsed(),
                                        chain.weightOf(process.connection().sessionId()))));
    }

    private boolean countsRightly(SimulatedProcess process) {
        return process.engine().figures().capacityLimit().isEmpty()
                || process.engine().figures().capacityUsed()
                        == chain.weightOf(process.connection().sessionId());
    }

    /** All weigh little, so that there is room for whatever comes next. */
    void becomesLight() {
        jobs.forEach(tree -> new Operator(world, tree, new Random(0)).weigh(1));
        world.pass(DEFINING);
    }

    /** One process has more to do than it has room for. Nothing but what it does itself helps those that wait. */
    void whatAskedFirstBeginsFirst() {
        boolean starts = jobs.stream()
                .allMatch(tree -> world.quorum().tree().node(tree.config()).isPresent());
        if (!isGoingOn() || !starts || scenario.isOneOff() || scenario.opensFirings() || scenario.hasListener()) {
            return;
        }
        SimulatedProcess process = oneWithACapacityStays();
        int all = world.traits(process).capacity().orElseThrow();
        world.takeUpTo(Duration.ofSeconds(4));
        weigh(3, 2, all);
        chain.judges(process);
        watch(Duration.ofSeconds(40));
        chain.beginsAnew();
        weigh(6, 5, all);
        watch(Duration.ofSeconds(20));
        chain.everythingIsForgotten();
        whoeverHasRoomHelps(all);
        world.takeUpTo(Duration.ofMillis(300));
        world.pass(Duration.ofSeconds(8));
        everyProcessCountsRightly();
        becomesLight();
    }

    /** Others come, of which each has more room than it needs, at times. */
    private void whoeverHasRoomHelps(int heaviest) {
        Set<String> leftOver = offers();
        int number = 0;
        for (int more = 0; more < 2; number++) {
            SimulatedProcess process = world.start("10.0.8." + number + "@-@1", Duration.ZERO);
            more += world.traits(process).capacity().isPresent() ? 1 : 0;
        }
        weigh(3, 2, heaviest);
        Instant end = world.time().instant().plus(HELPING);
        while (isGoingOn() && world.time().instant().isBefore(end)) {
            world.pass(TICK);
            chain.lookForHelp(jobs, world.living());
        }
        chain.everythingIsForgotten();
        world.takeUpTo(Duration.ofMillis(300));
        world.pass(Duration.ofSeconds(8));
        nothingIsOffered(leftOver);
    }

    /**
     * What is over isn't offered any more: there is a moment between two firings at which nothing is. What was left over while
     * things went wrong may be, until somebody looks.
     */
    private void nothingIsOffered(Set<String> leftOver) {
        Instant giveUp = world.time().instant().plusSeconds(6);
        Set<String> offers = fresh(leftOver);
        while (!offers.isEmpty() && isGoingOn() && world.time().instant().isBefore(giveUp)) {
            world.pass(TICK);
            offers = fresh(leftOver);
        }
        if (isGoingOn() && !offers.isEmpty()) {
            world.oracles().get(0).violated("capacity, offers: %s are there, and nothing waits".formatted(offers));
        }
    }

    private Set<String> fresh(Set<String> leftOver) {
        Set<String> offers = offers();
        offers.removeAll(leftOver);
        return offers;
    }

    private Set<String> offers() {
        return jobs.stream()
                .flatMap(tree -> world.quorum().tree().children(tree.offers()).orElse(List.of()).stream()
                        .filter(offer -> isCarriedBySomebody(tree, offer))
                        .map(tree::offer))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What is heavier than each instance that the job chooses waits for good, and is offered for as long. Only instances with a
     * capacity help.
     */
    private boolean isCarriedBySomebody(JobTree tree, String offer) {
        JobDefinition job = InForce.definition(world.quorum().tree(), tree);
        int weight = JobTree.ItemOffer.of(offer)
                .map(offered -> job.weightOf(offered.item()))
                .orElse(0);
        return world.living().stream()
                .filter(process -> world.quorum()
                        .tree()
                        .node(tree.instance(process.instanceId()))
                        .isPresent())
                .map(world::traits)
                .filter(traits -> job.instances().matches(InstanceLabels.of(traits.labels())))
                .anyMatch(traits -> traits.capacity().orElse(0) >= weight);
    }

    private boolean isGoingOn() {
        return world.violation().isEmpty();
    }

    private SimulatedProcess oneWithACapacityStays() {
        SimulatedProcess stays = world.start("10.0.7.1@-@1", Duration.ZERO);
        for (int more = 2; world.traits(stays).capacity().isEmpty(); more++) {
            stays = world.start("10.0.7." + more + "@-@1", Duration.ZERO);
        }
        SimulatedProcess last = stays;
        world.pass(DEFINING);
        world.living().stream().filter(process -> process != last).forEach(process -> {
            world.note(process.name(), "leaves one alone that has a capacity");
            process.stop(() -> world.note(process.name(), "has left"));
        });
        world.pass(LEAVING);
        return last;
    }

    /**
     * In every other life, the jobs go on choosing their instances: the one that stays may not be among them.
     *
     * @param heaviest what item 0 of the first job weighs: all there is on the one that stays
     */
    private void weigh(int first, int second, int heaviest) {
        for (JobTree tree : jobs) {
            JobDefinition before = InForce.definition(world.quorum().tree(), tree);
            boolean isFirst = tree.jobName().equals(Scenario.JOB);
            new Operator(world, tree, new Random(0))
                    .define(JobDefinition.builder(tree.jobName())
                            .cron(isFirst ? "0/5 * * * * ?" : "0/3 * * * * ?")
                            .timeZone(ZoneOffset.UTC)
                            .shardingTotalCount(isFirst && jobs.size() == 1 ? 6 : 4)
                            .misfire(true)
                            .runOn(scenario.seed() % 2 == 0 ? "" : before.runOn())
                            .weight(isFirst ? first : second)
                            .itemWeights(isFirst ? "0=" + heaviest : "")
                            .build());
        }
        world.pass(DEFINING);
    }

    private void watch(Duration time) {
        Instant end = world.time().instant().plus(time);
        while (isGoingOn() && world.time().instant().isBefore(end)) {
            world.pass(TICK);
            chain.look(jobs);
        }
    }
}
