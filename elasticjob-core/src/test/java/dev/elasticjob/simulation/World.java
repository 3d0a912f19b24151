package dev.elasticjob.simulation;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.engine.CountedEngines;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One run: a cluster that lives through its faults, is left alone, and has to have kept its promises. One thread does
 * it all; the seed decides what it does next and when time passes.
 */
final class World implements AutoCloseable {
    static final Instant START = Instant.parse("2026-03-01T00:00:00.300Z");
    static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);
    /** Of the smallest process that has one, if items have weights: all of them have room once they are light. */
    static final int CAPACITY = 12;

    static final int THREADS = 8;
    /** What a job may take to respond to its interruption: less than the servers' tick, which the lease leaves for it. */
    private static final Duration TO_RESPOND = Duration.ofMillis(900);

    /** Of cluster listeners; now and then more than their timeout. */
    private static final Duration LONGEST_CALL = Duration.ofMillis(5_500);

    private static final String REPLACED = "REPLACED";
    private static final int SERVERS = 3;
    private static final int MOST_WORDS = 3;
    private static final int STEPS_BETWEEN_LEAPS = 12;
    private static final int MOST_STEPS = 600_000;

    private final Scenario scenario;
    private final Random random;
    private final ManualTime time = new ManualTime(START);
    private final Steps steps;
    private final Network network;
    private final Trace trace;
    private final Map<String, Oracle> oracles = new LinkedHashMap<>();
    private final Flaw flaw;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    /** By their names. */
    private final Map<String, Traits> traits = new HashMap<>();

    private Duration longestBody;
    private boolean troubled = true;
    private int taken;

    World(Scenario scenario, Flaw flaw, boolean traced) {
        this.scenario = scenario;
        this.longestBody = scenario.longestBody();
        this.random = new Random(scenario.seed() * 31 + 7);
        this.steps = new Steps(random);
        this.trace = new Trace(time, traced);
        this.network = new Network(time, random, steps, trace, SESSION_TIMEOUT, SERVERS);
        for (JobDefinition job : scenario.definitions()) {
            JobTree tree = new JobTree(job.jobName());
            oracles.put(job.jobName(), new Oracle(tree, time, network.quorum(), trace));
        }
        this.flaw = flaw;
        network.servers().forEach(server -> server.follow(scenario.eagerness()));
    }

    // ------------------------------------------------------------------ the course of a run

    /** Lives a whole life; what was promised and not kept, if anything. */
    Optional<String> live() {
        for (int i = 0; i < scenario.processes(); i++) {
            start("10.0.0." + (i + 1) + "@-@1", skew());
        }
        if (scenario.asksInParts()) {
            network.takeOnlySmallCommits();
        }
        Faults faults = new Faults(this, scenario, random);
        pass(Duration.ofSeconds(3));
        if (scenario.opensFirings()) {
            firingsAreOpened();
        }
        faults.begin();
        pass(scenario.trouble());
        faults.end();
        troubled = false;
        network.calmDown();
        oracles.values().forEach(oracle -> oracle.watch().isCalm());
        takeUpTo(Duration.ofMillis(300));
        new Settling(this, scenario).run();
        new DemandOracle(this, scenario, flaw).run();
        return violation();
    }

    /** Another job runs after this one. Its instances are elsewhere, so what it has to run for is never deleted. */
    private void firingsAreOpened() {
        JobTree job = new JobTree(Scenario.JOB);
        while (quorum().tree().node(job.flags()).isEmpty() && violation().isEmpty()) {
            pass(Duration.ofMillis(500));
        }
        JobDefinition follower = JobDefinition.builder(Scenario.FOLLOWER)
                .shardingTotalCount(1)
                .after(new AfterSettings(List.of(Scenario.JOB), AfterOutcome.ANY, Duration.ofDays(1)))
                .build();
        JobTree tree = new JobTree(Scenario.FOLLOWER);
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .create(tree.root(), "")
                .create(tree.extension(), new JobDefinitionCodec().extension(follower, Optional.empty()))
                .create(tree.after(), "")
                .create(job.followers(), "")
                .create(job.follower(Scenario.FOLLOWER), "");
        Optional<RegistryNode> bell = quorum().tree().node(job.necessary());
        commit.setOrCreate(job.necessary(), bell.map(RegistryNode::text).orElse(""), bell.map(RegistryNode::version));
        CommitOutcome outcome = quorum().commit(0, commit.build());
        trace.note("follower", () -> Trace.describe(commit.build()) + " -> " + outcome);
    }

    /** Lets time pass; what can be done meanwhile is done, unless a promise is broken: that ends everything. */
    void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (time.instant().isBefore(end) && violation().isEmpty()) {
            boolean idle = !steps.one();
            taken++;
            if (taken > MOST_STEPS) {
                noEnd();
            }
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

    /** Does all that can be done without time passing. */
    void settle() {
        while (steps.one() && violation().isEmpty()) {
            taken++;
            if (taken > MOST_STEPS) {
                noEnd();
            }
        }
    }

    private void noEnd() {
        oracles().get(0).violated("a healthy cluster settles: there is no end of it after " + taken + " steps");
    }

    /** The first promise that was broken, of whichever job. */
    Optional<String> violation() {
        for (Oracle oracle : oracles.values()) {
            if (oracle.violation().isPresent()) {
                return oracle.violation();
            }
        }
        return Optional.empty();
    }

    int stepsTaken() {
        return taken;
    }

    // ------------------------------------------------------------------ processes

    SimulatedProcess start(String instanceId, Duration skew) {
        return start(instanceId, skew, engine -> new CompletableFuture<>());
    }

    /** @param finished when it has done what it is there for, and ends by itself; asked before its engine starts */
    SimulatedProcess start(
            String instanceId, Duration skew, Function<ElasticJobEngine, CompletionStage<Void>> finished) {
        return start(instanceId, skew, Traits.of(scenario, processes.size() + 1), finished);
    }

    /** One like another that has left: with its labels, and with its capacity. */
    SimulatedProcess startInPlaceOf(SimulatedProcess other, String instanceId) {
        return start(instanceId, Duration.ZERO, traits(other), engine -> new CompletableFuture<>());
    }

    private SimulatedProcess start(
            String instanceId, Duration skew, Traits its, Function<ElasticJobEngine, CompletionStage<Void>> finished) {
        String name = "p" + (processes.size() + 1);
        String ip = instanceId.substring(0, instanceId.indexOf('@'));
        SimulatedProcess process = new SimulatedProcess(name, instanceId, ip, skew, time, steps, network, flaw);
        processes.add(process);
        traits.put(name, its);
        note(name, "starts as " + instanceId + " with its clock at " + skew);
        ElasticJobEngineBuilder builder =
                CountedEngines.builder(ElasticJobEngine.builder(process.registry()), flaw::capacity);
        if (scenario.weighs() || scenario.dividesByWeight()) {
            its.capacity().ifPresent(builder::capacity);
        }
        ElasticJobEngine engine = builder.instanceId(instanceId)
                .ip(ip)
                .labels(its.labels())
                .clock(process.clock())
                .timer(process.engineTimer())
                .coordinationExecutor(process::coordinate)
                .workers(process.workers())
                .strategies(
                        replaced().map(strategy -> Map.of(REPLACED, strategy)).orElse(Map.of()))
                .maxThreads(THREADS)
                .rebalanceDelay(scenario.rebalanceDelay())
                .shutdownTimeout(Duration.ofSeconds(4))
                .clusterListeners(List.of(new SimulatedListener(this, process)))
                .listener(event -> told(process, event))
                .build();
        scenario.definitions().forEach(job -> register(process, engine, divided(job)));
        finished.apply(engine).thenRun(() -> process.coordinate(() -> endsByItself(process)));
        process.run(engine);
        return process;
    }

    private void endsByItself(SimulatedProcess process) {
        note(process.name(), "has nothing left to do, and ends");
        process.stop(() -> exits(process));
    }

    /** The strategy that the job has in place of its own, if that is the flaw of this world. */
    private Optional<ShardingStrategy> replaced() {
        return scenario.boundsMoves() ? flaw.inPlaceOf(scenario.strategy()) : Optional.empty();
    }

    private JobDefinition divided(JobDefinition job) {
        return replaced().isEmpty()
                ? job
                : job.toBuilder().jobShardingStrategyClass(REPLACED).build();
    }

    Traits traits(SimulatedProcess process) {
        return Objects.requireNonNull(traits.get(process.name()), process.name());
    }

    /** What is told of the other job that runs after one of these concerns nobody here. */
    private void told(SimulatedProcess process, JobEvent event) {
        if (oracles.containsKey(event.jobName())) {
            oracle(event.jobName()).told(process, event);
        }
    }

    private void register(SimulatedProcess process, ElasticJobEngine engine, JobDefinition job) {
        Oracle oracle = oracle(job.jobName());
        oracle.holds().mayEnd(oracle.tree().drain(process.instanceId()));
        engine.register(job, context -> body(process, context));
    }

    /** The process gives up a job, and takes part in it again some time later; not while it does so already. */
    void registerAnew(SimulatedProcess process, JobDefinition job, Duration later) {
        ElasticJobEngine engine = process.engine();
        if (!engine.jobNames().contains(job.jobName())) {
            return;
        }
        note(process.name(), "unregisters " + job.jobName() + ", for " + later);
        engine.unregister(job.jobName())
                .whenComplete((left, error) -> note(process.name(), "has left " + job.jobName()));
        if (later.isZero()) {
            register(process, engine, job);
        } else {
            process.timer().after(later, () -> register(process, engine, job));
        }
    }

    /** Its engine stops, and starts again, perhaps while what it executes still ends. */
    void restart(SimulatedProcess process, Duration later) {
        note(process.name(), "stops its engine, for " + later);
        process.restart(later, () -> {
            note(process.name(), "starts its engine again");
            oracles().forEach(oracle -> oracle.holds().mayEnd(oracle.tree().drain(process.instanceId())));
        });
    }

    private void body(SimulatedProcess process, ShardingContext context) throws InterruptedException {
        Oracle oracle = oracle(context.getJobName());
        boolean stubborn = troubled && random.nextInt(100) < scenario.stubborn();
        Execution execution = oracle.begins(process, context, stubborn);
        CapacityChain capacity = oracle(Scenario.JOB).capacity();
        capacity.begins(execution, oracle.tree());
        try {
            long longest = longestBody.toMillis();
            long takes = random.nextInt(5) == 0 ? 0 : random.nextLong(longest + 1);
            int words = execution.token() == 0 ? 0 : random.nextInt(MOST_WORDS + 1);
            for (int word = 1; word <= words; word++) {
                BodyThread.takeTime(Duration.ofMillis(takes / words), !stubborn);
                context.checkpoint(oracle.checkpoints().says(execution, word));
            }
            BodyThread.takeTime(Duration.ofMillis(words == 0 ? takes : 0), !stubborn);
            boolean failsOften =
                    scenario.pausesAfterFailures() && context.getJobName().equals(Scenario.JOB);
            if (troubled && random.nextInt(failsOften ? 2 : 20) == 0) {
                throw new IllegalStateException("this body fails");
            }
            oracle.hooks().completes(execution);
        } catch (InterruptedException interruption) {
            if (scenario.has(Fault.SILENCED_AFTER_A_CLAIM)) {
                BodyThread.takeTime(TO_RESPOND, false);
            }
            throw interruption;
        } finally {
            if (process.isAlive()) {
                capacity.returns(execution);
                oracle.returns(execution);
            }
        }
    }

    /** A call of cluster listeners: it takes its time, and fails now and then. */
    void call(SimulatedProcess process, HookKind kind, ClusterFiring firing, Optional<FiringOutcomes> outcomes)
            throws InterruptedException {
        HookChain hooks = oracle(firing.jobName()).hooks();
        boolean stubborn = troubled && random.nextInt(100) < scenario.stubborn();
        HookChain.Call call = hooks.begins(process, kind, firing, outcomes, stubborn);
        Duration longest = troubled ? LONGEST_CALL : Duration.ofMillis(200);
        try {
            BodyThread.takeTime(Duration.ofMillis(random.nextLong(longest.toMillis() + 1)), !stubborn);
        } catch (InterruptedException interruption) {
            if (process.isAlive()) {
                hooks.isCutOff(call);
            }
            throw interruption;
        }
        boolean fails = troubled && random.nextInt(20) == 0;
        if (process.isAlive() && fails && BodyThread.hasIgnoredAnInterruption()) {
            // Nobody can tell whether it fails because of that.
            hooks.isCutOff(call);
        } else if (process.isAlive() && fails) {
            hooks.fails(call);
        } else if (process.isAlive()) {
            hooks.returns(call);
        }
        if (fails) {
            throw new IllegalStateException("this listener fails");
        }
    }

    void crash(SimulatedProcess process) {
        note(process.name(), "CRASHES");
        process.crash();
        oracles.values().forEach(oracle -> oracle.died(process));
    }

    /** It has left, and what still runs there ends with it. */
    void exits(SimulatedProcess process) {
        note(process.name(), "exits");
        process.crash();
        oracles.values().forEach(oracle -> oracle.died(process));
    }

    /** How long bodies take from now on. */
    void takeUpTo(Duration longest) {
        longestBody = longest;
    }

    List<SimulatedProcess> processes() {
        return processes;
    }

    List<SimulatedProcess> living() {
        return processes.stream().filter(SimulatedProcess::isAlive).toList();
    }

    Duration skew() {
        long most = scenario.skew().toMillis();
        return Duration.ofMillis(most == 0 ? 0 : random.nextLong(2 * most + 1) - most);
    }

    // ------------------------------------------------------------------ what there is

    Network network() {
        return network;
    }

    Quorum quorum() {
        return network.quorum();
    }

    ManualTime time() {
        return time;
    }

    Scenario scenario() {
        return scenario;
    }

    /** One for each job. */
    List<Oracle> oracles() {
        return List.copyOf(oracles.values());
    }

    Oracle oracle(String job) {
        return Objects.requireNonNull(oracles.get(job), job);
    }

    Trace trace() {
        return trace;
    }

    void note(String who, String what) {
        trace.note(who, () -> what);
    }

    @Override
    public void close() {
        processes.forEach(SimulatedProcess::bury);
    }
}
