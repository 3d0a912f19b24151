package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.simulation.Connection.Exchange;
import dev.elasticjob.simulation.Mishaps.Mishap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Lets go wrong what the scenario says, at moments of the seed's choice, until it is told to stop. */
final class Faults {
    /** In this time an answer has reached its client. */
    private static final Duration ANSWERED = Duration.ofMillis(30);

    private final World world;
    private final Scenario scenario;
    private final Random random;
    private final List<Operator> operators;
    private final MadController controller;
    private boolean over;

    Faults(World world, Scenario scenario, Random random) {
        this.world = world;
        this.scenario = scenario;
        this.random = random;
        this.operators = world.oracles().stream()
                .map(oracle -> new Operator(world, oracle.tree(), random))
                .toList();
        this.controller =
                new MadController(world, scenario, random, this::watch, () -> operators.forEach(Operator::ended));
        world.processes().forEach(this::watch);
        if (scenario.pausesAfterFailures()) {
            operators.get(0).resumesWhatPausesItself();
        }
    }

    void begin() {
        if (!scenario.faults().isEmpty()) {
            later();
        }
    }

    /** Nothing goes wrong any more; what went wrong for good is replaced. */
    void end() {
        over = true;
        controller.end();
        clockIsRight();
        world.network().servers().stream().filter(Server::isCutOff).forEach(Server::join);
        world.network().servers().forEach(server -> server.follow(1));
        operators.forEach(Operator::restore);
        if (scenario.limitsClocks() && scenario.seed() % 2 == 0) {
            world.living().forEach(SimulatedProcess::clockIsSetRight);
        }
        // Those go by their own clock, until the registry's has been steady for two minutes.
        world.living().stream()
                .filter(process -> process.skew().plusMinutes(1).isNegative())
                .forEach(world::crash);
        world.start("10.0.9.9@-@1", Duration.ZERO);
    }

    private void later() {
        world.time().after(Duration.ofMillis(100 + random.nextInt(4_000)), () -> {
            if (!over) {
                List<Fault> faults = new ArrayList<>(scenario.faults());
                boolean mad = scenario.has(Fault.MAD_CONTROLLER) && random.nextBoolean();
                happen(mad ? Fault.MAD_CONTROLLER : faults.get(random.nextInt(faults.size())));
                later();
            }
        });
    }

    private void happen(Fault fault) {
        if (fault == Fault.MAD_CONTROLLER) {
            controller.act();
            return;
        }
        List<SimulatedProcess> living = world.living();
        if (living.isEmpty()) {
            if (fault == Fault.PAUSE_SWITCH) {
                operators.forEach(Operator::pauseWithNobodyThere);
            }
            returns();
            return;
        }
        SimulatedProcess one = living.get(random.nextInt(living.size()));
        List<Server> servers = world.network().servers();
        Server server = servers.get(random.nextInt(servers.size()));
        switch (fault) {
            case CRASH -> crash(one);
            case CUT -> cut(one);
            case STALL -> one.connection().stall(millis(3_000));
            case SLOW -> one.connection().slow(millis(12_000), millis(6_000));
            case EXPIRY -> expire(one);
            case SERVER_CUT_OFF -> cutOff(server);
            case SERVER_RESTART -> server.restart();
            case PAUSE -> pause(one);
            case LEAVE_AND_RETURN -> leave(one);
            case EVERYBODY_LEAVES -> everybodyLeaves();
            case ENGINE_RESTART -> world.restart(one, random.nextInt(3) == 0 ? Duration.ZERO : millis(4_000));
            case JOB_REGISTERED_ANEW -> registerAnew(one);
            case SILENCED_AFTER_A_CLAIM -> silenceAfterItsNextClaim(one);
            case COLLIDING_ID -> watch(world.start(one.instanceId(), world.skew()));
            case WRONG_CLOCK -> wrongClock(random.nextInt(9));
            case REGISTRY_CLOCK -> clockIsAhead();
            case CRASH_AT_REQUEST, LOST_ANSWER -> {
                // These happen to requests.
            }
            default -> operators.get(random.nextInt(operators.size())).act(fault, one);
        }
    }

