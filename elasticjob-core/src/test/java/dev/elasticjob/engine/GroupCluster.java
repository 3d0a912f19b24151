package dev.elasticjob.engine;

import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Engines that take part in groups, on one thread and in virtual time. A call of a notice begins as soon as it has a thread,
 * unless the test holds the instance's calls.
 */
final class GroupCluster {
    static final String ROOT = "//dynamic-sharding";

    final ManualTime time = new ManualTime(Instant.parse("2026-03-01T00:00:00Z"));
    final List<GroupEvent> events = new ArrayList<>();
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time, Duration.ofSeconds(20));
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Map<String, Instance> instances = new LinkedHashMap<>();
    final InMemoryRegistry operator = new InMemoryRegistry(ensemble, Runnable::run);

    /** One process. */
    final class Instance implements ShardingNotice {
        final String id;
        final InMemoryRegistry registry;
        final ElasticJobEngine engine;
        /** What it was told, in order: {@code "0/2"} for an index and a total, {@code "stop"}. */
        final List<String> told = new ArrayList<>();

        final List<ShardAssignment> assignments = new ArrayList<>();
        final Deque<Runnable> calls = new ArrayDeque<>();
        boolean held;
        Optional<RuntimeException> failure = Optional.empty();
        private boolean ended;

        Instance(String id, InMemoryRegistry registry, Registry seen, UnaryOperator<ElasticJobEngineBuilder> settings) {
            this.id = id;
            this.registry = registry;
            this.engine = settings.apply(ElasticJobEngine.builder(seen)
                            .instanceId(id)
                            .ip("10.0.0.1")
                            .clock(time)
                            .timer(time)
                            .coordinationExecutor(task -> tasks.add(() -> unlessEnded(task)))
                            .workers(this::call)
                            .groupJoinDelay(Duration.ZERO)
                            .groupListeners(() -> List.of(events::add)))
                    .build();
        }

        private void unlessEnded(Runnable task) {
            if (!ended) {
                task.run();
            }
        }

        /** Closes its engine, whose threads end. */
        void close() {
            engine.close();
            ended = true;
        }

        private void call(Runnable call) {
            if (held) {
                calls.add(call);
            } else {
                tasks.add(call);
            }
        }

        /** Calls of the notice don't begin until {@link #letCalls}. */
        Instance holdCalls() {
            held = true;
            return this;
        }

        void letCalls() {
            held = false;
            while (!calls.isEmpty()) {
                calls.remove().run();
            }
            settle();
        }

        @Override
        public void startSharding() {
            told.add("stop");
            failure.ifPresent(thrown -> {
                throw thrown;
            });
        }

        @Override
        public void shardingCompleted(ShardAssignment assignment) {
            told.add(assignment.index() + "/" + assignment.total());
            assignments.add(assignment);
            failure.ifPresent(thrown -> {
                throw thrown;
            });
        }

        ShardAssignment last() {
            return assignments.get(assignments.size() - 1);
        }
    }

    /** Starts an instance that takes part in the group without a name. */
    Instance start(String id) {
        return start(id, "", UnaryOperator.identity());
    }

    Instance start(String id, String group, UnaryOperator<ElasticJobEngineBuilder> settings) {
        Instance instance = prepare(id, settings);
        instance.engine.groups().join(group, instance);
        instance.engine.start();
        settle();
        return instance;
    }

    Instance prepare(String id, UnaryOperator<ElasticJobEngineBuilder> settings) {
        var registry = new InMemoryRegistry(ensemble, tasks::add);
        return prepare(id, registry, registry, settings);
    }

    private Instance prepare(
            String id, InMemoryRegistry registry, Registry seen, UnaryOperator<ElasticJobEngineBuilder> settings) {
        Instance instance = new Instance(id, registry, seen, settings);
        instances.put(id, instance);
        return instance;
    }

    /** Another engine on the registry of one that is closed. */
    Instance startAfter(Instance former) {
        Instance instance = prepare(former.id, former.registry, former.registry, UnaryOperator.identity());
        instance.engine.groups().join("", instance);
        instance.engine.start();
        settle();
        return instance;
    }

    /**
     * Starts an instance that doesn't learn that it has created a node: the answer is lost, and so is the connection, as
     * soon as the repetition has been refused.
     */
    Instance startWithoutAnswer(String id, String path) {
        var registry = new InMemoryRegistry(ensemble, tasks::add);
        Instance instance = prepare(id, registry, new WithoutAnswer(registry, path), UnaryOperator.identity());
        instance.engine.groups().join("", instance);
        instance.engine.start();
        pass(Duration.ofSeconds(1));
        return instance;
    }

    private static final class WithoutAnswer extends ChangedRegistry {
        private final InMemoryRegistry registry;
        private final String path;
        private int tries;

        WithoutAnswer(InMemoryRegistry registry, String path) {
            super(registry);
            this.registry = registry;
            this.path = path;
        }

        @Override
        public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
            CompletionStage<CommitOutcome> answer = super.commit(session, commit);
            if (tries > 1
                    || commit.operations().stream()
                            .noneMatch(step -> step.path().equals(path))) {
                return answer;
            }
            tries++;
            return tries == 1
                    ? answer.thenCompose(lost -> CompletableFuture.failedFuture(
                            new RegistryUnavailableException("The answer is lost", true, new IOException())))
                    : answer.whenComplete((refused, error) -> registry.disconnect());
        }
    }

    /** The servers end the instance's session, as after its timeout. */
    void expire(Instance instance) {
        ensemble.expire(instance.registry.session().orElseThrow());
        settle();
    }

    /** Does all that can be done without time passing. */
    void settle() {
        Runnable task = tasks.poll();
        while (task != null) {
            task.run();
            task = tasks.poll();
        }
    }

    void pass(Duration duration) {
        Instant end = time.instant().plus(duration);
        settle();
        while (time.instant().isBefore(end)) {
            Duration left = Duration.between(time.instant(), end);
            Duration step = time.nextTask()
                    .map(next -> Duration.between(time.instant(), next))
                    .filter(next -> next.compareTo(left) < 0)
                    .orElse(left);
            time.advance(step);
            settle();
        }
    }

    <T> T get(CompletionStage<T> stage) {
        settle();
        if (!stage.toCompletableFuture().isDone()) {
            throw new AssertionError("Not done yet\n" + tree());
        }
        return stage.toCompletableFuture().join();
    }

    /** How many requests everybody has sent. */
    long requests() {
        return ensemble.requests();
    }

    String tree() {
        return ensemble.render();
    }

    Optional<RegistryNode> read(String path) {
        return get(operator.read(List.of(RegistryRead.data(path)))).node(path);
    }

    List<String> children(String path) {
        return get(operator.read(List.of(RegistryRead.children(path)))).children(path);
    }

    void operate(RegistryCommit.Builder change) {
        CommitOutcome outcome = get(operator.commit(operator.session().orElseThrow(), change.build()));
        if (!outcome.isCommitted()) {
            throw new AssertionError("The operator was refused: " + outcome);
        }
        settle();
    }
}
