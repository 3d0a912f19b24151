package dev.elasticjob.engine;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Engines on a real ZooKeeper, each with its own connection, and what they tell. All that was opened is
 * closed behind the test. For one thread.
 */
final class RealEngines implements AfterEachCallback, AutoCloseable {
    private final Opened opened = new Opened();
    private final TestZooKeeper server;
    private final String namespace;
    private final EventLog events = new EventLog();
    private Duration sessionTimeout = Duration.ofSeconds(6);
    private final Map<String, Registry> connections = new HashMap<>();

    RealEngines() {
        server = opened.add(TestZooKeeper.start());
        namespace = "shop";
    }

    /** On a server that other tests use too, which stays open. */
    RealEngines(TestZooKeeper shared, String namespace) {
        this.server = shared;
        this.namespace = namespace;
    }

    /** For instances none of which dies: however busy the machine is, none is taken for dead. */
    RealEngines thatLive() {
        sessionTimeout = Duration.ofSeconds(40);
        return this;
    }

    EventLog events() {
        return events;
    }

    TestZooKeeper server() {
        return server;
    }

    /** Closed behind the test, before what was opened before. */
    <T extends AutoCloseable> T add(T next) {
        return opened.add(next);
    }

    /** Another connection, as that of an instance or a tool. */
    Registry registry() {
        return opened.add(CuratorRegistry.connect(
                RegistrySettings.of(server.connectString(), namespace).withSessionTimeout(sessionTimeout)));
    }

    /** The connection of an instance; who closes it lets the instance die. */
    Registry registryOf(String instance) {
        return Objects.requireNonNull(connections.get(instance), instance);
    }

    /** An engine that is not started. */
    ElasticJobEngine engine(String instance) {
        return engine(instance, UnaryOperator.identity());
    }

    /** @param settings beside those, or instead of those, that make it an instance on a machine of its own */
    ElasticJobEngine engine(String instance, UnaryOperator<ElasticJobEngineBuilder> settings) {
        return engine(instance, settings, UnaryOperator.identity());
    }

    /** @param changed what the engine has in place of the registry */
    ElasticJobEngine engine(
            String instance, UnaryOperator<ElasticJobEngineBuilder> settings, UnaryOperator<Registry> changed) {
        Registry registry = registry();
        connections.put(instance, registry);
        return opened.add(settings.apply(ElasticJobEngine.builder(changed.apply(registry))
                        .instanceId(instance)
                        .ip("10.0.0." + (instance.charAt(0) - 'a' + 1))
                        .shutdownTimeout(Duration.ofSeconds(1))
                        .listener(events))
                .build());
    }

    /** Waits until the plan of a job names one that runs after it: firings that come from now on are followed. */
    void awaitFollower(String parent, String follower) {
        awaitPlan(parent, plan -> plan.firings().followers().containsKey(follower));
    }

    /** Waits until the plan of a job in the registry is as it should be. */
    void awaitPlan(String job, Predicate<Assignment> wanted) {
        Registry registry = registry();
        String path = new JobTree(job).sharding();
        CompletableFuture<Void> there = new CompletableFuture<>();
        Runnable look = () -> registry.read(List.of(RegistryRead.data(path)))
                .thenAccept(answer -> answer.node(path)
                        .map(node -> NodeCodec.readAssignment(path, node.data()))
                        .filter(wanted)
                        .ifPresent(plan -> there.complete(null)));
        add(registry.watch(path, WatchScope.DATA, look)::close);
        look.run();
        get(there);
    }

    boolean exists(String path) {
        return get(registry().read(List.of(RegistryRead.data(path)))).node(path).isPresent();
    }

    List<String> children(String path) {
        return get(registry().read(List.of(RegistryRead.children(path)))).children(path);
    }

    /** Waits for what is about to come. */
    static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        close();
    }

    @Override
    public void close() throws Exception {
        opened.close();
    }
}
