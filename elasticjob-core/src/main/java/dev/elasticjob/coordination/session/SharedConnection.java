package dev.elasticjob.coordination.session;

import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.DurationText;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's connection as the coordination executor sees it: its state, its session, and commits whose answers
 * survive a lost connection. Shared by all jobs of an engine.
 *
 * <p>Confined to the coordination executor, as are all its callbacks and the stages it returns.
 */
public final class SharedConnection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SharedConnection.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final int MOST_DOUBLINGS = 6;

    private final Registry registry;
    private final Executor executor;
    private final TaskTimer timer;
    private final SessionLease lease;
    private final RegistryTime registryTime;
    private final RequestBatcher<RequestBatcher.Commit, CommitOutcome> commits;
    private final RequestBatcher<List<RegistryRead>, RegistryAnswer> reads;
    private final List<Consumer<ConnectionState>> listeners = new ArrayList<>();
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private @Nullable Subscription subscription;
    private @Nullable Subscription watch;
    private ConnectionState state = ConnectionState.LATENT;
    private long lastSession;
    /**
     * The start of the present interruption, on the timer's clock; empty while connected, and before the first
     * connection.
     */
    private OptionalLong awaySince = OptionalLong.empty();

    private Optional<Continuity> continuity = Optional.empty();
    /** Counts what the client has reported; what follows from an earlier report doesn't count any more. */
    private long turn;
    /** The latest state of the client; jobs learn of a connection only after a look at the registry. */
    private ConnectionState reported = ConnectionState.LATENT;

    private boolean closed;

    public SharedConnection(
            Registry registry, Executor executor, TaskTimer timer, SessionLease lease, RegistryTime registryTime) {
        this.registry = new ConfinedRegistry(registry, executor);
        this.executor = executor;
        this.timer = timer;
        this.lease = lease;
        this.registryTime = registryTime;
        this.commits = RequestBatcher.ofCommits(this::request, executor);
        this.reads = RequestBatcher.ofReads(this.registry::read, executor);
    }

    public void open() {
        subscription = registry.onConnectionState(this::changed);
        changed(registry.connectionState());
    }

    /** Jobs learn of a connection only after this has had a look at the registry. Called before {@link #open()}. */
    public void admitBy(Continuity looking) {
        continuity = Optional.of(looking);
    }

    /** What claims are to check, and what makes their tokens. */
    public Fencing fencing() {
        return continuity.map(Continuity::fencing).orElse(Fencing.UNKNOWN);
    }

    /** The id of the registry's data in which this process works. */
    public String dataId() {
        return continuity.map(Continuity::id).orElse("");
    }

    /** The registry, whose answers and events arrive on the coordination executor. */
    public Registry registry() {
        return registry;
    }

    RegistryTime registryTime() {
        return registryTime;
    }

    public Executor executor() {
        return executor;
    }

    /** The present session; empty while the connection can't be relied on. */
    public Optional<RegistrySession> session() {
        return state.isConnected() ? registry.session() : Optional.empty();
    }

    public boolean isIn(RegistrySession session) {
        return session().filter(now -> now.id() == session.id()).isPresent();
    }

    /** Calls back with every new state, in order. */
    public Subscription onChange(Consumer<ConnectionState> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Completes when there is a connection: at once, or with the next one. Fails if there will be none. */
    public CompletionStage<Void> whenConnected() {
        if (session().isPresent()) {
            return CompletableFuture.completedFuture(null);
        }
        if (closed) {
            return CompletableFuture.failedFuture(stopped());
        }
        CompletableFuture<Void> connected = new CompletableFuture<>();
        waiting.add(connected);
        return connected;
    }

    /** A monotonic clock, for durations. */
    public long nanoTime() {
        return timer.nanoTime();
    }

    /**
     * A loop that reads and acts.
     *
     * @param what it is about, for the log
     * @param round one round
     */
    public ReconcileLoop loop(String what, Supplier<CompletionStage<Next>> round) {
        return new ReconcileLoop(what, this, round);
    }

    /** Runs a task after a time, on the executor, unless it is cancelled before. */
    public TaskTimer.Cancellable later(Duration duration, Runnable task) {
        return timer.after(duration, () -> executor.execute(task));
    }

    /**
     * Completes after a pause that grows with each attempt, and only while there is a connection.
     *
     * @param attempt 0 for the first
     */
    public CompletionStage<Void> afterPause(int attempt) {
        return afterPause(pause(attempt));
    }

    /** Completes after a pause, and only while there is a connection; fails if there will be none. */
    public CompletionStage<Void> afterPause(Duration pause) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        later(pause, () -> over.complete(null));
        return over.thenCompose(paused -> whenConnected());
    }

    private static Duration pause(int attempt) {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(attempt, MOST_DOUBLINGS));
    }

    /**
     * Repeats a step that fails, after a growing pause, and only while there is a connection.
     *
     * @param passing whether a repetition may succeed
     */
    public <T> CompletionStage<T> retrying(Predicate<Throwable> passing, Supplier<CompletionStage<T>> step) {
        return retrying(0, passing, step);
    }

    private <T> CompletionStage<T> retrying(
            int attempt, Predicate<Throwable> passing, Supplier<CompletionStage<T>> step) {
        return step.get().exceptionallyCompose(error -> {
            Throwable failure = Stages.unwrap(error);
            return passing.test(failure)
                    ? afterPause(attempt).thenCompose(paused -> retrying(attempt + 1, passing, step))
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /**
     * Reads, in one request with concurrent reads of other callers. The answer may contain more than was asked for.
     *
     * @param bytes the approximate size of the answer; large answers are read from the registry directly
     */
    public CompletionStage<RegistryAnswer> read(List<RegistryRead> asked, int bytes) {
        return reads.send(asked, bytes);
    }

    /**
     * Commits a transaction in a session, in one request with concurrent ones. If its answer is lost, it is sent again
     * unchanged, in the same session and in no other; its versions make this harmless. So a refusal may mean that it
     * was committed before, and the caller then reads the present state.
     *
     * @return fails with {@link RegistryUnavailableException} if the session is over, or is not the present one
     */
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        return send(session, commit, 0);
    }

    /**
     * The same for a transaction with which something starts. While nothing may start on this connection, although there is
     * one, it fails with {@link RegistryUnavailableException}, and nothing is sent: whoever has decided it did so before the
     * loss of data was known.
     */
    public CompletionStage<CommitOutcome> start(RegistrySession session, RegistryCommit commit) {
        return reported.isConnected() && !state.isConnected()
                ? CompletableFuture.failedFuture(
                        new RegistryUnavailableException("Nothing may start on this connection: nothing was sent"))
                : commit(session, commit);
    }

    private CompletionStage<CommitOutcome> send(RegistrySession session, RegistryCommit commit, int attempt) {
        return commits.send(new RequestBatcher.Commit(session, commit), commit.bytes())
                .exceptionallyCompose(error -> afterFailure(session, commit, attempt, Stages.unwrap(error)));
    }

    private CompletionStage<CommitOutcome> request(RegistrySession session, RegistryCommit commit) {
        SessionLease.Sending sending = lease.sending(session);
        return registry.commit(session, commit).whenComplete((outcome, error) -> {
            if (error == null) {
                lease.answered(sending);
                registryTime.observe(outcome);
                continuity.ifPresent(looking -> looking.answered(commit, outcome));
            }
        });
    }

    private CompletionStage<CommitOutcome> afterFailure(
            RegistrySession session, RegistryCommit commit, int attempt, Throwable error) {
        boolean neverSent =
                error instanceof RegistryUnavailableException lost && !lost.outcomeUnknown() && attempt == 0;
        if (neverSent || !(error instanceof RegistryUnavailableException)) {
            return CompletableFuture.failedFuture(error);
        }
        log.debug("The answer to a transaction was lost; it is sent again if the session survives");
        return afterPause(attempt)
                .thenCompose(connected ->
                        isIn(session) ? send(session, commit, attempt + 1) : CompletableFuture.failedFuture(error));
    }

    private void changed(ConnectionState next) {
        if (closed) {
            return;
        }
        reported = next;
        turn++;
        Optional<RegistrySession> session = next.isConnected() ? registry.session() : Optional.empty();
        if (continuity.isPresent() && session.isPresent()) {
            admit(continuity.get(), session.get(), 0);
        } else {
            become(next);
        }
    }

    /** Only the newest report counts. A look that fails is repeated as long as the client is connected. */
    private void admit(Continuity looking, RegistrySession session, int attempt) {
        long asked = turn;
        watched(looking).thenCompose(watching -> looking.look(session)).whenComplete((admitted, error) -> {
            if (asked != turn || closed) {
                return;
            }
            if (error != null) {
                later(pause(attempt), () -> {
                    if (asked == turn && !closed) {
                        admit(looking, session, attempt + 1);
                    }
                });
            } else {
                became(admitted);
            }
        });
    }

    private CompletionStage<Void> watched(Continuity looking) {
        try {
            watch = watch == null ? looking.watch(this::registryChanged) : watch;
            return CompletableFuture.completedFuture(null);
        } catch (RegistryUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** For jobs, a connection on which nothing may start is none. */
    private void holdBack() {
        state = ConnectionState.SUSPENDED;
        List.copyOf(listeners).forEach(listener -> tell(listener, ConnectionState.SUSPENDED));
    }

    private void registryChanged() {
        if (!reported.isConnected()) {
            return;
        }
        continuity.orElseThrow().isMoved().whenComplete((moved, error) -> {
            if ((error != null || moved) && reported.isConnected()) {
                changed(reported);
            }
        });
    }

    /** Looks at the registry again, because a claim was refused: it has changed. */
    public CompletionStage<Void> lookAtRegistry() {
        long asked = turn;
        return continuity
                .flatMap(looking -> session().map(looking::look))
                .map(look -> look.thenAccept(admitted -> {
                    if (asked == turn && !closed) {
                        became(admitted);
                    }
                }))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    private void became(boolean admitted) {
        if (admitted) {
            become(reported);
        } else if (state.isConnected()) {
            holdBack();
        }
    }

    private void become(ConnectionState next) {
        if (next == state) {
            return;
        }
        state = next;
        report(next);
        List.copyOf(listeners).forEach(listener -> tell(listener, next));
        session().ifPresent(this::resume);
    }

    private void resume(RegistrySession session) {
        lease.objection(session).ifPresent(tooShort -> log.error("{} {}", tooShort.getMessage(), tooShort.remedy()));
        if (session.id() != lastSession) {
            lastSession = session.id();
            lease.doubt(session).ifPresent(log::warn);
        }
        wakeAll(each -> each.complete(null));
    }

    /** Logs the effect of the change on the jobs. */
    private void report(ConnectionState next) {
        if (next.isConnected()) {
            awaySince.ifPresent(since -> log.info(
                    "The registry is available again after {}: jobs start new executions",
                    DurationText.of(Duration.ofNanos(timer.nanoTime() - since))));
            awaySince = OptionalLong.empty();
        } else if (lastSession != 0) {
            if (next == ConnectionState.LOST) {
                log.warn("The registry session has expired: other instances take over this instance's items");
            } else if (awaySince.isEmpty()) {
                log.warn(
                        "The registry is unavailable ({}): jobs start nothing new on this instance until it is"
                                + " available again{}",
                        next,
                        heldOn(lease.left(lastSession)));
            }
            awaySince = OptionalLong.of(awaySince.orElseGet(timer::nanoTime));
        }
    }

    private static String heldOn(Duration lease) {
        return lease.isNegative() || lease.isZero()
                ? ""
                : "; running executions keep their items for up to " + DurationText.of(lease);
    }

    private static void tell(Consumer<ConnectionState> listener, ConnectionState next) {
        try {
            listener.accept(next);
        } catch (Throwable e) {
            log.error("A listener failed to handle {}; other listeners are not affected", next, Failures.printable(e));
        }
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
        if (watch != null) {
            watch.close();
        }
        closed = true;
        state = ConnectionState.LATENT;
        wakeAll(each -> each.completeExceptionally(stopped()));
    }

    private void wakeAll(Consumer<CompletableFuture<Void>> waking) {
        List<CompletableFuture<Void>> woken = List.copyOf(waiting);
        waiting.clear();
        woken.forEach(waking);
    }

    private static RegistryUnavailableException stopped() {
        return new RegistryUnavailableException("The engine was stopped");
    }
}
