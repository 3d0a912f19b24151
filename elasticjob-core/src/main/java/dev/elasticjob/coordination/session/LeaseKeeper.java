package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Keeps the session's lease fresh while something is executed here, and has those looked for whose lease is over. Where
 * no other commit went out, a tiny one does every sixth of the session timeout: it checks that a node of ours is still
 * there and changes nothing. One for the process, whatever the number of jobs.
 *
 * <p>Confined to the coordination executor.
 */
public final class LeaseKeeper {
    private static final int BEATS = 6;

    private final SharedConnection connection;
    private final SessionLease lease;
    private final TaskTimer timer;
    private final Executor executor;
    private final BooleanSupplier executing;
    private final Supplier<Optional<String>> ownNode;
    private final Runnable onBeat;
    private Duration timeout = Duration.ofSeconds(1);
    private long sessionId;
    private boolean beating;

    /**
     * @param executing whether anything is executed here
     * @param ownNode a node that this session owns
     * @param onBeat looks for executions without a lease, at each beat. Whether this session's lease holds doesn't tell:
     *     others may still execute what they claimed in the session before it
     */
    public LeaseKeeper(
            SharedConnection connection,
            SessionLease lease,
            TaskTimer timer,
            Executor executor,
            BooleanSupplier executing,
            Supplier<Optional<String>> ownNode,
            Runnable onBeat) {
        this.connection = connection;
        this.lease = lease;
        this.timer = timer;
        this.executor = executor;
        this.executing = executing;
        this.ownNode = ownNode;
        this.onBeat = onBeat;
    }

    /** Something was claimed in this session. */
    public void executionBegins(RegistrySession session) {
        sessionId = session.id();
        timeout = session.timeout();
        if (!beating) {
            beating = true;
            sleep();
        }
    }

    private void sleep() {
        Duration beat = timeout.dividedBy(BEATS);
        Duration left = lease.left(sessionId);
        boolean endsSooner = !left.isNegative() && !left.isZero() && left.compareTo(beat) < 0;
        timer.after(endsSooner ? left : beat, () -> executor.execute(this::beat));
    }

    private void beat() {
        if (!executing.getAsBoolean()) {
            beating = false;
            return;
        }
        try {
            keep();
        } finally {
            sleep();
        }
    }

    private void keep() {
        if (lease.sinceLastSending().compareTo(timeout.dividedBy(BEATS)) >= 0) {
            connection.session().ifPresent(session -> {
                sessionId = session.id();
                ownNode.get()
                        .ifPresent(path -> connection.commit(
                                session,
                                RegistryCommit.builder()
                                        .check(path, RegistryCommit.ANY_VERSION)
                                        .build()));
            });
        }
        onBeat.run();
    }
}
