package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.TaskTimer;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Several engines, one thread, virtual time: the seed decides every interleaving of their tasks, of the registry's
 * requests and answers, and of the passing of time.
 */
public final class SimulatedCluster {
    public static final Instant START = Instant.parse("2026-03-01T00:00:00.5Z");
    private static final int TASKS_BETWEEN_LEAPS = 40;
    private static final int PATIENCE_SECONDS = 20;

    private final SeededExecutor tasks;
    private final ManualTime time = new ManualTime(START);
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final List<String> trace = new ArrayList<>();
    private final List<Execution> executions = new ArrayList<>();
    private final List<JobEvent> events = new ArrayList<>();
    private Optional<SeededExecutor> held = Optional.empty();
    private Optional<InMemoryRegistry> operator = Optional.empty();

    public SimulatedCluster(long seed) {
        this.tasks = new SeededExecutor(seed);
    }

    /** Of the instances {@code a@-@1} and {@code b@-@1}, which have had a second to begin. */
    static SimulatedCluster ofTwo(JobDefinition job) {
        var cluster = new SimulatedCluster(5);
        cluster.start("a@-@1", job);
        cluster.start("b@-@1", job);
        cluster.pass(Duration.ofSeconds(1));
        return cluster;
    }

    record Execution(String instance, int item, Instant scheduledAt, int attempt, String taskId, String runId) {}

    /** What is claimed from now on doesn't begin until {@link #letItemsBegin}: it is executing, for all others know. */
    public void holdItems() {
        held = Optional.of(new SeededExecutor(0));
    }

    public void letItemsBegin() {
        SeededExecutor waiting = held.orElseThrow();
        held = Optional.empty();
        while (waiting.runOne()) {
            // The next one.
        }
    }

    /** A client of its own, for operators. */
    public Registry operator() {
        return operator.orElseGet(() -> {
            operator = Optional.of(new InMemoryRegistry(ensemble, tasks));
            return operator.get();
        });
    }

    /** Of all that have no other one. */
    public Clock clock() {
        return time;
    }

    /** Of an operator, whose clock stands still. */
    JobInspector inspector() {
        return new RegistryJobInspector(operator(), Clock.fixed(now(), ZoneOffset.UTC), time, this::now, TreeMap::new);
    }

    /** The registry's servers. */
    public InMemoryEnsemble ensemble() {
        return ensemble;
    }

    /** The virtual time, for what waits. */
    public TaskTimer timer() {
        return time;
    }

    /** Writes as an operator's tool does. */
    public void commit(RegistryCommit.Builder commit) {
        Registry registry = operator();
        CommitOutcome outcome = get(registry.commit(registry.session().orElseThrow(), commit.build()));
        if (!(outcome instanceof CommitOutcome.Committed)) {
            throw new IllegalStateException("The operator was refused: " + outcome);
        }
    }

    Optional<RegistryNode> read(String path) {
        return get(operator().read(List.of(RegistryRead.data(path)))).node(path);
    }

