package dev.elasticjob.kubernetes.registry;

import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.registry.curator.ClientOptions;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects to each namespace when it is first read, and tries again with the next read if that fails. Thread-safe. */
public final class RegistryConnections implements Registries, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RegistryConnections.class);

    private final String cluster;
    private final Function<String, ? extends Registry> connecting;
    private final Clock clock;
    private final TaskTimer timer;
    private final Executor executor;

    // They are guarded by this object.
    private final Map<String, Connection> connections = new HashMap<>();
    private final Map<String, String> namespaces = new HashMap<>();
    /** What can't be shown now, so that it is told once. */
    private final Set<String> hidden = new HashSet<>();

    private boolean resting;

    /**
     * @param cluster the namespace of the cluster in which the applications are
     * @param connecting connects to a namespace; may wait, and fails if there is no connection in time
     * @param executor where that waits
     */
    public RegistryConnections(
            String cluster,
            Function<String, ? extends Registry> connecting,
            Clock clock,
            TaskTimer timer,
            Executor executor) {
        this.cluster = cluster;
        this.connecting = connecting;
        this.clock = clock;
        this.timer = timer;
        this.executor = executor;
    }

    /**
     * Connects, and creates a namespace in which there is nothing yet, so that its application can be shown. Without the right
     * to do that, it is only looked at until an instance has come. For registries without credentials: who creates a namespace
     * with some decides who may use it, which is the applications' own affair.
     */
    public static Registry connect(RegistrySettings settings, ClientOptions options) {
        try {
            return CuratorRegistry.connect(settings, options);
        } catch (RegistryAccessDeniedException e) {
            return CuratorRegistry.connectToLook(settings, options);
        }
    }

    @Override
    public CompletionStage<Work> read(String app, String namespace, Set<Duration> ahead, Runnable changed) {
        Connection used;
        synchronized (this) {
            if (resting) {
                return CompletableFuture.failedFuture(
                        new RegistryUnavailableException("This controller doesn't lead any more"));
            }
            if (!namespace.equals(namespaces.get(app))) {
                release(app);
                namespaces.put(app, namespace);
            }
            used = connections.computeIfAbsent(namespace, Connection::new);
            used.users.put(app, changed);
            used.shows(id(app));
        }
        return used.registry().thenCompose(registry -> new NamespaceWork(registry, clock, timer).read(id(app), ahead));
    }

    private String id(String app) {
        return PublishedApp.id(cluster, app);
    }

    @Override
    public void publish(String uid, PublishedApp app) {
        CompletionStage<Registry> registry;
        synchronized (this) {
            Connection used = connections.get(namespaces.getOrDefault(app.name(), ""));
            registry = used == null ? null : used.attempt;
        }
        if (registry != null) {
            registry.thenCompose(connected -> new AppNodes(connected).publish(uid, app))
                    .whenComplete((whyNot, failure) -> tell(
                            app.name(), failure == null ? whyNot : Optional.of(Failures.text(Stages.unwrap(failure)))));
        }
    }

    /** Of one that is looked after still. */
    private synchronized void tell(String app, Optional<String> whyNot) {
        if (whyNot.isEmpty()) {
            hidden.remove(app);
        } else if (namespaces.containsKey(app) && hidden.add(app)) {
            log.warn(
                    "Application \"{}\" can't be shown in the registry, so the console doesn't know how it is: {}",
                    app,
                    whyNot.get());
        }
    }

    @Override
    public synchronized void release(String app) {
        String namespace = namespaces.remove(app);
        Connection used = namespace == null ? null : connections.get(namespace);
        if (used != null) {
            used.users.remove(app);
            hidden.remove(app);
            used.hide(id(app));
            if (used.users.isEmpty()) {
                connections.remove(namespace);
                used.end();
            }
        }
    }

    private synchronized void changed(Connection connection) {
        connection.users.values().forEach(Runnable::run);
    }

    @Override
    public void close() {
        rest();
    }

    @Override
    public synchronized void begin() {
        resting = false;
    }

    @Override
    public synchronized void rest() {
        resting = true;
        connections.values().forEach(Connection::end);
        connections.clear();
        namespaces.clear();
        hidden.clear();
    }

    /** All fields are guarded by the outer object. */
    private final class Connection {
        private final String namespace;
        private final Map<String, Runnable> users = new HashMap<>();
        private final List<Subscription> watches = new ArrayList<>();
        /** The ids of those that are gone, and may be shown still. */
        private final Set<String> hiding = new TreeSet<>();

        private @Nullable CompletableFuture<Registry> attempt;
        private CompletionStage<Boolean> removals = CompletableFuture.completedFuture(true);
        private boolean ended;

        Connection(String namespace) {
            this.namespace = namespace;
        }

        CompletionStage<Registry> registry() {
            CompletableFuture<Registry> mine = new CompletableFuture<>();
            synchronized (RegistryConnections.this) {
                if (attempt != null) {
                    return attempt;
                }
                attempt = mine;
            }
            executor.execute(() -> connect(mine));
            return mine;
        }

        private void connect(CompletableFuture<Registry> mine) {
            try {
                Registry connected = connecting.apply(namespace);
                if (!watches(connected)) {
                    connected.close();
                    throw new RegistryUnavailableException(
                            "Nothing uses namespace \"%s\" any more".formatted(namespace));
                }
                mine.complete(connected);
            } catch (RuntimeException | Error e) {
                forget();
                mine.completeExceptionally(e);
            }
        }

        private boolean watches(Registry connected) {
            synchronized (RegistryConnections.this) {
                if (!ended) {
                    watches.add(connected.watch("/", WatchScope.SUBTREE, () -> changed(this)));
                    watches.add(connected.onConnectionState(state -> changed(this)));
                }
                return !ended;
            }
        }

        /** Also one that is back before it was removed. */
        void shows(String id) {
            hiding.remove(id);
            List.copyOf(hiding).forEach(this::hide);
        }

        /** Is tried again whenever another application is read. What is left at the end, operators can remove. */
        void hide(String id) {
            hiding.add(id);
            if (attempt != null) {
                removals = attempt.thenCompose(registry -> new AppNodes(registry).remove(id))
                        .handle((whyNot, failure) -> removed(id, failure))
                        .thenCombine(removals, (removed, earlier) -> removed);
            }
        }

        private boolean removed(String id, @Nullable Throwable failure) {
            if (failure != null) {
                log.debug("What the registry shows of \"{}\" was not removed yet", id, failure);
                return false;
            }
            synchronized (RegistryConnections.this) {
                return hiding.remove(id);
            }
        }

        private void forget() {
            synchronized (RegistryConnections.this) {
                attempt = null;
            }
        }

        void end() {
            ended = true;
            watches.forEach(Subscription::close);
            if (attempt != null) {
                attempt.thenCombine(removals, (registry, done) -> registry).thenAcceptAsync(Registry::close, executor);
            }
        }
    }
}
