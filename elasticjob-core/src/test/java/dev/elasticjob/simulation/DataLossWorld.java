package dev.elasticjob.simulation;

import dev.elasticjob.coordination.session.Incarnation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.OnDataLoss;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.simulation.Connection.Exchange;
import dev.elasticjob.simulation.Mishaps.Mishap;
import dev.elasticjob.simulation.Quorum.Backup;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A cluster whose registry loses its data, once or twice, while processes crash and answers get lost: it comes back empty, or
 * as it was some seconds before, or has been filled by others meanwhile. {@link DataLossOracle} knows what was promised.
 */
final class DataLossWorld implements AutoCloseable {
    /** A job, and the seconds of a minute at which it fires. */
    private record Scheduled(String name, int items, int every) {
        JobDefinition definition() {
            return JobDefinition.builder(name)
                    .cron("0/%d * * * * ?".formatted(every))
                    .timeZone(ZoneOffset.UTC)
                    .shardingTotalCount(items)
                    .failover(true)
                    .maxFailovers(1_000)
                    .build();
        }

        boolean firesAt(Instant second) {
            return second.getEpochSecond() % 60 % every == 0;
        }
    }

    private static final List<Scheduled> JOBS = List.of(new Scheduled("orders", 4, 5), new Scheduled("bills", 2, 7));
    private static final Duration TROUBLE = Duration.ofSeconds(60);
    private static final Duration CALM = Duration.ofSeconds(45);
    private static final Duration OBSERVED = Duration.ofSeconds(20);
    private static final int KEPT_BACKUPS = 12;

    private final Random random;
    private final ManualTime time = new ManualTime(World.START);
    private final Steps steps;
    private final Network network;
    private final Trace trace;
    private final Flaw flaw;
    private final OnDataLoss policy;
    private final DataLossOracle oracle;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<Backup> backups = new ArrayList<>();
    private final Map<String, Integer> begun = new HashMap<>();
    private final double mishaps;
    private boolean troubled = true;

    DataLossWorld(long seed, Flaw flaw, boolean traced) {
        this.random = new Random(seed * 41 + 11);
        this.flaw = flaw;
        this.policy = seed % 2 == 0 ? OnDataLoss.CONTINUE : OnDataLoss.HOLD;
        this.mishaps = seed % 3;
        this.steps = new Steps(random);
        this.trace = new Trace(time, traced);
        this.network = new Network(time, random, steps, trace, World.SESSION_TIMEOUT, 3);
        this.oracle = new DataLossOracle(network.quorum(), trace, policy);
        double eagerness = List.of(1.0, 0.2, 0.05).get(random.nextInt(3));
        network.servers().forEach(server -> server.follow(eagerness));
    }

    /** What was promised and not kept, if anything. */
    Optional<String> live() {
        int size = 1 + random.nextInt(3);
        for (int i = 1; i <= size; i++) {
            start("10.0.0." + i + "@-@1");
        }
        nextBackup();
        pass(Duration.ofSeconds(3));
        nextFault();
        planLosses();
        pass(TROUBLE);
        troubled = false;
        network.calmDown();
        if (living().isEmpty() || random.nextInt(3) == 0) {
            start("10.0.9.9@-@1");
        }
        pass(CALM);
        confirmAll();
        observe();
        if (oracle.violation().isEmpty()) {
            oracle.settled();
        }
        return oracle.violation();
    }

