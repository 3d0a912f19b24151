package dev.elasticjob.simulation;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.TaskTimer;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One process with its engine: what it has to do stands in queues, each a source of steps, until it dies. */
final class SimulatedProcess {
    private final String name;
    private final String instanceId;
    private final String ip;
    private final ManualTime time;
    private final Steps steps;
    private Duration skew;
    private final Deque<Runnable> coordination = new ArrayDeque<>();
    private final Deque<Runnable> fired = new ArrayDeque<>();
    private final TaskTimer timer = new OwnTimer();
    private final BodyThread.Pool workers = new BodyThread.Pool(timer);
    private final SimulatedRegistry registry;
    private final Registry seenByEngine;
    private final TaskTimer engineTimer;
    private @Nullable ElasticJobEngine engine;
    private Instant lastPause = Instant.MIN;
    /** Since when it knows that it has no connection; the far future while it has one. */
    private Instant cutOffSince = Instant.MAX;

    private boolean paused;
    private boolean leaving;
    private boolean restarting;
    private boolean dead;

    SimulatedProcess(
            String name,
            String instanceId,
            String ip,
            Duration skew,
            ManualTime time,
            Steps steps,
            Network network,
            Flaw flaw) {
        this.name = name;
        this.instanceId = instanceId;
        this.ip = ip;
        this.skew = skew;
        this.time = time;
        this.steps = steps;
        this.registry = new SimulatedRegistry(name, network, timer);
        registry.onConnectionState(state -> connectionIs(state.isConnected()));
        this.seenByEngine = flaw.apply(registry);
        this.engineTimer = flaw.timer(timer);
        steps.add(new Queue(coordination));
        steps.add(new Queue(fired));
        steps.add(whileAwake(workers));
        steps.add(whileAwake(registry.connection().messages()));
        steps.add(registry.connection().requests());
    }

    void run(ElasticJobEngine made) {
        engine = made;
        made.start();
    }

    String name() {
        return name;
    }

    String instanceId() {
        return instanceId;
    }

    String ip() {
        return ip;
    }

    Registry registry() {
        return seenByEngine;
    }

    Connection connection() {
        return registry.connection();
    }

    Clock clock() {
        InstantSource here = () -> time.instant().plus(skew);
        return here.withZone(time.getZone());
    }

    boolean hasAWrongClock() {
        return skew.abs().compareTo(Duration.ofSeconds(Scenario.TOLERATED_SECONDS)) > 0;
    }

    /** Somebody sets its clock right. */
    void clockIsSetRight() {
        skew = Duration.ZERO;
    }

    Duration skew() {
        return skew;
    }

    JobAdmin admin() {
        return engine().admin();
    }

    ElasticJobEngine engine() {
        return Objects.requireNonNull(engine, "it runs");
    }

    /** Whether it is to take part in the job: it isn't about to end, nor has it given the job up. */
    boolean hasJob(String job) {
        return !leaving && engine().jobNames().contains(job);
    }

    TaskTimer timer() {
        return timer;
    }

    /** As its engine sees it. */
    TaskTimer engineTimer() {
        return engineTimer;
    }

    void coordinate(Runnable task) {
        coordination.add(task);
    }

    BodyThread.Pool workers() {
        return workers;
    }

    // ------------------------------------------------------------------ faults

    boolean isAlive() {
        return !dead;
    }

    /** Whether it ends in good order, or has. */
    boolean isLeaving() {
        return leaving;
    }

    /** Whether it stood still at some moment after the given one. */
    boolean pausedSince(Instant moment) {
        return paused || lastPause.isAfter(moment);
    }

    private void connectionIs(boolean there) {
        Instant since = cutOffSince == Instant.MAX ? time.instant() : cutOffSince;
        cutOffSince = there ? Instant.MAX : since;
    }

    /** Whether it knew, and was awake, all that time that it has no connection. */
    boolean knowsThatItIsCutOff(Duration allThatTime) {
        return cutOffSince.isBefore(time.instant().minus(allThatTime)) && !pausedSince(cutOffSince);
    }

    void pause(Duration duration) {
        if (!paused) {
            paused = true;
            time.after(duration, () -> {
                paused = false;
                lastPause = time.instant();
            });
        }
    }

    void crash() {
        if (!dead) {
            dead = true;
            registry.connection().die();
        }
    }

    /** Ends in good order. */
    void stop(Runnable left) {
        if (engine != null && !leaving) {
            leaving = true;
            engine.stop().whenComplete((done, error) -> {
                registry.close();
                left.run();
            });
        }
    }

    /**
     * Its engine stops, and starts again: some time after it has stopped, or at once, while it is still stopping.
     *
     * @param later zero for at once
     * @param starting called before it starts again
     */
    void restart(Duration later, Runnable starting) {
        if (engine == null || leaving || restarting) {
            return;
        }
        if (later.isZero()) {
            engine().stop();
            starting.run();
            engine().start();
            return;
        }
        restarting = true;
        engine().stop()
                .whenComplete((stopped, error) -> timer.after(later, () -> {
                    restarting = false;
                    if (!leaving) {
                        starting.run();
                        engine().start();
                    }
                }));
    }

    /** Frees its threads at the end of the world. */
    void bury() {
        dead = true;
        workers.abandon();
    }

    boolean isAwake() {
        return !dead && !paused;
    }

    private Steps.Source whileAwake(Steps.Source source) {
        return new Steps.Source() {
            @Override
            public boolean isReady() {
                return isAwake() && source.isReady();
            }

            @Override
            public void step() {
                source.step();
            }
        };
    }

    private final class Queue implements Steps.Source {
        private final Deque<Runnable> tasks;

        Queue(Deque<Runnable> tasks) {
            this.tasks = tasks;
        }

        @Override
        public boolean isReady() {
            return isAwake() && !tasks.isEmpty();
        }

        @Override
        public void step() {
            tasks.remove().run();
        }
    }

    private final class OwnTimer implements TaskTimer {
        @Override
        public Cancellable after(Duration delay, Runnable task) {
            return time.after(delay, () -> fired.add(task));
        }

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }
    }
}
