package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A cluster whose one job has items that take differently long, for hours. The oracle: after an hour, no instance has much more
 * than the mean; in no hour more than a twentieth of the items move for that, whoever leads; and hardly any once it is even.
 */
final class MeasuredWorld implements AutoCloseable {
    private static final JobTree TREE = new JobTree("orders");
    private static final int INSTANCES = 10;
    private static final int ITEMS = 200;
    private static final int LIMIT = ITEMS / 20;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONGEST = Duration.ofSeconds(100);
    /** Of Zipf's law: the second item takes 1.5 times less than the first one. */
    private static final double EXPONENT = 0.6;

    /** The largest share that counts as even, in proportion to the mean. */
    private static final double EVEN = 1.3;

    private static final int MOST_STEPS = 2_000_000;

    private final Random random;
    private final ManualTime time = new ManualTime(World.START);
    private final Steps steps;
    private final Network network;
    private final Flaw flaw;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private Optional<String> violation = Optional.empty();
    /** How long an item takes, more or less. */
    private IntToDoubleFunction seconds = item -> LONGEST.toSeconds() / Math.pow(item + 1, EXPONENT);

    private int taken;

    MeasuredWorld(long seed, Flaw flaw) {
        this.random = new Random(seed);
        this.flaw = flaw;
        this.steps = new Steps(random);
        this.network = new Network(time, random, steps, new Trace(time, false), World.SESSION_TIMEOUT, 3);
    }

    /** What was promised and not kept, if anything. */
    Optional<String> live() {
        for (int i = 0; i < INSTANCES; i++) {
            start("10.0.0." + i + "@-@1");
        }
        pass(Duration.ofMinutes(1));
        if (largest() < EVEN) {
            violated("the test is worth nothing: it is even at the beginning");
        }
        movesAtMost(LIMIT, "in the first hour", HOUR);
        isEven("after an hour");
        movesAtMost(LIMIT, "in the second hour", HOUR);
        movesAtMost(LIMIT, "in the third hour", HOUR);
        movesAtMost(LIMIT / 5, "once it is even", HOUR);
        isEven("after four hours");
        theLeaderIsReplaced();
        return violation;
    }

    /** The same where one instance begins with all that takes long, and may give away half of it in an hour. */
    Optional<String> liveUnevenly() {
        for (int i = 0; i < INSTANCES; i++) {
            start("10.0.0." + i + "@-@1");
        }
        pass(Duration.ofMinutes(1));
        Map<Integer, String> first = owners();
        seconds = item -> "10.0.0.0@-@1".equals(first.get(item)) ? LONGEST.toSeconds() : LONGEST.toSeconds() / 20.0;
        for (int hour = 1; hour <= 3; hour++) {
            movesAtMost(LIMIT, "in hour " + hour, HOUR);
        }
        isEven("after three hours");
        return violation;
    }

    /** Its own items move, and its successor's share; and for an hour, nothing else. */
    private void theLeaderIsReplaced() {
        String leader = network.quorum()
                .tree()
                .node(TREE.leader())
                .map(node -> node.text())
                .orElseThrow();
        long its = owners().values().stream().filter(leader::equals).count();
        Map<Integer, String> before = owners();
        processes.stream()
                .filter(process -> process.isAlive() && process.instanceId().equals(leader))
                .forEach(SimulatedProcess::crash);
        pass(World.SESSION_TIMEOUT.plusSeconds(20));
        if (moved(before) != its) {
            violated("measured: when a leader with %d items dies, %d move".formatted(its, moved(before)));
        }
        movesAtMost(0, "in the first hour of a leader", HOUR.minusMinutes(3));
        Map<Integer, String> shared = owners();
        start("10.0.0.99@-@1");
        pass(Duration.ofSeconds(20));
        long gets = owners().values().stream().filter("10.0.0.99@-@1"::equals).count();
        if (gets == 0 || moved(shared) != gets) {
            violated("measured: a newcomer gets %d items, and %d move".formatted(gets, moved(shared)));
        }
        isEven("after an instance has joined");
    }

    private void movesAtMost(int limit, String when, Duration duration) {
        Map<Integer, String> before = owners();
        pass(duration);
        if (moved(before) > limit) {
            violated("moves bounded: %s, %d items of %d move".formatted(when, moved(before), ITEMS));
        }
    }

    private int moved(Map<Integer, String> before) {
        Map<Integer, String> now = owners();
        return (int) now.entrySet().stream()
                .filter(item -> !item.getValue().equals(before.get(item.getKey())))
                .count();
    }

    private void isEven(String when) {
        if (largest() > EVEN) {
            violated("measured: %s, an instance has %.2f times the mean".formatted(when, largest()));
        }
    }

    /** The largest share, in proportion to the mean. */
    private double largest() {
        Map<String, Double> shares = new TreeMap<>();
        owners().forEach((item, owner) -> shares.merge(owner, seconds.applyAsDouble(item), Double::sum));
        double mean = IntStream.range(0, ITEMS).mapToDouble(seconds).sum() / INSTANCES;
        double most =
                shares.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return most / mean;
    }

    private Map<Integer, String> owners() {
        return InForce.at(network.quorum().tree(), TREE).map(InForce::owners).orElse(Map.of());
    }

    private void violated(String what) {
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
            }
            if (++taken > MOST_STEPS) {
                violated("a healthy cluster settles: there is no end of it after " + taken + " steps");
            }
        }
    }

    private void start(String instanceId) {
        String ip = instanceId.substring(0, instanceId.indexOf('@'));
        SimulatedProcess process =
                new SimulatedProcess("p" + processes.size(), instanceId, ip, Duration.ZERO, time, steps, network, flaw);
        processes.add(process);
        ElasticJobEngine engine = ElasticJobEngine.builder(process.registry())
                .instanceId(instanceId)
                .ip(ip)
                .clock(process.clock())
                .timer(process.engineTimer())
                .coordinationExecutor(process::coordinate)
                .workers(process.workers())
                .maxThreads(ITEMS)
                .shutdownTimeout(Duration.ofSeconds(4))
                .build();
        JobDefinition orders = JobDefinition.builder(TREE.jobName())
                .cron("0 0/6 * * * ?")
                .shardingTotalCount(ITEMS)
                .jobShardingStrategyClass("MEASURED")
                .build();
        engine.register(orders, context -> BodyThread.takeTime(varied(context.getShardingItem()), true));
        process.run(engine);
    }

    /** By a fifth, up or down. */
    private Duration varied(int item) {
        return Duration.ofMillis((long) (seconds.applyAsDouble(item) * 1_000 * (0.8 + 0.4 * random.nextDouble())));
    }

    @Override
    public void close() {
        processes.forEach(SimulatedProcess::bury);
    }
}
