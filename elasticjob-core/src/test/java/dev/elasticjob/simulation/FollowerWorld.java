package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.after.ParentFiring;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Connection.Exchange;
import dev.elasticjob.simulation.Mishaps.Mishap;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A cluster whose jobs run after others, while processes crash and answers get lost: a job that joins two, whose ends are
 * written by the world, and one that runs after it. The oracle: one run for each firing that all parents have ended, one
 * after the other; and no circle of jobs.
 */
final class FollowerWorld implements AutoCloseable {
    private static final JobTree REPORT = new JobTree("report");
    private static final JobTree SUMMARY = new JobTree("summary");
    private static final List<String> CIRCLE = List.of("one", "two", "three");
    private static final int ITEMS = 3;
    private static final int FIRINGS = 8;
    private static final Duration TROUBLE = Duration.ofSeconds(40);
    private static final Duration CALM = Duration.ofSeconds(30);
    private static final int PATIENCE = 20;

    private final Random random;
    private final ManualTime time = new ManualTime(World.START);
    private final Steps steps;
    private final Network network;
    private final Trace trace;
    private final Flaw flaw;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final Set<String> firstStarts = new HashSet<>();
    private final Set<String> begun = new TreeSet<>();
    private final Set<String> owed = new TreeSet<>();
    private Optional<String> violation = Optional.empty();
    private boolean troubled = true;
    private int firings;

    FollowerWorld(long seed, Flaw flaw, boolean traced) {
        this.random = new Random(seed * 17 + 3);
        this.flaw = flaw;
        this.steps = new Steps(random);
        this.trace = new Trace(time, traced);
        this.network = new Network(time, random, steps, trace, World.SESSION_TIMEOUT, 3);
    }

    /** What was promised and not kept, if anything. */
    Optional<String> live() {
        for (int i = 1; i <= 3; i++) {
            start("10.0.0." + i + "@-@1");
        }
        pass(Duration.ofSeconds(3));
        nextFault();
        nextFiring();
        pass(TROUBLE);
        troubled = false;
        network.calmDown();
        start("10.0.9.9@-@1");
        pass(CALM);
        for (int i = 0; i < PATIENCE && !(children().isEmpty() && begun.containsAll(owed)); i++) {
            pass(Duration.ofSeconds(5));
        }
        if (!children().isEmpty()) {
            violated("firings are left to run for: " + children());
        }
        owed.removeAll(begun);
        if (violation.isEmpty() && !owed.isEmpty()) {
            violated("items did not run: " + owed);
        }
        if (CIRCLE.stream().allMatch(this::isFollowed)) {
            violated("jobs run after each other in a circle");
        }
        return violation;
    }

