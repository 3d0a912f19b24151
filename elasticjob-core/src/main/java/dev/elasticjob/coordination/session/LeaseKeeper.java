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
 * Renews the session's lease while items run here, and starts the search for executions without a lease. If no other
 * commit was sent, it commits every sixth of the session timeout, or after half of the remaining lease if that is
 * sooner, as after a first claim. This commit checks that a node of ours exists, and changes nothing. There is one
 * keeper for the process, whatever the number of jobs.
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
    private Duration beat = Duration.ofSeconds(1).dividedBy(BEATS);
    private Duration timeout = Duration.ofSeconds(1);
    private long sessionId;
    private boolean beating;
    private TaskTimer.Cancellable next = () -> {};
    private long nextAt;

    /**
     * @param executing whether any item runs here
     * @param ownNode a node that this session owns
     * @param onBeat looks for executions without a lease, at each beat; this session's lease alone doesn't show them,
     *     because others may still run items claimed in the session before
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

    /** An item was claimed in this session. Its lease may end before the next beat. */
    public void executionBegins(RegistrySession session) {
        sessionId = session.id();
        if (!timeout.equals(session.timeout())) {
            timeout = session.timeout();
            beat = timeout.dividedBy(BEATS);
        }
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

    /** The remaining lease is halved a few times at most: the last beat is at its end. */
    private Duration untilTheNextBeat() {
        Duration left = lease.left(sessionId);
        if (left.isZero() || left.isNegative() || !isShort(left)) {
            return beat;
        }
        return left.toNanos() < beat.toNanos() / BEATS ? left : Duration.ofNanos(left.toNanos() / 2);
    }

    private boolean isShort(Duration left) {
        return left.compareTo(beat.plus(beat)) < 0;
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

    private void keep() {
        if (lease.sinceLastSending().compareTo(beat) >= 0 || isShort(lease.left(sessionId))) {
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