    /** Up to an hour, for seconds or longer; and somebody pauses, resumes, or changes something then. */
    private void clockIsAhead() {
        if (!scenario.isPlain() || world.quorum().isAhead()) {
            return;
        }
        Duration ahead = Duration.ofSeconds(61 + random.nextInt(3_540));
        world.note("registry", "has its clock ahead by " + ahead);
        world.quorum().isAhead(ahead);
        Duration length = millis(random.nextBoolean() ? 3_000 : 30_000);
        List<Fault> commands = scenario.faults().stream()
                .filter(fault -> fault == Fault.CRON_SWITCH || fault.isHoldingBack())
                .sorted()
                .toList();
        if (!commands.isEmpty()) {
            Fault command = commands.get(random.nextInt(commands.size()));
            Operator operator = operators.get(random.nextInt(operators.size()));
            world.time()
                    .after(
                            length.dividedBy(2),
                            () -> world.living().stream()
                                    .filter(process -> !over)
                                    .findFirst()
                                    .ifPresent(process -> operator.act(command, process)));
        }
        world.time().after(length, this::clockIsRight);
    }

    private void clockIsRight() {
        if (world.quorum().isAhead()) {
            world.note("registry", "has its clock right again");
            world.quorum().isAhead(Duration.ZERO);
        }
    }

    /** By far more than the others'. What is owned where the clock is ahead begins in time all the same. */
    private void wrongClock(int host) {
        Duration skew = host % 2 == 0 ? Duration.ofDays(365) : Duration.ofMinutes(-5);
        watch(world.start("10.0.8." + host + "@-@1", skew));
    }

    private void crash(SimulatedProcess process) {
        world.crash(process);
        returns();
    }

    /** Somebody comes back after a while, often under an id that was there before. */
    private void returns() {
        returns(millis(9_000));
    }

    private void returns(Duration later) {
        world.time().after(later, () -> {
            long members = world.living().stream()
                    .filter(process -> !process.isLeaving())
                    .count();
            if (!over && members < scenario.processes()) {
                watch(world.start("10.0.0." + (1 + random.nextInt(scenario.processes())) + "@-@1", world.skew()));
            }
        });
    }

    private void cut(SimulatedProcess process) {
        Duration away = millis(random.nextBoolean() ? 2_000 : 25_000);
        Duration unnoticed = millis(random.nextBoolean() ? 100 : 6_600);
        world.note(process.name(), "is cut off for " + away + ", unnoticed for " + unnoticed);
        process.connection().cut(away, unnoticed);
    }

    /** Its server dies as soon as it has answered a claim, before the others are told of the client; so does its network. */
    private void silenceAfterItsNextClaim(SimulatedProcess process) {
        boolean[] done = new boolean[1];
        world.quorum().addWitness((session, changes) -> {
            boolean claims = !done[0]
                    && !over
                    && session == process.connection().sessionId()
                    && changes.stream()
                            .anyMatch(change -> change.kind() == Replica.Kind.CREATED
                                    && change.path().endsWith("/running"));
            if (claims) {
                done[0] = true;
                world.time().after(ANSWERED, () -> silence(process));
            }
        });
    }

    private void silence(SimulatedProcess process) {
        if (!over && process.isAlive() && process.connection().isConnected()) {
            world.note(process.name(), "has a server that dies, and is cut off");
            process.connection().server().restart();
            process.connection().cut(Duration.ofSeconds(15).plus(millis(10_000)), millis(6_600));
        }
    }

    /** Not while it stands still: it would begin on waking what it had claimed before, and none of our rules can know. */
    private void expire(SimulatedProcess process) {
        if (!process.isAwake()) {
            return;
        }
        world.note(process.name(), "its session is ended by the servers");
        world.oracles().forEach(oracle -> oracle.endsEarly(process));
        world.network().expire(process.connection().sessionId());
    }