    private void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (time.instant().isBefore(end) && oracle.violation().isEmpty()) {
            if (!steps.one()) {
                Duration left = Duration.between(time.instant(), end);
                Duration leap = time.nextTask()
                        .map(next -> Duration.between(time.instant(), next))
                        .orElse(left);
                time.advance(leap.compareTo(left) > 0 ? left : leap);
            } else if (random.nextInt(12) == 0) {
                time.advance(Duration.ofMillis(1));
            }
        }
    }

    // ------------------------------------------------------------------ losses

    private void nextBackup() {
        time.after(Duration.ofMillis(random.nextInt(2_500)), () -> {
            backups.add(network.quorum().backup());
            if (backups.size() > KEPT_BACKUPS) {
                backups.remove(0);
            }
            nextBackup();
        });
    }

    private void planLosses() {
        Duration first = Duration.ofMillis(random.nextInt(40_000));
        time.after(first, this::loseData);
        if (random.nextInt(3) == 0) {
            time.after(first.plusMillis(random.nextInt(15_000)), this::loseData);
        }
    }

    private void loseData() {
        Backup backup = random.nextInt(5) < 2 || backups.isEmpty()
                ? Backup.OF_NOTHING
                : backups.get(random.nextInt(backups.size()));
        boolean numbersOn = backup.zxid() > 0 && random.nextInt(2) == 0;
        int next = numbersOn ? network.quorum().logged() + 1 + random.nextInt(50) : 0;
        trace.note(
                "registry",
                () -> "LOSES ITS DATA, and is what it was at %d of %d, sessions %s, next number %d"
                        .formatted(backup.zxid(), network.quorum().logged(), backup.sessions(), next));
        backups.removeIf(made -> made.zxid() > backup.zxid());
        network.loseData(backup, next);
        oracle.registryLosesItsData();
        if (random.nextInt(3) == 0) {
            othersComeFirst();
        }
    }

    /** Somebody makes new data before those that knew the old one are back. */
    private void othersComeFirst() {
        living().forEach(process -> process.connection()
                .cut(Duration.ofMillis(random.nextInt(12_000)), Duration.ofMillis(random.nextInt(300))));
        start("10.0.1." + (1 + random.nextInt(9)) + "@-@1");
    }

    // ------------------------------------------------------------------ operators

    private void confirm() {
        List<SimulatedProcess> living = living();
        SimulatedProcess one = living.get(random.nextInt(living.size()));
        trace.note("operator", () -> "confirms the loss on " + one.name());
        one.admin()
                .confirmDataLoss()
                .whenComplete((changed, error) ->
                        trace.note("operator", () -> error == null ? "confirmed: " + changed : error.toString()));
    }

    private boolean isUnconfirmed() {
        return oracle.present().flatMap(Incarnation::unconfirmed).isPresent();
    }

    private void confirmAll() {
        if (policy == OnDataLoss.CONTINUE && random.nextBoolean()) {
            return;
        }
        for (int i = 0; i < 3 && isUnconfirmed() && oracle.violation().isEmpty(); i++) {
            confirm();
            pass(Duration.ofSeconds(10));
        }
        if (oracle.violation().isEmpty() && isUnconfirmed()) {
            oracle.violated("the loss can be confirmed");
        }
    }

    // ------------------------------------------------------------------ executions

    /** What falls due now runs once. */
    private void observe() {
        Instant from = time.instant().plusSeconds(1);
        Instant until = from.plus(OBSERVED);
        pass(OBSERVED.plusSeconds(6));
        for (Instant second = Instant.ofEpochSecond(from.getEpochSecond() + 1);
                second.isBefore(until) && oracle.violation().isEmpty();
                second = second.plusSeconds(1)) {
            for (Scheduled job : JOBS) {
                for (int item = 0; item < job.items() && job.firesAt(second); item++) {
                    int times = begun.getOrDefault("%s/%d at %s".formatted(job.name(), item, second), 0);
                    if (times != 1) {
                        oracle.violated("everything due runs once: %s/%d ran %d times for %s"
                                .formatted(job.name(), item, times, second));
                    }
                }
            }
        }
    }

    private void body(SimulatedProcess process, ShardingContext context) throws InterruptedException {
        trace.note(
                process.name(),
                () -> "BEGINS %s with token %d".formatted(context.getTaskId(), context.getFencingToken()));
        begun.merge(
                "%s/%d at %s".formatted(context.getJobName(), context.getShardingItem(), context.getScheduledTime()),
                1,
                Integer::sum);
        oracle.begins(process, context);
        BodyThread.takeTime(Duration.ofMillis(random.nextInt(troubled ? 3_000 : 500)), true);
    }

    // ------------------------------------------------------------------ processes and faults

    private void start(String instanceId) {
        String ip = instanceId.substring(0, instanceId.indexOf('@'));
        String name = "p" + (processes.size() + 1);
        SimulatedProcess process =
                new SimulatedProcess(name, instanceId, ip, Duration.ZERO, time, steps, network, flaw);
        processes.add(process);
        oracle.starts(process);
        process.connection().meet(mishaps(process));
        trace.note(name, () -> "starts as " + instanceId);
        ElasticJobEngine engine = ElasticJobEngine.builder(process.registry())
                .instanceId(instanceId)
                .ip(ip)
                .clock(process.clock())
                .timer(process.engineTimer())
                .coordinationExecutor(process::coordinate)
                .workers(process.workers())
                .maxThreads(World.THREADS)
                .shutdownTimeout(Duration.ofSeconds(4))
                .onDataLoss(policy)
                .listener(event -> told(process, event))
                .build();
        JOBS.forEach(job -> engine.register(job.definition(), context -> body(process, context)));
        process.run(engine);
    }

    private void told(SimulatedProcess process, JobEvent event) {
        if (event instanceof JobEvent.RegistryDataLost lost) {
            trace.note(process.name(), () -> "TELLS the loss: " + lost.loss());
            oracle.tells(process);
        }
    }

    private List<SimulatedProcess> living() {
        return processes.stream().filter(SimulatedProcess::isAlive).toList();
    }

    private void nextFault() {
        time.after(Duration.ofMillis(100 + random.nextInt(8_000)), () -> {
            List<SimulatedProcess> living = living();
            if (troubled && !living.isEmpty()) {
                fault(living.get(random.nextInt(living.size())));
            }
            if (troubled) {
                nextFault();
            }
        });
    }

    private void fault(SimulatedProcess one) {
        switch (random.nextInt(7)) {
            case 0 -> crash(one);
            case 1 -> one.connection().cut(Duration.ofMillis(random.nextInt(15_000)), Duration.ofMillis(50));
            case 2 -> one.connection().stall(Duration.ofMillis(random.nextInt(3_000)));
            case 3 -> one.registry().session().ifPresent(session -> network.expire(session.id()));
            case 4 -> one.pause(Duration.ofMillis(random.nextInt(14_000)));
            case 5 -> one.connection().breaks();
            default -> confirm();
        }
    }

    private void crash(SimulatedProcess process) {
        trace.note(process.name(), () -> "CRASHES");
        process.crash();
        time.after(Duration.ofMillis(random.nextInt(9_000)), () -> start("10.0.0." + (1 + random.nextInt(3)) + "@-@1"));
    }

    private Mishaps mishaps(SimulatedProcess process) {
        return new Mishaps() {
            @Override
            public Mishap next(Exchange<?> exchange) {
                if (!troubled || mishaps == 0) {
                    return Mishap.NONE;
                }
                if (random.nextInt(exchange.writes() ? 300 : 1_500) == 0) {
                    return random.nextBoolean() ? Mishap.CRASH_BEFORE : Mishap.CRASH_AFTER;
                }
                boolean loses = random.nextDouble() * (exchange.writes() ? 30 : 150) < mishaps;
                return !loses ? Mishap.NONE : random.nextInt(3) == 0 ? Mishap.LOSE_REQUEST : Mishap.LOSE_ANSWER;
            }

            @Override
            public void crash() {
                DataLossWorld.this.crash(process);
            }
        };
    }

    String describe() {
        return oracle.violation().orElse("kept") + "\n" + String.join("\n", trace.lines()) + "\n"
                + network.quorum().tree().render();
    }

    @Override
    public void close() {
        processes.forEach(SimulatedProcess::bury);
    }
}
