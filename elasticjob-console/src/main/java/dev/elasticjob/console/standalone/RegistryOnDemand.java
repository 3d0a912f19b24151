package dev.elasticjob.console.standalone;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registry that is connected only while it is used. The first request connects and waits for the connection; requests
 * that come meanwhile wait for the same attempt. If it fails, they fail, and the next request tries again. The connection
 * is closed after a while without a request, unless something is still watched or awaited. Thread-safe.
 */
final class RegistryOnDemand extends DelegatingRegistry {
    private static final Logger log = LoggerFactory.getLogger(RegistryOnDemand.class);

    private final String name;
    private final Supplier<? extends Registry> connecting;
    private final TaskTimer timer;
    private final Duration idle;

    // All are guarded by this object.
    private @Nullable CompletableFuture<Registry> connection;
    private long usedAtNanos;
    private int waits;
    private boolean closed;

    /**
     * @param name of the registry, for people
     * @param connecting waits for the connection; fails if there is none in time
     * @param timer ends connections that nobody uses; stays open
     * @param idle how long a connection is kept without a request
     */
    RegistryOnDemand(String name, Supplier<? extends Registry> connecting, TaskTimer timer, Duration idle) {
        this.name = name;
        this.connecting = connecting;
        this.timer = timer;
        this.idle = idle;
    }

    /** Waits for the connection, if there is none. */
    @Override
    protected Registry delegate() {
        CompletableFuture<Registry> attempt = new CompletableFuture<>();
        CompletableFuture<Registry> present = currentOr(attempt);
        if (present == attempt) {
            connect(attempt);
        }
        try {
            return present.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private synchronized CompletableFuture<Registry> currentOr(CompletableFuture<Registry> attempt) {
        if (closed) {
            throw new RegistryUnavailableException("The console is being stopped");
        }
        usedAtNanos = timer.nanoTime();
        if (connection == null) {
            connection = attempt;
        }
        return connection;
    }

    private void connect(CompletableFuture<Registry> attempt) {
        try {
            Registry connected = connecting.get();
            if (isStill(attempt)) {
                attempt.complete(connected);
                timer.after(idle, () -> letGoIfUnused(attempt));
            } else {
                connected.close();
                attempt.completeExceptionally(
                        new RegistryUnavailableException("The connection was closed while it was made; try again"));
            }
        } catch (RuntimeException | Error e) {
            forget(attempt);
            attempt.completeExceptionally(e);
        }
    }

    private synchronized boolean isStill(CompletableFuture<Registry> attempt) {
        return connection == attempt;
    }

    private synchronized void forget(CompletableFuture<Registry> attempt) {
        if (connection == attempt) {
            connection = null;
        }
    }

    private void letGoIfUnused(CompletableFuture<Registry> attempt) {
        Duration rest = restOfUse();
        if (rest.toNanos() > 0) {
            timer.after(rest, () -> letGoIfUnused(attempt));
        } else if (isStill(attempt)) {
            log.info("Registry \"{}\": nobody looks at it; its connection is closed until somebody does", name);
            letGo();
        }
    }

    private synchronized Duration restOfUse() {
        return waits > 0 ? idle : idle.minusNanos(timer.nanoTime() - usedAtNanos);
    }

    /** Ends the connection. The next request makes a new one. */
    void letGo() {
        CompletableFuture<Registry> ended;
        synchronized (this) {
            ended = connection;
            connection = null;
        }
        if (ended != null) {
            ended.thenAccept(Registry::close);
        }
    }

    // ------------------------------------------------------------------ requests

    @Override
    public CompletionStage<Void> awaitAbsence(String path) {
        return ask(registry -> {
            CompletionStage<Void> absent = registry.awaitAbsence(path);
            Runnable end = waiting();
            absent.whenComplete((done, failure) -> end.run());
            return absent;
        });
    }

    @Override
    public Subscription watch(String path, WatchScope scope, Runnable lookAgain) {
        Subscription watch = delegate().watch(path, scope, lookAgain);
        Runnable end = waiting();
        return () -> {
            end.run();
            watch.close();
        };
    }

    /** Keeps the connection until the returned action has run, which may run several times. */
    private synchronized Runnable waiting() {
        waits++;
        var ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                endWait();
            }
        };
    }

    private synchronized void endWait() {
        waits--;
        usedAtNanos = timer.nanoTime();
    }

    /** Connects, as a request does; empty if that fails. */
    @Override
    public Optional<RegistrySession> session() {
        try {
            return delegate().session();
        } catch (RuntimeException e) {
            log.debug("Registry \"{}\": no session", name, e);
            return Optional.empty();
        }
    }

    /** Doesn't connect. */
    @Override
    public ConnectionState connectionState() {
        CompletableFuture<Registry> present;
        synchronized (this) {
            present = connection;
        }
        return present == null || !present.isDone() || present.isCompletedExceptionally()
                ? ConnectionState.LATENT
                : present.join().connectionState();
    }

    /** Ends the connection for good. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        letGo();
    }
}