    private void cutOff(Server server) {
        if (world.network().servers().stream().noneMatch(Server::isCutOff)) {
            Duration away = millis(random.nextBoolean() ? 3_000 : 20_000);
            world.note("server", "is cut off from the others for " + away);
            server.cutOff();
            world.time().after(away, () -> {
                if (server.isCutOff()) {
                    server.join();
                }
            });
        }
    }

    private void pause(SimulatedProcess process) {
        Duration length = millis(random.nextBoolean() ? 3_000 : 20_000);
        world.note(process.name(), "stands still for " + length);
        process.pause(length);
    }

    private void leave(SimulatedProcess process) {
        world.note(process.name(), "leaves");
        process.stop(() -> hasLeft(process));
        if (scenario.has(Fault.COLLIDING_ID)) {
            succeeds(process);
        } else {
            returns();
        }
    }

    /** A container is started again in the same place, with the same id, while the former process still ends. */
    private void succeeds(SimulatedProcess process) {
        world.time().after(millis(3_000), () -> {
            if (!over) {
                watch(world.start(process.instanceId(), world.skew()));
            }
        });
    }

    /** Most applications end with their engine; others go on, with what may still run there. */
    private void hasLeft(SimulatedProcess process) {
        world.note(process.name(), "has left");
        if (random.nextInt(3) > 0) {
            world.exits(process);
            operators.forEach(Operator::ended);
        }
    }

    /** At once or one after the other, in good order or not, at rest or not; and then nobody is there for a while. */
    private void everybodyLeaves() {
        boolean atOnce = random.nextBoolean();
        for (SimulatedProcess process : world.living()) {
            boolean crashes = random.nextInt(3) == 0;
            world.time().after(atOnce ? Duration.ZERO : millis(3_000), () -> {
                if (crashes) {
                    world.crash(process);
                } else {
                    world.note(process.name(), "leaves with all others");
                    process.stop(() -> hasLeft(process));
                }
            });
            returns(Duration.ofSeconds(8).plus(millis(12_000)));
        }
    }

    /** At once, or after a while, and perhaps while it still leaves. */
    private void registerAnew(SimulatedProcess process) {
        List<JobDefinition> jobs = scenario.definitions();
        JobDefinition job = jobs.get(random.nextInt(jobs.size()));
        world.registerAnew(process, job, random.nextInt(3) == 0 ? Duration.ZERO : millis(6_000));
    }

    private Duration millis(int most) {
        return Duration.ofMillis(1 + random.nextInt(most));
    }

    /** Requests of the process may meet a mishap from now on. */
    private void watch(SimulatedProcess process) {
        process.connection().meet(new Mishaps() {
            @Override
            public Mishap next(Exchange<?> exchange) {
                if (over) {
                    return Mishap.NONE;
                }
                boolean crashes =
                        scenario.has(Fault.CRASH_AT_REQUEST) && random.nextInt(exchange.writes() ? 60 : 300) == 0;
                if (crashes) {
                    return random.nextBoolean() ? Mishap.CRASH_BEFORE : Mishap.CRASH_AFTER;
                }
                boolean loses = scenario.has(Fault.LOST_ANSWER) && random.nextInt(exchange.writes() ? 15 : 80) == 0;
                if (loses) {
                    return random.nextInt(3) == 0 ? Mishap.LOSE_REQUEST : Mishap.LOSE_ANSWER;
                }
                boolean standsStill = scenario.has(Fault.PAUSE) && exchange.writes() && random.nextInt(60) == 0;
                return standsStill ? Mishap.STANDSTILL_AFTER : Mishap.NONE;
            }

            @Override
            public void standStill() {
                pause(process);
            }

            @Override
            public void crash() {
                Faults.this.crash(process);
            }
        });
    }
}
