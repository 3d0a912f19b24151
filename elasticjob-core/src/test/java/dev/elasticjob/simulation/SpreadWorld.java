package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.simulation.Connection.Exchange;
import dev.elasticjob.simulation.Mishaps.Mishap;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster whose jobs of one item are spread over its instances, while processes crash, are cut off, and answers get lost.
 * The oracle: no move that doesn't even out; and once all is well, all have the same but for one, and nothing moves that
 * needn't.
 */
final class SpreadWorld implements AutoCloseable {
    private static final int JOBS = 12;
    private static final Duration TROUBLE = Duration.ofSeconds(40);
    private static final Duration CALM = World.SESSION_TIMEOUT.multipliedBy(2).plusSeconds(20);
    private static final Duration REACTION = Duration.ofSeconds(15);
    /** A turn that was under way at that moment is over. */
    private static final Duration PARDON = Duration.ofSeconds(15);

    private static final int MOST_STEPS = 600_000;

    private final Random random;
    private final ManualTime time = new ManualTime(World.START);
    private final Steps steps;
    private final Network network;
    private final Trace trace;
    private final Flaw flaw;
    private final SpreadChain chain;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<String> jobs = IntStream.range(0, JOBS)
            .mapToObj(number -> "job" + number)
            .collect(Collectors.toCollection(ArrayList::new));
    private Optional<String> violation = Optional.empty();
    private boolean troubled = true;
    /** When a person has deleted the node, or a leader has lost its patience: plans of that moment may not agree. */
    private Optional<Instant> disagreed = Optional.empty();

    private int taken;
    private int impatient;

    SpreadWorld(long seed, Flaw flaw, boolean traced) {
        this.random = new Random(seed * 13 + 5);
        this.flaw = flaw;
        this.steps = new Steps(random);
        this.trace = new Trace(time, traced);
        this.network = new Network(time, random, steps, trace, World.SESSION_TIMEOUT, 3);
        this.chain = new SpreadChain(
                network.quorum(),
                () -> disagreed
                        .filter(at -> time.instant().isBefore(at.plus(PARDON)))
                        .isPresent(),
                this::violated);
        network.quorum().addWitness(chain);
    }

    /** What was promised and not kept, if anything. */
    Optional<String> live() {
        for (int i = 1; i <= 3; i++) {
            start("10.0.0." + i + "@-@1");
        }
        pass(Duration.ofSeconds(3));
        nextFault();
        time.after(Duration.ofMillis(random.nextInt(20_000)), this::somebodyDeletesTheNode);
        pass(TROUBLE);
        troubled = false;
        network.calmDown();
        pass(CALM);
        isEven("before an instance joins");
        start("10.0.9.1@-@1");
        pass(REACTION);
        isEven("after an instance has joined");
        anotherJoins();
        aJobIsAdded();
        oneLeaves();
        return violation;
    }

    // ------------------------------------------------------------------ the calm end

    private void anotherJoins() {
        start("10.0.9.2@-@1");
        pass(REACTION);
        isEven("after another instance has joined");
    }

    private void aJobIsAdded() {
        Map<String, String> before = chain.owners();
        jobs.add("added");
        living().forEach(process -> register(process.engine(), "added"));
        pass(REACTION);
        if (!moved(before).equals(Set.of("added"))) {
            violated("nothing moves when a job is added, but these did: " + moved(before));
        }
        isEven("after a job was added");
    }

    private void oneLeaves() {
        SimulatedProcess leaver = living().get(0);
        Map<String, String> before = chain.owners();
        leaver.stop(() -> trace.note(leaver.name(), () -> "has left"));
        pass(REACTION);
        Set<String> its = before.keySet().stream()
                .filter(job -> before.get(job).equals(leaver.instanceId()))
                .collect(Collectors.toCollection(TreeSet::new));
        if (!moved(before).equals(its)) {
            violated("an instance that leaves moves %s, its own items, but these moved: %s"
                    .formatted(its, moved(before)));
        }
        isEven("after an instance has left");
    }

    private Set<String> moved(Map<String, String> before) {
        Set<String> moved = new TreeSet<>();
        new TreeMap<>(chain.owners()).forEach((job, owner) -> {
            if (!owner.equals(before.get(job))) {
                moved.add(job);
            }
        });
        return moved;
    }

    private void isEven(String when) {
        Map<String, Long> loads = new TreeMap<>();
        living().forEach(process -> loads.put(process.instanceId(), chain.load(process.instanceId())));
        long all = loads.values().stream().mapToLong(Long::longValue).sum();
        long most = loads.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long least = loads.values().stream().mapToLong(Long::longValue).min().orElse(0);
        if (most - least > 1 || all != jobs.size()) {
            violated("spread: %s, %d jobs are spread as %s".formatted(when, jobs.size(), loads));
        }
    }

    private void violated(String what) {
        trace.note("oracle", () -> "VIOLATION: " + what);
        violation = violation.or(() -> Optional.of(what));
    }

