package dev.elasticjob.coordination.session;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.job.FailureLog;
import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that reads and acts, one round at a time. Requests that arrive during a round are merged into one more round.
 * A round that found the registry unavailable is repeated when the connection is back. A round that failed for another
 * reason is reported, and repeated after a growing pause. Rounds that keep requesting another one are slowed down after
 * a while, so that an impossible step never makes a busy loop.
 *
 * <p>Confined to the coordination executor.
 */
public final class ReconcileLoop {
    private static final Logger log = LoggerFactory.getLogger(ReconcileLoop.class);

    private static final int MANY_AT_ONCE = 20;
    private static final Duration SPOILT = Duration.ofSeconds(30);

    private final String what;
    private final SharedConnection connection;
    private final Supplier<CompletionStage<Next>> round;
    private final CompletableFuture<Void> rested = new CompletableFuture<>();
    private State state = State.RESTING;
    private boolean wanted;
    private boolean stopped;
    private final FailureLog failed;
    private int failures;
    private int atOnce;
    /** What was reported of a node that can't be read. */
    private String spoilt = "";

    private enum State {
        RESTING,
        UNDER_WAY,
        PAUSING
    }

    /**
     * @param what the subject of its log lines
     * @param round one round, which returns what follows
     */
    ReconcileLoop(String what, SharedConnection connection, Supplier<CompletionStage<Next>> round) {
        this.what = what;
        this.connection = connection;
        this.round = round;
        this.failed = new FailureLog(log, connection::nanoTime);
    }

    /** Requests a round: now, or right after the one that is under way. */
    public void again() {
        wanted = true;
        if (state == State.RESTING) {
            next();
        }
    }

    /**
     * Starts no further round.
     *
     * @return completes when no round is under way
     */
    public CompletionStage<Void> stop() {
        stopped = true;
        if (state != State.UNDER_WAY) {
            rested.complete(null);
        }
        return rested;
    }

    private void next() {
        if (stopped) {
            rested.complete(null);
        }
        if (!wanted || stopped) {
            state = State.RESTING;
            return;
        }
        state = State.UNDER_WAY;
        wanted = false;
        // Each round has its own turn on the executor, so that other jobs run in between.
        begin().whenCompleteAsync(
                        (next, error) -> {
                            if (error == null) {
                                done(next == Next.AGAIN);
                            } else {
                                failed(Stages.unwrap(error));
                            }
                        },
                        connection.executor());
    }

    private void done(boolean more) {
        failures = 0;
        spoilt = "";
        wanted |= more;
        atOnce = more ? atOnce + 1 : 0;
        if (atOnce < MANY_AT_ONCE || stopped) {
            next();
        } else {
            pause(0);
        }
    }

    private CompletionStage<Next> begin() {
        try {
            return round.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void failed(Throwable error) {
        wanted = true;
        if (error instanceof CorruptNodeException) {
            spoilt(String.valueOf(error.getMessage()));
            return;
        }
        if (error instanceof RegistryUnavailableException) {
            log.debug(
                    "{}: the registry is unavailable; processing continues when it is available again",
                    what,
                    Failures.printable(error));
        } else if (failures == 0 || error instanceof Error) {
            failed.error("%s: a coordination step failed and is repeated".formatted(what), error);
        } else {
            log.debug("{}: a coordination step failed again", what, Failures.printable(error));
        }
        pause(failures++);
    }

    /** Somebody has to correct a node. Who waits for that watches it, where it happens more often. */
    private void spoilt(String problem) {
        if (!problem.equals(spoilt)) {
            log.error("{} waits until a node is corrected; other jobs are not affected. {}", what, problem);
        }
        spoilt = problem;
        pause(connection.afterPause(SPOILT));
    }

    private void pause(int attempt) {
        pause(connection.afterPause(attempt));
    }

    /** If there will be no connection any more, there is nothing to do. */
    private void pause(CompletionStage<Void> pause) {
        state = State.PAUSING;
        if (stopped) {
            rested.complete(null);
        }
        pause.whenComplete((connected, closed) -> {
            stopped |= closed != null;
            next();
        });
    }
}
