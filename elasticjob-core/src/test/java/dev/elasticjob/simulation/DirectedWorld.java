package dev.elasticjob.simulation;

import dev.elasticjob.coordination.run.ManualRuns;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Two instances of a job, mostly a daily one with a cluster listener, each with the real engine and an item of its own, on one thread and
 * in order: nothing is left to chance, and what goes wrong is what the schedule says. No later firing makes up for what
 * is missed.
 */
final class DirectedWorld {
    static final JobTree TREE = new JobTree(Scenario.JOB);
    /** A look at a firing ends it with what is known if there are more. */
    private static final int MAX_OPEN = 100;

    private static final Instant FIRING = Instant.parse("2026-03-01T03:00:00Z");
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(20);

    private final JobDefinition job;
    private final ManualTime time = new ManualTime(FIRING.minusSeconds(30));
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time, SESSION_TIMEOUT);
    private final InMemoryRegistry operator = new InMemoryRegistry(ensemble, Runnable::run);
    private final Map<String, InMemoryRegistry> registries = new HashMap<>();
    private final Map<String, Runnable> during = new HashMap<>();
    private final List<String> calls = new ArrayList<>();

    private final List<ClusterJobListener> listeners;

    DirectedWorld() {
        this(2);
    }

    DirectedWorld(int items) {
        this(items, true);
    }

    DirectedWorld(int items, boolean withListener) {
        this(JobDefinition.builder(Scenario.JOB).cron("0 0 3 * * ?").shardingTotalCount(items), withListener);
    }

    private DirectedWorld(JobDefinition.Builder job, boolean withListener) {
        this.listeners = withListener ? List.of(new Calls()) : List.of();
        this.job = job.timeZone(ZoneOffset.UTC).failover(true).build();
    }

    /** Of a job with one item that fires some time after its last end. */
    static DirectedWorld withDelay(Duration delay) {
        return new DirectedWorld(
                JobDefinition.builder(Scenario.JOB).fixedDelay(delay).jobShardingStrategyClass("AVG_ALLOCATION"),
                false);
    }

    /** @param fault what the registry does to the instance */
    void start(String instance, Flaw flaw, UnaryOperator<Registry> fault) {
        InMemoryRegistry registry = new InMemoryRegistry(ensemble, tasks::add);
        registries.put(instance, registry);
        ElasticJobEngine engine = ElasticJobEngine.builder(flaw.apply(fault.apply(registry)))
                .instanceId(instance)
                .ip("10.0.0." + registries.size())
                .clock(time)
                .timer(time)
                .coordinationExecutor(tasks::add)
                .workers(tasks::add)
                .clusterListeners(listeners)
                .build();
        boolean isDelayed = !job.fixedDelay().isZero();
        engine.register(job, context -> call(isDelayed ? context.getRunId() : "item " + context.getShardingItem()));
        engine.start();
        pass(Duration.ofSeconds(3));
    }

    /** Until some seconds after the firing: an instance still relies on its session then, whatever it has heard meanwhile. */
    void passTheFiring() {
        pass(Duration.between(time.instant(), FIRING).plusSeconds(4));
    }

    void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        settle();
        while (time.instant().isBefore(end)) {
            Duration left = Duration.between(time.instant(), end);
            time.advance(time.nextTask()
                    .map(next -> Duration.between(time.instant(), next))
                    .filter(next -> next.compareTo(left) < 0)
                    .orElse(left));
            settle();
        }
    }

    private void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    // ------------------------------------------------------------------ calls

    /** Happens within the first such call. */
    void during(String call, Runnable happens) {
        during.put(call, happens);
    }

    private void call(String call) {
        calls.add(call);
        Runnable happens = during.remove(call);
        if (happens != null) {
            happens.run();
        }
        calls.add(call + " returns");
    }

    /** What the application's code has seen, in order. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    private final class Calls implements ClusterJobListener {
        @Override
        public void beforeFirstItem(ClusterFiring firing) {
            call("before");
        }

        @Override
        public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {
            call("after");
        }
    }

    // ------------------------------------------------------------------ what happens

    Instant now() {
        return time.instant();
    }

    /** Asks for a run of all items, as an operator does. */
    void ask(UnaryOperator<Registry> connection, String runId) {
        Registry asking = connection.apply(new InMemoryRegistry(ensemble, tasks::add));
        new ManualRuns(TREE, asking, asking::commit).ask(ManualRun.of(runId));
    }

    /** Its connection is cut, and its session ends after its timeout. */
    void kill(String instance) {
        InMemoryRegistry registry = registries.get(instance);
        RegistrySession session = registry.session().orElseThrow();
        registry.disconnect();
        time.after(SESSION_TIMEOUT, () -> ensemble.expire(session));
    }

    /** A person deletes its node. */
    void remove(String instance) {
        delete(TREE.instance(instance));
    }

    /** A person deletes the node that says who leads. */
    void removeLeader() {
        delete(TREE.leader());
    }

    private void delete(String path) {
        operator.commit(
                        operator.session().orElseThrow(),
                        RegistryCommit.builder()
                                .delete(path, RegistryCommit.ANY_VERSION)
                                .build())
                .toCompletableFuture()
                .join();
    }

    /**
     * A run of all items is asked for, in a transaction for each.
     *
     * @param awake only the first one is sent before
     */
    void ask(Flaw flaw, CompletionStage<?> awake) {
        Registry asking = flaw.apply(new ChangedRegistry(new InMemoryRegistry(ensemble, tasks::add)) {
            private int sent;

            @Override
            public int bytesPerCommit() {
                return 1;
            }

            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                return sent++ == 0
                        ? super.commit(session, commit)
                        : awake.thenCompose(now -> super.commit(session, commit));
            }
        });
        new ManualRuns(TREE, asking, asking::commit).ask(ManualRun.of("run"));
    }

    /** Requests for runs of which nothing is known any more: so many that the oldest firing is ended. */
    void tooManyAreOpen() {
        RegistryNode node = operator.read(List.of(RegistryRead.data(TREE.firings())))
                .toCompletableFuture()
                .join()
                .node(TREE.firings())
                .orElseThrow();
        OpenFirings open = NodeCodec.readFirings(node, TREE.firings());
        for (int run = 0; run < MAX_OPEN; run++) {
            open = open.with(OpenFiring.manual("run" + run, new TreeSet<>(List.of(0, 1)), Phase.ITEMS, time.instant()));
        }
        RegistryCommit more = RegistryCommit.builder()
                .set(TREE.firings(), NodeCodec.write(open), node.version())
                .build();
        CommitOutcome outcome = operator.commit(operator.session().orElseThrow(), more)
                .toCompletableFuture()
                .join();
        if (!outcome.isCommitted()) {
            throw new IllegalStateException("Firings were expected to be opened, but: " + outcome);
        }
    }

    boolean isOpen() {
        return operator.read(List.of(RegistryRead.data(TREE.firings())))
                .toCompletableFuture()
                .join()
                .node(TREE.firings())
                .map(node -> NodeCodec.readFirings(node, TREE.firings()))
                .flatMap(open -> open.at(FIRING))
                .isPresent();
    }
}