    private void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (time.instant().isBefore(end) && violation.isEmpty()) {
            if (!steps.one()) {
                Duration left = Duration.between(time.instant(), end);
                Duration leap = time.nextTask()
                        .map(next -> Duration.between(time.instant(), next))
                        .orElse(left);
                time.advance(leap.compareTo(left) > 0 ? left : leap);
            } else if (random.nextInt(12) == 0) {
                time.advance(Duration.ofMillis(1));
            }
            if (++taken > MOST_STEPS) {
                violated("a healthy cluster settles: there is no end of it after " + taken + " steps");
            }
        }
    }

    // ------------------------------------------------------------------ processes and faults

    private List<SimulatedProcess> living() {
        return processes.stream()
                .filter(process -> process.isAlive() && !process.isLeaving())
                .toList();
    }

    private void start(String instanceId) {
        String ip = instanceId.substring(0, instanceId.indexOf('@'));
        String name = "p" + (processes.size() + 1);
        SimulatedProcess process =
                new SimulatedProcess(name, instanceId, ip, Duration.ZERO, time, steps, network, impatience());
        processes.add(process);
        process.connection().meet(mishaps(process));
        trace.note(name, () -> "starts");
        ElasticJobEngine engine = ElasticJobEngine.builder(process.registry())
                .instanceId(instanceId)
                .ip(ip)
                .clock(process.clock())
                .timer(process.engineTimer())
                .coordinationExecutor(process::coordinate)
                .workers(process.workers())
                .maxThreads(World.THREADS)
                .shutdownTimeout(Duration.ofSeconds(4))
                .build();
        jobs.forEach(job -> register(engine, job));
        process.run(engine);
    }

    private static void register(ElasticJobEngine engine, String job) {
        // Half of them name it, and for the others it is the default.
        engine.register(
                JobDefinition.builder(job)
                        .cron("0 0 0 1 1 ?")
                        .shardingTotalCount(1)
                        .jobShardingStrategyClass(job.hashCode() % 2 == 0 ? "SPREAD" : "")
                        .build(),
                context -> {});
    }

    private void nextFault() {
        time.after(Duration.ofMillis(100 + random.nextInt(5_000)), () -> {
            List<SimulatedProcess> living = living();
            if (troubled && !living.isEmpty()) {
                SimulatedProcess one = living.get(random.nextInt(living.size()));
                switch (random.nextInt(5)) {
                    case 0 -> crash(one);
                    case 1 -> one.connection().cut(Duration.ofMillis(random.nextInt(15_000)), Duration.ofMillis(50));
                    case 2 -> one.connection().stall(Duration.ofMillis(random.nextInt(3_000)));
                    case 3 -> one.pause(Duration.ofMillis(random.nextInt(8_000)));
                    default -> one.registry().session().ifPresent(session -> network.expire(session.id()));
                }
            }
            if (troubled) {
                nextFault();
            }
        });
    }

    /** Not in each world, and before others of its faults. */
    private void somebodyDeletesTheNode() {
        if (random.nextInt(3) == 0) {
            trace.note("a person", () -> "deletes the node of the loads");
            disagreed = Optional.of(time.instant());
            network.quorum()
                    .commit(
                            0,
                            RegistryCommit.builder()
                                    .delete(JobTree.namespaceLoads(), RegistryCommit.ANY_VERSION)
                                    .build());
        }
    }

    private void crash(SimulatedProcess process) {
        trace.note(process.name(), () -> "CRASHES");
        process.crash();
        time.after(
                Duration.ofMillis(random.nextInt(9_000)),
                () -> start("10.0.0.%d@-@%d".formatted(1 + random.nextInt(3), processes.size() + 10)));
    }

    /** The flaw, and an ear for plans that are made without checking what was planned meanwhile. */
    private Flaw impatience() {
        return registry -> new ChangedRegistry(flaw.apply(registry)) {
            private boolean compares;

            @Override
            public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                if (reads.contains(RegistryRead.data(JobTree.namespaceLoads()))) {
                    compares = reads.contains(RegistryRead.children(JobTree.NAMESPACE));
                }
                return super.read(reads);
            }

            @Override
            protected RegistryCommit sent(RegistryCommit commit) {
                if (compares
                        && commit.operations().stream()
                                .anyMatch(step -> step instanceof RegistryCommit.Operation.Set set
                                        && set.path().equals(JobTree.namespaceLoads())
                                        && set.version() == RegistryCommit.ANY_VERSION)) {
                    disagreed = Optional.of(time.instant());
                    impatient++;
                }
                return commit;
            }
        };
    }

    private Mishaps mishaps(SimulatedProcess process) {
        return new Mishaps() {
            @Override
            public Mishap next(Exchange<?> exchange) {
                if (!troubled) {
                    return Mishap.NONE;
                }
                if (random.nextInt(exchange.writes() ? 150 : 800) == 0) {
                    return random.nextBoolean() ? Mishap.CRASH_BEFORE : Mishap.CRASH_AFTER;
                }
                boolean loses = random.nextInt(exchange.writes() ? 12 : 80) == 0;
                return !loses ? Mishap.NONE : random.nextInt(3) == 0 ? Mishap.LOSE_REQUEST : Mishap.LOSE_ANSWER;
            }

            @Override
            public void crash() {
                SpreadWorld.this.crash(process);
            }
        };
    }

    /** The plans of leaders with a choice that were made without checking what was planned meanwhile. */
    int impatient() {
        return impatient;
    }

    String describe() {
        return Objects.requireNonNullElse(violation.orElse(null), "kept") + "\n" + String.join("\n", trace.lines());
    }

    @Override
    public void close() {
        processes.forEach(SimulatedProcess::bury);
    }
}
