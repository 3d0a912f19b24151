package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.curator.RegistryUnreachableException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The registry as a bean. It connects at the first request, so that no connection is made while the application's beans
 * are created. That request waits for the connection. If there is none in time, it fails, and the next one tries again.
 *
 * <p>If a background thread connects, requests don't wait for it: they fail until it has succeeded.
 */
final class LateRegistry extends DelegatingRegistry {
    private final Supplier<List<FailureAnalyzedException>> problems;
    private final Runnable check;
    private final Supplier<? extends Registry> connecting;
    // Written by the thread that starts the application.
    private volatile boolean inBackground;
    // Both are written under this object's monitor.
    private volatile @Nullable Registry connected;
    private volatile boolean closed;

    /**
     * @param problems gives what can't be used of the settings; neither connects nor starts a server
     * @param check throws if no attempt to connect can succeed
     * @param connecting waits for the connection; throws if there is none in time
     */
    LateRegistry(
            Supplier<List<FailureAnalyzedException>> problems,
            Runnable check,
            Supplier<? extends Registry> connecting) {
        this.problems = problems;
        this.check = check;
        this.connecting = connecting;
    }

    /** What can't be used of the settings. Doesn't connect. */
    List<FailureAnalyzedException> problems() {
        return problems.get();
    }

    /** Waits for the connection, if there is none yet. */
    Registry connect() {
        Registry present = connected;
        return present == null ? connectOnce() : present;
    }

    private synchronized Registry connectOnce() {
        Registry present = connected;
        if (present == null) {
            if (closed) {
                throw new RegistryUnavailableException("The registry was closed before its first use");
            }
            present = connecting.get();
            connected = present;
        }
        return present;
    }

    /**
     * From now on, only a background thread {@linkplain #connect() connects}.
     *
     * @throws RuntimeException if no attempt to connect can succeed
     */
    void leaveConnectingToTheBackground() {
        check.run();
        inBackground = true;
    }

    @Override
    protected Registry delegate() {
        Registry present = connected;
        if (present == null && inBackground) {
            throw new RegistryUnavailableException(
                    "The registry is not connected yet: try again when the application has logged that it is");
        }
        return connect();
    }

    @Override
    public Optional<RegistrySession> session() {
        return connected == null && inBackground ? Optional.empty() : super.session();
    }

    @Override
    protected RuntimeException unavailable(RuntimeException failure) {
        return failure instanceof RegistryUnreachableException
                ? new RegistryUnavailableException(String.valueOf(failure.getMessage()), false, failure)
                : failure;
    }

    /** Doesn't connect. */
    @Override
    public ConnectionState connectionState() {
        Registry present = connected;
        if (present != null) {
            return present.connectionState();
        }
        return closed ? ConnectionState.LOST : ConnectionState.LATENT;
    }

    @Override
    public synchronized void close() {
        closed = true;
        Registry present = connected;
        if (present != null) {
            present.close();
        }
    }
}
