package dev.elasticjob.kubernetes;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.job.FailureLog;
import dev.elasticjob.kubernetes.AppLook.Outcome;
import dev.elasticjob.kubernetes.AppLook.Refused;
import dev.elasticjob.kubernetes.AppLook.Tried;
import dev.elasticjob.kubernetes.cluster.Cluster;
import dev.elasticjob.kubernetes.cluster.ClusterUnavailableException;
import dev.elasticjob.kubernetes.plan.GrowingPause;
import dev.elasticjob.registry.Subscription;
import dev.elasticjob.time.TaskTimer;
import dev.elasticjob.time.TaskTimer.Cancellable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at each application again and again: after a change of it, its workers or its jobs, and when time alone changes
 * something. What is seen counts, not what has changed, so a lost event costs time only. One application is looked at once
 * at a time; the others don't wait for it. Thread-safe.
 */
final class AppLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AppLoop.class);

    /** Between the starts of two looks at an application: what changes meanwhile is seen together. */
    static final Duration GAP = Duration.ofSeconds(1);

    /** Without any event, in case that one was lost. */
    static final Duration AT_LEAST_EVERY = Duration.ofMinutes(15);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final GrowingPause UNAVAILABLE = new GrowingPause(FIRST_PAUSE, Duration.ofSeconds(30));

    private final Cluster cluster;
    private final AppLook look;
    private final AppMeters meters;
    private final Clock clock;
    private final TaskTimer timer;
    private final Executor executor;
    private final Map<String, Turn> turns = new ConcurrentHashMap<>();
    private volatile boolean running;
    private @Nullable Subscription changes;

    AppLoop(Cluster cluster, AppLook look, AppMeters meters, Clock clock, TaskTimer timer, Executor executor) {
        this.cluster = cluster;
        this.look = look;
        this.meters = meters;
        this.clock = clock;
        this.timer = timer;
        this.executor = executor;
    }

    /** Begins, as this controller leads now. Idempotent. */
    synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        look.begin();
        meters.begin();
        changes = cluster.watch(this::ring);
        lookAtAll();
    }

    /** Those that have been there for long: of the others, the cluster tells. */
    private void lookAtAll() {
        if (!running) {
            return;
        }
        try {
            cluster.apps().forEach(this::ring);
        } catch (ClusterUnavailableException e) {
            log.debug("The applications can't be listed yet", e);
            timer.after(FIRST_PAUSE, this::lookAtAll);
        }
    }

    private void ring(String app) {
        boolean heard = !running;
        while (!heard) {
            heard = turns.computeIfAbsent(app, Turn::new).ring();
        }
    }

    /** Ends, as another controller leads. A look that has begun ends by itself. */
    synchronized void stop() {
        running = false;
        if (changes != null) {
            changes.close();
            changes = null;
        }
        turns.values().forEach(Turn::end);
        turns.clear();
        look.rest();
        meters.end();
    }

    @Override
    public void close() {
        stop();
    }

    /**
     * What the cluster has refused for a pool.
     *
     * @param times in a row
     * @param until when nothing is tried, on the timer's clock
     */
    private record Refusal(Refused what, int times, long until) {}

    /** When one application is looked at. All fields are guarded by this object. */
    private final class Turn {
        private final String app;
        private final FailureLog failures = new FailureLog(log, timer);
        private boolean looking;
        private boolean rung;
        private boolean ended;
        private long begunAt = timer.nanoTime() - GAP.toNanos();
        private @Nullable Cancellable next;
        private long nextAt;
        private int unavailable;
        /** By pool; of one that was tried again since, there is none. */
        private final Map<String, Refusal> refusals = new HashMap<>();

        Turn(String app) {
            this.app = app;
        }

        /** @return false if it ended meanwhile: another one has to hear it */
        synchronized boolean ring() {
            if (looking) {
                rung = true;
            } else {
                soon();
            }
            return !ended;
        }

        private void soon() {
            lookAfter(Duration.ofNanos(begunAt + GAP.toNanos() - timer.nanoTime()));
        }

        /** The earliest wish counts. */
        private void lookAfter(Duration delay) {
            long at = timer.nanoTime() + Math.max(0, delay.toNanos());
            if (ended || (next != null && nextAt - at <= 0)) {
                return;
            }
            if (next != null) {
                next.cancel();
            }
            nextAt = at;
            next = timer.after(delay, () -> executor.execute(this::look));
        }

        private void look() {
            Map<String, Refused> stillRefused = new HashMap<>();
            synchronized (this) {
                if (looking || ended) {
                    return;
                }
                looking = true;
                rung = false;
                next = null;
                begunAt = timer.nanoTime();
                refusals.forEach((pool, refusal) -> {
                    if (refusal.until() - begunAt > 0) {
                        stillRefused.put(pool, refusal.what());
                    }
                });
            }
            try {
                look.look(app, executor, stillRefused, this::ring).whenComplete(this::done);
            } catch (RuntimeException | Error e) {
                done(null, e);
            }
        }

        private synchronized void done(@Nullable Outcome outcome, @Nullable Throwable failure) {
            looking = false;
            if (ended) {
                // What it read from was closed: neither what it found nor why it failed is of interest.
                return;
            }
            if (outcome == null) {
                failed(failure);
                return;
            }
            unavailable = 0;
            if (outcome.isGone() && rung) {
                soon();
                return;
            }
            if (outcome.isGone()) {
                // First of all, so that who rings from now on finds another one.
                turns.remove(app, this);
                end();
                return;
            }
            outcome.tried().ifPresent(this::remember);
            lookAfter(outcome.lookAgain().map(this::until).orElse(AT_LEAST_EVERY));
            lookAfter(AT_LEAST_EVERY);
            refusals.values().forEach(refusal -> lookAfter(Duration.ofNanos(refusal.until() - timer.nanoTime())));
            if (rung) {
                soon();
            }
        }

        private Duration until(Instant time) {
            return Duration.between(clock.instant(), time);
        }

        private void remember(Tried tried) {
            refusals.keySet()
                    .removeIf(pool -> !tried.refused().containsKey(pool)
                            && !tried.resting().contains(pool));
            tried.refused()
                    .forEach((pool, what) -> refusals.compute(pool, (name, before) -> {
                        boolean again = before != null && before.what().generation() == what.generation();
                        int times = again ? before.times() + 1 : 1;
                        Duration pause = GrowingPause.OF_ATTEMPTS.after(times);
                        return new Refusal(what, times, timer.nanoTime() + pause.toNanos());
                    }));
        }

        private void failed(@Nullable Throwable failure) {
            Throwable cause =
                    failure == null ? new IllegalStateException("The look has no outcome") : Stages.unwrap(failure);
            Duration pause = UNAVAILABLE.after(++unavailable);
            if (cause instanceof ClusterUnavailableException) {
                log.warn(
                        "Application \"{}\": {}. Its workers go on; looking again in {} s",
                        app,
                        cause.getMessage(),
                        pause.toSeconds());
            } else {
                failures.error(
                        "Application \"%s\": a look failed; looking again in %d s".formatted(app, pause.toSeconds()),
                        cause);
            }
            lookAfter(pause);
        }

        synchronized void end() {
            ended = true;
            if (next != null) {
                next.cancel();
            }
        }
    }
}
