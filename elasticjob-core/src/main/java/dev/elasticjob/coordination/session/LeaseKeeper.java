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
 * Keeps the session's lease fresh while something is executed here, and starts the search for executions whose lease is
 * over. Where no other commit went out, a tiny one does every sixth of the session timeout, or after half of what is left
 * of the lease where that is sooner, as after a first claim: it checks that a node of ours is still there and changes
 * nothing. One for the process, whatever the number of jobs.
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
    private TaskTimer.Cancellable next = () -> {};
    private long nextAt;

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

    /** Something was claimed in this session. Its lease may end before the next beat. */
    public void executionBegins(RegistrySession session) {
        sessionId = session.id();
        timeout = session.timeout();
        boolean endsSooner = timer.nanoTime() + untilTheNextBeat().toNanos() - nextAt < 0;
        if (!beating || endsSooner) {
            beating = true;
            next.cancel();
            sleep();
        }
    }

    private void sleep() {
        Duration rest = untilTheNextBeat();
        nextAt = timer.nanoTime() + rest.toNanos();
        next = timer.after(rest, () -> executor.execute(this::look));
    }

    /** Half of what is left is halved a few times at most: the last beat is at the end of the lease. */
    private Duration untilTheNextBeat() {
        Duration left = lease.left(sessionId);
        if (left.isZero() || left.isNegative() || !isShort(left)) {
            return beat();
        }
        return left.compareTo(beat().dividedBy(BEATS)) < 0 ? left : left.dividedBy(2);
    }

    private boolean isShort(Duration left) {
        return left.compareTo(beat().multipliedBy(2)) < 0;
    }

    private void look() {
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

    private Duration beat() {
        return timeout.dividedBy(BEATS);
    }

    private void keep() {
        if (lease.sinceLastSending().compareTo(beat()) >= 0 || isShort(lease.left(sessionId))) {
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
