package dev.elasticjob.simulation;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.simulation.Connection.Exchange;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One life of a group: instances that come, go, die, stand still and are cut off, until they are left alone. One thread does
 * it all; the seed decides what happens next. The engines are the real ones.
 */
final class GroupWorld implements AutoCloseable {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);
    private static final int SERVERS = 3;
    private static final int STEPS_BETWEEN_LEAPS = 12;
    private static final int MOST_STEPS = 400_000;
    private static final String GROUP = "shares";

    private final Random random;
    private final ManualTime time = new ManualTime(World.START);
    private final Steps steps;
    private final Network network;
    private final Trace trace;
    private final GroupOracle oracle;
    private final Flaw flaw;
    private final OnStopTimeout onStopTimeout;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private boolean troubled = true;
    private int taken;

    private GroupWorld(long seed, Flaw flaw, boolean traced) {
        this.random = new Random(seed * 31 + 11);
        this.steps = new Steps(random);
        this.trace = new Trace(time, traced);
        this.network = new Network(time, random, steps, trace, SESSION_TIMEOUT, SERVERS);
        this.flaw = flaw;
        this.onStopTimeout = random.nextInt(4) == 0 ? OnStopTimeout.PROCEED : OnStopTimeout.WAIT;
        this.oracle = new GroupOracle(time, network.quorum(), trace, onStopTimeout == OnStopTimeout.WAIT);
        network.servers().forEach(server -> server.follow(random.nextBoolean() ? 1 : 0.1));
    }

    /** What came of it. */
    record Life(long seed, Optional<String> violation, List<String> trace, String tree) {}

    static Life of(long seed, Flaw flaw, boolean traced) {
        try (GroupWorld world = new GroupWorld(seed, flaw, traced)) {
            world.live();
            return new Life(
                    seed,
                    world.oracle.violation(),
                    List.copyOf(world.trace.lines()),
                    world.network.quorum().tree().render());
        }
    }

    // ------------------------------------------------------------------ the course of a life

    private void live() {
        int members = 2 + random.nextInt(3);
        for (int i = 1; i <= members; i++) {
            start("10.0.0." + i + "@-@1");
        }
        pass(Duration.ofSeconds(3));
        trouble();
        pass(Duration.ofSeconds(20 + random.nextInt(30)));
        troubled = false;
        network.servers().stream().filter(Server::isCutOff).forEach(Server::join);
        network.servers().forEach(server -> server.follow(1));
        network.calmDown();
        start("10.0.9.9@-@1");
        pass(Duration.ofSeconds(90));
        settle();
        oracle.judgeHealthy(
                living().stream().filter(process -> !process.isLeaving()).toList());
    }

    private void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (time.instant().isBefore(end) && oracle.violation().isEmpty()) {
            boolean idle = !step();
            if (idle) {
                Duration left = Duration.between(time.instant(), end);
                Duration leap = time.nextTask()
                        .map(next -> Duration.between(time.instant(), next))
                        .orElse(left);
                time.advance(leap.compareTo(left) > 0 ? left : leap);
            } else if (random.nextInt(STEPS_BETWEEN_LEAPS) == 0) {
                time.advance(Duration.ofMillis(1));
            }
        }
    }

    private void settle() {
        while (oracle.violation().isEmpty() && step()) {
            // The next one.
        }
    }

    private boolean step() {
        taken++;
        if (taken > MOST_STEPS) {
            oracle.violated("a healthy cluster settles: there is no end of it after " + taken + " steps");
        }
        return steps.one();
    }

    // ------------------------------------------------------------------ processes

    private SimulatedProcess start(String instanceId) {
        String name = "p" + (processes.size() + 1);
        String ip = instanceId.substring(0, instanceId.indexOf('@'));
        SimulatedProcess process =
                new SimulatedProcess(name, instanceId, ip, Duration.ZERO, time, steps, network, flaw);
        processes.add(process);
        trace.note(name, () -> "starts as " + instanceId);
        ElasticJobEngine engine = ElasticJobEngine.builder(process.registry())
                .instanceId(instanceId)
                .ip(ip)
                .clock(process.clock())
                .timer(process.engineTimer())
                .coordinationExecutor(process::coordinate)
                .workers(process.workers())
                .shutdownTimeout(Duration.ofSeconds(4))
                .groupStopTimeout(STOP_TIMEOUT, onStopTimeout)
                .groupJoinDelay(Duration.ofMillis(random.nextInt(2) * 500L))
                .build();
        engine.groups().join(GROUP, new Body(process));
        process.connection().meet(new Losses(process));
        process.run(engine);
        return process;
    }

    /** The application's code, which may take its time and fail. */
    private final class Body implements ShardingNotice {
        private final SimulatedProcess process;

        Body(SimulatedProcess process) {
            this.process = process;
        }

        @Override
        public void startSharding() {
            oracle.isToldToStop(process);
            takeTime(random.nextInt(15) == 0 ? 20_000 : 1_500);
            oracle.returns(process);
            fail();
        }

        @Override
        public void shardingCompleted(ShardAssignment assignment) {
            oracle.begins(process, assignment);
            takeTime(400);
            fail();
        }

        private void takeTime(int longest) {
            try {
                BodyThread.takeTime(millis(troubled ? longest : 100), true);
            } catch (InterruptedException e) {
                // Returns.
            }
        }

        private void fail() {
            if (troubled && random.nextInt(20) == 0) {
                throw new IllegalStateException("this body fails");
            }
        }
    }

    private List<SimulatedProcess> living() {
        return processes.stream().filter(SimulatedProcess::isAlive).toList();
    }

    private void crash(SimulatedProcess process) {
        trace.note(process.name(), () -> "CRASHES");
        process.crash();
        oracle.died(process);
        returns();
    }

    private void returns() {
        time.after(millis(9_000), () -> {
            if (troubled && living().size() < 5) {
                start("10.0.0." + (1 + random.nextInt(4)) + "@-@1");
            }
        });
    }

    // ------------------------------------------------------------------ faults

    private void trouble() {
        time.after(millis(3_000), () -> {
            if (troubled) {
                happen();
                trouble();
            }
        });
    }

    private void happen() {
        List<SimulatedProcess> living =
                living().stream().filter(process -> !process.isLeaving()).toList();
        if (living.isEmpty()) {
            returns();
            return;
        }
        SimulatedProcess one = living.get(random.nextInt(living.size()));
        Server server = network.servers().get(random.nextInt(SERVERS));
        switch (random.nextInt(10)) {
            case 0 -> crash(one);
            case 1 -> cut(one);
            case 2 -> one.connection().stall(millis(3_000));
            case 3 -> one.connection().slow(millis(12_000), millis(6_000));
            case 4 -> expire(one);
            case 5 -> cutOff(server);
            case 6 -> server.restart();
            case 7 -> one.pause(millis(random.nextBoolean() ? 3_000 : 20_000));
            case 8 -> leave(one);
            default -> joinAnew(one);
        }
    }

    private void cut(SimulatedProcess process) {
        Duration away = millis(random.nextBoolean() ? 2_000 : 25_000);
        trace.note(process.name(), () -> "is cut off for " + away);
        process.connection().cut(away, millis(random.nextBoolean() ? 100 : 6_600));
    }

    private void expire(SimulatedProcess process) {
        if (process.isAwake()) {
            trace.note(process.name(), () -> "its session is ended by the servers");
            oracle.endsEarly(process);
            network.expire(process.connection().sessionId());
        }
    }

    private void cutOff(Server server) {
        if (network.servers().stream().noneMatch(Server::isCutOff)) {
            server.cutOff();
            time.after(millis(20_000), () -> {
                if (server.isCutOff()) {
                    server.join();
                }
            });
        }
    }

    private void leave(SimulatedProcess process) {
        trace.note(process.name(), () -> "leaves");
        process.stop(() -> {
            trace.note(process.name(), () -> "has left");
            process.crash();
            oracle.died(process);
        });
        returns();
    }

    /** Leaves the group while the process goes on, and joins it again. */
    private void joinAnew(SimulatedProcess process) {
        trace.note(process.name(), () -> "leaves the group, and joins it again");
        ElasticJobEngine engine = process.engine();
        engine.groups().leave(GROUP);
        engine.groups().join(GROUP, new Body(process));
    }

    private Duration millis(int most) {
        return Duration.ofMillis(1 + random.nextInt(most));
    }

    /** Requests and answers that are lost, and processes that die with them. */
    private final class Losses implements Mishaps {
        private final SimulatedProcess process;

        Losses(SimulatedProcess process) {
            this.process = process;
        }

        @Override
        public Mishap next(Exchange<?> exchange) {
            if (!troubled || random.nextInt(exchange.writes() ? 15 : 80) > 0) {
                return Mishap.NONE;
            }
            List<Mishap> mishaps = List.of(
                    Mishap.LOSE_REQUEST,
                    Mishap.LOSE_ANSWER,
                    Mishap.LOSE_ANSWER,
                    Mishap.STANDSTILL_AFTER,
                    random.nextBoolean() ? Mishap.CRASH_BEFORE : Mishap.CRASH_AFTER);
            return mishaps.get(random.nextInt(mishaps.size()));
        }

        @Override
        public void standStill() {
            process.pause(millis(random.nextBoolean() ? 3_000 : 20_000));
        }

        @Override
        public void crash() {
            GroupWorld.this.crash(process);
        }
    }

    @Override
    public void close() {
        processes.forEach(SimulatedProcess::bury);
    }
}