    /** The answer: at once, if it can be had without time passing; else some seconds pass. */
    public <T> T get(CompletionStage<T> stage) {
        settle();
        for (int second = 0;
                second < PATIENCE_SECONDS && !stage.toCompletableFuture().isDone();
                second++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(stage.toCompletableFuture()).as("what was asked for").isDone();
        return stage.toCompletableFuture().join();
    }

    public ElasticJobEngine engine(String instance) {
        return nodes.get(instance).engine();
    }

    /** Ends the session of an instance, as after its timeout. */
    void expire(String instance) {
        ensemble.expire(nodes.get(instance).registry().session().orElseThrow());
    }

    List<JobEvent> events() {
        return events;
    }

    /** @param alive whether its process is: without it, nothing of what it has planned is done */
    private record Node(ElasticJobEngine engine, InMemoryRegistry registry, AtomicBoolean alive) {}

    /** Starts an instance of the job; it joins as time passes. */
    void start(String instance, JobDefinition definition) {
        start(instance, definition, context -> noted(instance, context), UnaryOperator.identity());
    }

    /** The same, with settings of the engine. */
    void start(String instance, JobDefinition definition, UnaryOperator<ElasticJobEngineBuilder> settings) {
        start(instance, definition, context -> noted(instance, context), settings);
    }

    /** Notes an execution of a job of the test's own. */
    void noted(String instance, ShardingContext context) {
        executions.add(new Execution(
                instance,
                context.getShardingItem(),
                context.getScheduledTime(),
                context.getAttempt(),
                context.getTaskId(),
                context.getRunId()));
    }

    /**
     * Starts an instance with a job of the test's own, which may call back into this: so it can last while other things
     * happen.
     */
    void start(
            String instance, JobDefinition definition, SimpleJob job, UnaryOperator<ElasticJobEngineBuilder> settings) {
        start(instance, engine -> engine.register(definition, job), settings);
    }

    /** @param jobs registers the jobs that the instance has itself */
    void start(String instance, Consumer<ElasticJobEngine> jobs, UnaryOperator<ElasticJobEngineBuilder> settings) {
        start(instance, jobs, settings, UnaryOperator.identity());
    }

    /** @param changed what the engine has in place of the registry */
    public void start(
            String instance,
            Consumer<ElasticJobEngine> jobs,
            UnaryOperator<ElasticJobEngineBuilder> settings,
            UnaryOperator<Registry> changed) {
        InMemoryRegistry registry = new InMemoryRegistry(ensemble, tasks);
        AtomicBoolean alive = new AtomicBoolean(true);
        ElasticJobEngine engine = settings.apply(ElasticJobEngine.builder(changed.apply(registry))
                        .instanceId(instance)
                        .ip("10.0.0." + (nodes.size() + 1))
                        .clock(time)
                        .timer(time)
                        .coordinationExecutor(inOrder(alive))
                        .workers(task -> (held.isPresent() ? held.get() : tasks).execute(whileAlive(alive, task)))
                        .listener(event -> note(instance, event)))
                .build();
        jobs.accept(engine);
        nodes.put(instance, new Node(engine, registry, alive));
        note(instance, "starts");
        engine.start();
    }

    /** One engine's coordination: its tasks in order, between everybody else's at the seed's choice. */
    private Executor inOrder(AtomicBoolean alive) {
        Queue<Runnable> queue = new ArrayDeque<>();
        return task -> {
            queue.add(whileAlive(alive, task));
            tasks.execute(() -> queue.remove().run());
        };
    }

    private static Runnable whileAlive(AtomicBoolean alive, Runnable task) {
        return () -> {
            if (alive.get()) {
                task.run();
            }
        };
    }

    /** Ends an instance in good order, as time passes. */
    void stop(String instance) {
        stop(instance, () -> {});
    }

    /** The same; then runs that. */
    public void stop(String instance, Runnable whenLeft) {
        Node node = nodes.remove(instance);
        note(instance, "stops");
        node.engine().stop().whenComplete((done, error) -> {
            note(instance, "has left");
            node.registry().close();
            whenLeft.run();
        });
    }

    /** Ends an instance's process at once; its session ends after its timeout. */
    public void kill(String instance) {
        Node node = nodes.remove(instance);
        note(instance, "dies");
        node.alive().set(false);
        RegistrySession session = node.registry().session().orElseThrow();
        time.after(session.timeout(), node.registry()::close);
    }

    /** Cuts an instance's connection to the registry, until {@link #reconnect}. Its session lives on. */
    public void disconnect(String instance) {
        nodes.get(instance).registry().disconnect();
    }

    public void reconnect(String instance) {
        nodes.get(instance).registry().reconnect();
    }

    /** Lets time pass; what waits to be done is done on the way, in an order of the seed's choice. */
    public void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        while (time.instant().isBefore(end)) {
            int patience = tasks.choose(TASKS_BETWEEN_LEAPS);
            boolean idle = !tasks.runOne();
            for (int i = 0; i < patience && !idle; i++) {
                idle = !tasks.runOne();
            }
            Duration left = Duration.between(time.instant(), end);
            Duration leap = idle
                    ? time.nextTask()
                            .map(next -> Duration.between(time.instant(), next))
                            .orElse(left)
                    : Duration.ofMillis(1);
            time.advance(leap.compareTo(left) > 0 ? left : leap);
        }
        settle();
    }

    /** Does so many of the tasks that wait, and leaves the others. */
    void steps(int count) {
        for (int step = 0; step < count; step++) {
            tasks.runOne();
        }
    }

    /** Does everything that can be done without time passing. */
    void settle() {
        while (tasks.runOne()) {
            // The next one.
        }
    }

    public Instant now() {
        return time.instant();
    }

    /** How many requests were sent so far, by everybody. */
    long requests() {
        return ensemble.requests();
    }

    /** How many watches the registry keeps for all instances. */
    int watches() {
        return nodes.values().stream()
                .mapToInt(node -> node.registry().watches())
                .sum();
    }

    /** How many timers wait. */
    int timers() {
        return time.waiting();
    }

    /** Forgets what it has noted so far. */
    void forget() {
        executions.clear();
        events.clear();
        trace.clear();
    }

    List<Execution> executions() {
        return executions;
    }

    List<String> trace() {
        return trace;
    }

    String tree() {
        return ensemble.render();
    }

    private void note(String instance, Object what) {
        trace.add(time.instant() + " " + instance + " " + what);
    }

    private void note(String instance, JobEvent event) {
        events.add(event);
        note(instance, (Object) event);
    }
}
