package dev.elasticjob.engine;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.Latch;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * One engine with one job, an operator beside it, and a test that decides when anything happens: tasks run in order when
 * they are told to, items on threads that begin when they are told to, and time stands still in between. A job may call
 * back into this: so it can last while other things happen.
 */
final class OneEngine {
    static final JobTree TREE = new JobTree("orders");

    final ManualTime time;
    final InMemoryRegistry registry;
    final List<JobEvent> events = new ArrayList<>();
    final ElasticJobEngine engine;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final InMemoryEnsemble ensemble;
    private final InMemoryRegistry operator;
    private boolean atWork;
    /** How far the registry's clock is ahead of all others. */
    private Duration registryAhead = Duration.ZERO;

    OneEngine(Instant start, JobDefinition definition, SimpleJob job) {
        this(start, definition, job, UnaryOperator.identity());
    }

    /** For a job that is done by its definition alone. */
    OneEngine(Instant start, JobDefinition definition) {
        this(start, UnaryOperator.identity(), UnaryOperator.identity());
        engine.register(definition);
    }

    OneEngine(Instant start, JobDefinition definition, DataflowJob<?> job) {
        this(start, UnaryOperator.identity(), UnaryOperator.identity());
        engine.register(definition, job);
    }

    /** @param settings of the engine, instead of or beside those that make it a test's */
    OneEngine(Instant start, JobDefinition definition, SimpleJob job, UnaryOperator<ElasticJobEngineBuilder> settings) {
        this(start, definition, job, settings, UnaryOperator.identity());
    }

    /** @param changed what the engine has in place of the registry */
    OneEngine(
            Instant start,
            JobDefinition definition,
            SimpleJob job,
            UnaryOperator<ElasticJobEngineBuilder> settings,
            UnaryOperator<Registry> changed) {
        this(start, settings, changed);
        engine.register(definition, job);
    }

    private OneEngine(Instant start, UnaryOperator<ElasticJobEngineBuilder> settings, UnaryOperator<Registry> changed) {
        time = new ManualTime(start);
        InstantSource registryClock = () -> time.instant().plus(registryAhead);
        ensemble = new InMemoryEnsemble(registryClock.withZone(ZoneOffset.UTC), Duration.ofSeconds(20));
        registry = new InMemoryRegistry(ensemble, tasks::add);
        operator = new InMemoryRegistry(ensemble, Runnable::run);
        engine = settings.apply(builder(changed.apply(registry))).build();
    }

    private ElasticJobEngineBuilder builder(Registry on) {
        return ElasticJobEngine.builder(on)
                .instanceId("a@-@1")
                .ip("10.0.0.1")
                .clock(time)
                .timer(time)
                .coordinationExecutor(tasks::add)
                .workers(threads::add)
                .listener(events::add);
    }

    /** One more engine on the same registry. */
    ElasticJobEngine another() {
        return builder(registry).build();
    }

    /** Starts the engine, which joins and shares out its items. */
    OneEngine started() {
        engine.start();
        settle();
        return this;
    }

    /** Does all that can be done without time passing, but begins no item. */
    void settle() {
        while (runOne()) {
            // The next one.
        }
    }

    boolean runOne() {
        Runnable task = tasks.poll();
        if (task != null) {
            boolean before = atWork;
            atWork = true;
            try {
                task.run();
            } finally {
                atWork = before;
            }
        }
        return task != null;
    }

    /** Whether the engine's own thread is at work: whom it calls, it waits for, and does nothing else meanwhile. */
    boolean isAtWork() {
        return atWork;
    }

    /** Begins the items that have a thread; each runs to its end. */
    void runItems() {
        while (!threads.isEmpty()) {
            threads.remove().run();
            settle();
        }
    }

    /** Begins the items that have a thread, and does nothing about their ends yet. */
    void returnItems() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    /** Lets time pass in small steps, and does on the way what can be done; no item begins. */
    void pass(Duration duration) {
        pass(duration, this::settle);
    }

    /** The same, but items begin as soon as they have a thread. One that lasts calls this again for as long as it does. */
    void passRunning(Duration duration) {
        Instant end = time.instant().plus(duration);
        pass(duration, () -> {
            settle();
            while (!threads.isEmpty() && time.instant().isBefore(end)) {
                threads.remove().run();
                settle();
            }
        });
    }

    private void pass(Duration duration, Runnable onTheWay) {
        Instant end = time.instant().plus(duration);
        onTheWay.run();
        while (time.instant().isBefore(end)) {
            Duration left = Duration.between(time.instant(), end);
            Duration step = time.nextTask()
                    .map(next -> Duration.between(time.instant(), next))
                    .filter(next -> next.compareTo(left) < 0)
                    .orElse(left);
            time.advance(step);
            onTheWay.run();
        }
    }

    /** The servers end the engine's session, as after its timeout; its client has to come back for a new one. */
    void expireSession() {
        ensemble.expire(registry.session().orElseThrow());
    }

    /** The registry loses all its data. */
    void lose() {
        ensemble.empty();
    }

    /** Sets the registry's clock. */
    void registryIsAhead(Duration ahead) {
        registryAhead = ahead;
    }

    int waitingItems() {
        return threads.size();
    }

    /** How many requests were sent so far, by everybody. */
    long requests() {
        return ensemble.requests();
    }

    String tree() {
        return ensemble.render();
    }

    Optional<RegistryNode> read(String path) {
        return now(operator.read(List.of(RegistryRead.data(path)))).node(path);
    }

    /** Another instance's turn at sharing out interrupted items. */
    Latch holdLatch() {
        return operator.enterLatch(TREE.failoverLatch(), "z@-@1");
    }

    /** Another instance shows itself, and does nothing more. */
    void joins(String instance) {
        operate(RegistryCommit.builder()
                .createEphemeral(TREE.instance(instance), "{\"jobInstanceId\":\"%s\"}".formatted(instance)));
    }

    /** An operator's commands, from another process. */
    JobAdmin admin() {
        return new RegistryJobAdmin(operator);
    }

    /** What people see of the job, from another process. */
    JobInspector inspector() {
        return new RegistryJobInspector(operator, time, time, time::instant, TreeMap::new);
    }

    /** What an operator does to the tree. */
    void operate(RegistryCommit.Builder change) {
        CommitOutcome outcome = now(operator.commit(operator.session().orElseThrow(), change.build()));
        if (outcome instanceof CommitOutcome.Refused) {
            throw new AssertionError("The operator's change was refused: " + outcome);
        }
    }

    void configure(JobDefinition definition) {
        Optional<byte[]> stored = read(TREE.config()).map(RegistryNode::data);
        operate(RegistryCommit.builder()
                .set(TREE.config(), new JobDefinitionCodec().config(definition, stored), RegistryCommit.ANY_VERSION));
    }

    private static <T> T now(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        if (!future.isDone()) {
            throw new AssertionError("The operator's own connection answers at once");
        }
        return future.join();
    }
}
