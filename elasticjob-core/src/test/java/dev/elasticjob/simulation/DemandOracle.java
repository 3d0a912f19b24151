package dev.elasticjob.simulation;

import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.explain.OpenWork;
import dev.elasticjob.coordination.view.DemandReader;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

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

    private final World world;
    private final Scenario scenario;
    private final Registry looks;
    private final Random random;

    DemandOracle(World world, Scenario scenario, Flaw flaw) {
        this.world = world;
        this.scenario = scenario;
        this.looks = flaw.shown(new QuorumReads(world.quorum()));
        this.random = new Random(scenario.seed() * 13 + 5);
    }

    void run() {
        if (world.violation().isPresent() || world.quorum().isPardoned()) {
            return;
        }
        nothingIsOpenWhileAllIsCalm();
        everybodyStops();
        Map<JobTree, OpenWork> asked = new TreeMap<>(Comparator.comparing(JobTree::jobName));
        world.oracles().forEach(oracle -> asked.put(oracle.tree(), demand(oracle.tree())));
        Instant now = world.time().instant();
        asked.forEach((tree, work) -> world.note("demand", tree.jobName() + ": " + work));
        Map<JobTree, Integer> before = asked.keySet().stream()
                .collect(Collectors.toMap(tree -> tree, tree -> begun(tree).size()));
        somebodyComes();
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
        asked.forEach((tree, work) -> {
            if (work.open().isEmpty()) {
                nothingBegins(tree, before.get(tree));
            }
        });
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
        Oracle first = world.oracles().get(0);
        if (random.nextInt(3) == 0 && !living.isEmpty()) {
            first.runs().asks("demand", "");
            living.get(0).admin().trigger(first.tree().jobName(), new RunRequest("demand", ""));
            world.settle();
        }
        living.forEach(world::crash);
        world.pass(SESSIONS_OVER.plusMillis(random.nextInt(12_000)));
        if (random.nextInt(6) == 0) {
            new Operator(world, first.tree(), new Random(0)).pauseWithNobodyThere();
        }
        world.takeUpTo(Duration.ofMillis(300));
    }

    /** Of each zone, so that a job finds the one that it chooses. */
    private void somebodyComes() {
        world.start("10.0.9.4@-@1", Duration.ZERO);
        world.start("10.0.9.5@-@1", Duration.ZERO);
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

    private void nothingBegins(JobTree tree, int before) {
        Oracle oracle = world.oracle(tree.jobName());
        List<Execution> more = begun(tree);
        boolean asksAtStart = scenario.runsAtStart() && tree.jobName().equals(Scenario.JOB);
        require(
                oracle,
                asksAtStart || more.size() == before,
                "nothing was open, and then begins " + (more.size() > before ? more.get(before) : ""));
    }

    /** Or fails, because the listeners that come first do. */
    private void everyOpenItemBegins(JobTree tree, OpenWork work, int before, Instant asked) {
        List<Execution> begun = begun(tree);
        List<Integer> items = begun.subList(before, begun.size()).stream()
                .map(Execution::item)
                .toList();
        Set<Integer> refused = refusedSince(tree, asked);
        work.open().stream()
                .filter(item -> !items.contains(item) && !refused.contains(item))
                .forEach(item -> require(
                        world.oracle(tree.jobName()), false, "item %d was open, and nobody starts it".formatted(item)));
    }

    private Set<Integer> refusedSince(JobTree tree, Instant asked) {
        return new DemandReader(looks)
                .jobs(List.of(tree.jobName())).toCompletableFuture().join().stream()
                        .flatMap(job -> job.leader().items().values().stream())
                        .filter(item ->
                                item.current().isRefused() && !item.recorded().isBefore(asked))
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