    List<String> trace() {
        return trace.lines();
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
        }
    }

    // ------------------------------------------------------------------ the parents' ends

    private void nextFiring() {
        time.after(Duration.ofMillis(200 + random.nextInt(4_000)), () -> {
            if (troubled && firings < FIRINGS) {
                if (allAreRegistered()) {
                    firings++;
                    ends("import", firings);
                    int firing = firings;
                    time.after(Duration.ofMillis(random.nextInt(3_000)), () -> ends("prices", firing));
                }
                nextFiring();
            }
        });
    }

    /** Firings count from the plan that names the follower first. */
    private boolean allAreRegistered() {
        Replica tree = network.quorum().tree();
        return tree.node(REPORT.after()).isPresent()
                && tree.node(REPORT.sharding())
                        .filter(plan -> plan.text().contains("\"summary\""))
                        .isPresent();
    }

    /** As the end of a parent's firing does. */
    private void ends(String parent, int firing) {
        String path = REPORT.after(String.valueOf(firing));
        Optional<RegistryNode> there = network.quorum().tree().node(path);
        String text = "{\"job\":\"%s\",\"runId\":\"%s@%d\",\"success\":true}".formatted(parent, parent, firing);
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (there.isPresent()) {
            String both = there.get().text().replace("]}", "," + text + "]}");
            commit.set(path, both, there.get().version());
            for (int item = 0; item < ITEMS; item++) {
                owed.add("report " + firing + "/" + item);
                owed.add("summary " + firing + "/" + item);
            }
        } else {
            commit.create(path, "{\"after\":[" + text + "]}");
        }
        network.quorum().commit(0, commit.build());
        trace.note(parent, () -> "ends " + firing);
    }

    private List<String> children() {
        Replica tree = network.quorum().tree();
        List<String> left = new ArrayList<>(tree.children(REPORT.after()).orElse(List.of()));
        left.addAll(tree.children(SUMMARY.after()).orElse(List.of()));
        return left;
    }

    private boolean isFollowed(String job) {
        return !network.quorum()
                .tree()
                .children(new JobTree(job).followers())
                .orElse(List.of())
                .isEmpty();
    }

    // ------------------------------------------------------------------ the follower's executions

    private void body(ShardingContext context) throws InterruptedException {
        JobTree job = new JobTree(context.getJobName());
        List<String> parents = job.equals(REPORT) ? List.of("import", "prices") : List.of("report");
        String execution = "%s %s/%d"
                .formatted(
                        context.getJobName(),
                        context.getRunId().substring("after-".length()),
                        context.getShardingItem());
        trace.note("body", () -> context.getTaskId() + " for " + context.getParents());
        begun.add(execution);
        if (context.getAttempt() == 1 && !firstStarts.add(execution)) {
            violated("one run for each firing: " + execution + " starts again");
        }
        if (!context.getParents().stream().map(ParentFiring::jobName).toList().equals(parents)) {
            violated("it knows its parents' firings: " + context.getParents());
        }
        for (int item = 0; item < ITEMS; item++) {
            runsAlone(job, context.getRunId(), item);
        }
        BodyThread.takeTime(Duration.ofMillis(random.nextInt(1_500)), true);
    }

    private void runsAlone(JobTree job, String runId, int item) {
        Replica tree = network.quorum().tree();
        ItemRecord record = ItemRecordCodec.read(
                job.item(item), tree.node(job.item(item)).orElseThrow().data());
        boolean open = record.state() == ItemState.RUNNING || record.state() == ItemState.INTERRUPTED;
        if (open && !record.isOf(runId)) {
            violated("one after the other: %s begins while item %d has %s".formatted(runId, item, record));
        }
        tree.node(job.trigger(item))
                .filter(waiting -> !waiting.text().contains("\"" + runId + "\""))
                .ifPresent(waiting ->
                        violated("one after the other: %s begins while %s waits".formatted(runId, waiting.text())));
    }

    // ------------------------------------------------------------------ processes and faults

    private void start(String instanceId) {
        String ip = instanceId.substring(0, instanceId.indexOf('@'));
        String name = "p" + (processes.size() + 1);
        SimulatedProcess process =
                new SimulatedProcess(name, instanceId, ip, Duration.ZERO, time, steps, network, flaw);
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
        engine.register(follower("report", "import", "prices"), this::body);
        engine.register(follower("summary", "report"), this::body);
        for (int i = 0; i < CIRCLE.size(); i++) {
            engine.register(follower(CIRCLE.get(i), CIRCLE.get((i + 1) % CIRCLE.size())), context -> {});
        }
        process.run(engine);
    }

    private static JobDefinition follower(String name, String... parents) {
        return JobDefinition.builder(name)
                .shardingTotalCount(ITEMS)
                .failover(true)
                .maxFailovers(1_000)
                .after(AfterSettings.of(parents))
                .build();
    }

    private void nextFault() {
        time.after(Duration.ofMillis(100 + random.nextInt(5_000)), () -> {
            List<SimulatedProcess> living =
                    processes.stream().filter(SimulatedProcess::isAlive).toList();
            if (troubled && !living.isEmpty()) {
                SimulatedProcess one = living.get(random.nextInt(living.size()));
                switch (random.nextInt(4)) {
                    case 0 -> crash(one);
                    case 1 -> one.connection().cut(Duration.ofMillis(random.nextInt(15_000)), Duration.ofMillis(50));
                    case 2 -> one.connection().stall(Duration.ofMillis(random.nextInt(3_000)));
                    default -> one.registry().session().ifPresent(session -> network.expire(session.id()));
                }
            }
            if (troubled) {
                nextFault();
            }
        });
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
                if (!troubled) {
                    return Mishap.NONE;
                }
                if (random.nextInt(exchange.writes() ? 80 : 400) == 0) {
                    return random.nextBoolean() ? Mishap.CRASH_BEFORE : Mishap.CRASH_AFTER;
                }
                boolean loses = random.nextInt(exchange.writes() ? 12 : 80) == 0;
                return !loses ? Mishap.NONE : random.nextInt(3) == 0 ? Mishap.LOSE_REQUEST : Mishap.LOSE_ANSWER;
            }

            @Override
            public void crash() {
                FollowerWorld.this.crash(process);
            }
        };
    }

    String describe() {
        return Objects.requireNonNullElse(violation.orElse(null), "kept") + "\n" + String.join("\n", trace());
    }

    @Override
    public void close() {
        processes.forEach(SimulatedProcess::bury);
    }
}
