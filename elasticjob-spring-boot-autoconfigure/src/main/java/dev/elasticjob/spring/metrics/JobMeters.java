package dev.elasticjob.spring.metrics;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.EngineFigures;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.job.event.RegistryRequestListener;
import dev.elasticjob.spring.autoconfigure.DroppedEvents;
import dev.elasticjob.spring.autoconfigure.WaitingWrites;
import dev.elasticjob.spring.metrics.JobMeter.Tag;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Fills the meters of the jobs that this instance runs. Those of declared jobs exist from the start, with the value zero; those
 * of cluster listeners, and of the demand if it is read, as soon as the job has been registered. A job that is registered later has its meters from then on. They
 * go with a job that is unregistered or removed, and stay with one that this instance refuses to run, which is a problem to
 * see. An event of any other job, for example of a command for it, makes none.
 *
 * <p>Thread-safe. Only counts, and never waits.
 */
public final class JobMeters implements JobEventListener, RegistryRequestListener {
    private static final double MILLIS_PER_SECOND = 1_000;

    private final MeterRegistry registry;
    private final Supplier<Optional<ElasticJobEngine>> engine;
    private final Map<String, MetersOfJob> jobs = new ConcurrentHashMap<>();
    /** Whether the engine has run: it reports nothing before. */
    private volatile boolean begun;

    /** Those that this instance can't run. */
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    private final Map<Kind, Map<Outcome, Timer>> requests = new EnumMap<>(Kind.class);

    /**
     * @param declared the names of the jobs that the application declares
     * @param engine the engine that runs the jobs, once it is started
     */
    JobMeters(
            MeterRegistry registry,
            Collection<String> declared,
            Supplier<Optional<ElasticJobEngine>> engine,
            Collection<? extends DroppedEvents> dropping,
            Collection<? extends WaitingWrites> writing) {
        this.registry = registry;
        this.engine = engine;
        for (Kind kind : Kind.values()) {
            requests.put(kind, requests(kind));
        }
        Gauge.builder(JobMeter.CONNECTED.getName(), this::connected)
                .description(JobMeter.CONNECTED.description())
                .register(registry);
        gauge(JobMeter.DATA_LOST, Tags.empty(), figures -> figures.dataLoss().isPresent() ? 1 : 0);
        gauge(
                JobMeter.LEASE_REMAINING,
                Tags.empty(),
                figures -> figures.leaseRemaining().toMillis() / MILLIS_PER_SECOND);
        gauge(
                JobMeter.CLOCK_AHEAD,
                Tags.empty(),
                figures -> figures.clockAhead().toMillis() / MILLIS_PER_SECOND);
        gauge(JobMeter.THREADS_BUSY, Tags.empty(), EngineFigures::threadsBusy);
        gauge(JobMeter.THREADS_MAX, Tags.empty(), EngineFigures::threadsMax);
        gauge(JobMeter.CAPACITY_USED, Tags.empty(), EngineFigures::capacityUsed);
        gauge(
                JobMeter.CAPACITY_LIMIT,
                Tags.empty(),
                figures -> figures.capacityLimit().orElse(0));
        gauge(JobMeter.TASKS_WAITING, Tags.empty(), EngineFigures::tasksWaiting);
        gauge(
                JobMeter.LONGEST_WAIT,
                Tags.empty(),
                figures -> figures.longestWait().toMillis() / MILLIS_PER_SECOND);
        dropping.forEach(this::count);
        writing.forEach(this::show);
        declared.forEach(this::of);
    }

    private Map<Outcome, Timer> requests(Kind kind) {
        Map<Outcome, Timer> timers = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            Tags tags = Tags.of(
                    Tag.KIND.asString(),
                    MetersOfJob.text(kind),
                    Tag.REQUEST_OUTCOME.asString(),
                    MetersOfJob.text(outcome));
            timers.put(outcome, MetersOfJob.timer(JobMeter.REQUESTS, tags, registry));
        }
        return timers;
    }

    private void gauge(JobMeter meter, Tags tags, ToDoubleFunction<EngineFigures> figure) {
        Gauge.builder(meter.getName(), () -> figures(figure))
                .description(meter.description())
                .tags(tags)
                .register(registry);
    }

    /** An instance that is stopping, or has no jobs, doesn't miss a connection. */
    private double connected() {
        return engine.get()
                .map(ElasticJobEngine::figures)
                .filter(figures -> figures.isRunning() || !begun)
                .map(figures -> figures.isConnected() ? 1.0 : 0.0)
                .orElse(Double.NaN);
    }

    private double figures(ToDoubleFunction<EngineFigures> figure) {
        return engine.get()
                .map(running -> figure.applyAsDouble(running.figures()))
                .orElse(0.0);
    }

    private void count(DroppedEvents dropping) {
        FunctionCounter.builder(JobMeter.EVENTS_DROPPED.getName(), dropping, DroppedEvents::dropped)
                .description(JobMeter.EVENTS_DROPPED.description())
                .tag(Tag.CONSUMER.asString(), dropping.consumer())
                .register(registry);
    }

    private void show(WaitingWrites writing) {
        Gauge.builder(JobMeter.TRACE_WAITING.getName(), writing, WaitingWrites::waiting)
                .description(JobMeter.TRACE_WAITING.description())
                .register(registry);
        Gauge.builder(
                        JobMeter.TRACE_DELAY.getName(),
                        writing,
                        waiting -> waiting.delay().toMillis() / MILLIS_PER_SECOND)
                .description(JobMeter.TRACE_DELAY.description())
                .register(registry);
        FunctionCounter.builder(JobMeter.TRACE_FAILURES.getName(), writing, WaitingWrites::failures)
                .description(JobMeter.TRACE_FAILURES.description())
                .register(registry);
    }

    private MetersOfJob of(String name) {
        return jobs.computeIfAbsent(name, job -> {
            Tags tags = Tags.of(Tag.JOB.asString(), job);
            gauge(JobMeter.ITEMS_OWNED, tags, figures -> figures.itemsOwned(job));
            gauge(JobMeter.ITEMS_RUNNING, tags, figures -> figures.itemsRunning(job));
            gauge(
                    JobMeter.ITEMS_LONGEST_WAIT,
                    tags,
                    figures -> figures.longestWait(job).toMillis() / MILLIS_PER_SECOND);
            gauge(JobMeter.PAUSED, tags, figures -> isIn(job, JobState.PAUSED) ? 1 : 0);
            gauge(JobMeter.DISABLED, tags, figures -> isIn(job, JobState.DISABLED) ? 1 : 0);
            gauge(JobMeter.PAUSED_ITSELF, tags, figures -> figures.hasPausedItself(job) ? 1 : 0);
            return new MetersOfJob(job, registry);
        });
    }

    @Override
    public void onEvent(JobEvent event) {
        begun = true;
        String name = event.jobName();
        if (event instanceof JobEvent.JobRefused) {
            refused.add(name);
        } else if (event instanceof JobEvent.StateChanged changed && changed.to() == JobState.REGISTERING) {
            refused.remove(name);
        }
        if (event instanceof JobEvent.StateChanged changed && changed.to() == JobState.STOPPED && isGone(name)) {
            remove(name);
            return;
        }
        if (jobs.containsKey(name) || isHere(name)) {
            count(event, of(name));
        }
    }

    private void count(JobEvent event, MetersOfJob job) {
        if (event instanceof JobEvent.StateChanged && hasHooks(event.jobName())) {
            job.hooks();
        }
        if (event instanceof JobEvent.StateChanged && readsDemand() && job.beginsDemand()) {
            showDemand(event.jobName());
        }
        if (event instanceof JobEvent.ItemStarted started) {
            job.started(started);
        } else if (event instanceof JobEvent.ItemFinished finished) {
            job.finished(finished);
        } else if (event instanceof JobEvent.FiringsLost lost) {
            job.lost.increment(lost.count());
        } else if (event instanceof JobEvent.FiringsFolded folded) {
            job.folded.increment(folded.count());
        } else if (event instanceof JobEvent.FiringsSkipped skipped) {
            job.skipped.increment(skipped.count());
        } else if (event instanceof JobEvent.FiringOverdue) {
            job.overdue.increment();
        } else if (event instanceof JobEvent.ItemStuck) {
            job.stuck.increment();
        } else if (event instanceof JobEvent.ItemRefused) {
            job.refused.increment();
        } else if (event instanceof JobEvent.ManualRunDropped dropped) {
            job.dropped.increment(dropped.runIds().size());
        } else if (event instanceof JobEvent.ItemInterrupted) {
            job.crashes.increment();
        } else if (event instanceof JobEvent.Resharded resharded) {
            job.resharded(resharded);
        } else if (event instanceof JobEvent.Reconciled reconciled) {
            job.repairs.increment(reconciled.repairs());
        } else if (event instanceof JobEvent.HookStarted started) {
            job.hooks().started(started);
        } else if (event instanceof JobEvent.HookFinished finished) {
            job.hooks().finished(finished);
        }
    }

    private boolean readsDemand() {
        return engine.get().filter(running -> running.figures().readsDemand()).isPresent();
    }

    /** Once for each job: the registry warns of a gauge that is there. */
    private void showDemand(String job) {
        Tags tags = Tags.of(Tag.JOB.asString(), job);
        gauge(JobMeter.DEMAND_OPEN, tags, figures -> known(figures.demand(job), JobDemand::open));
        gauge(JobMeter.DEMAND_RUNNING, tags, figures -> known(figures.demand(job), JobDemand::running));
        gauge(JobMeter.DEMAND_WEIGHT, tags, figures -> known(figures.demand(job), JobDemand::weight));
        gauge(
                JobMeter.DEMAND_OPEN_AGE,
                tags,
                figures -> known(figures.oldestOpen(job), age -> age.toMillis() / MILLIS_PER_SECOND));
        gauge(
                JobMeter.DEMAND_NEXT_DUE,
                tags,
                figures -> known(figures.untilNextDue(job), left -> left.toMillis() / MILLIS_PER_SECOND));
    }

    private static <T> double known(Optional<T> value, ToDoubleFunction<T> figure) {
        return value.map(figure::applyAsDouble).orElse(Double.NaN);
    }

    private boolean hasHooks(String jobName) {
        return engine.get()
                .filter(running -> running.figures().hasClusterListeners(jobName))
                .isPresent();
    }

    /** Whether the job has ended here while the engine goes on, and not because of a problem. */
    private boolean isGone(String name) {
        return engine.get().filter(running -> running.figures().isRunning()).isPresent() && !isHere(name);
    }

    /** Whether this instance runs the job, or would if it could. */
    private boolean isHere(String name) {
        return state(name)
                .filter(state -> state != JobState.STOPPED || refused.contains(name))
                .isPresent();
    }

    private boolean isIn(String job, JobState state) {
        return state(job).filter(state::equals).isPresent();
    }

    /** Empty for a job that this instance doesn't have. */
    private Optional<JobState> state(String name) {
        try {
            return engine.get()
                    .filter(running -> running.jobNames().contains(name))
                    .map(running -> running.state(name));
        } catch (IllegalArgumentException unregistered) {
            return Optional.empty();
        }
    }

    /** Removes the meters of a job, because there may be many such jobs over time. */
    private void remove(String name) {
        jobs.remove(name);
        refused.remove(name);
        String tag = Tag.JOB.asString();
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("elasticjob.")
                        && name.equals(meter.getId().getTag(tag)))
                .forEach(registry::remove);
    }

    @Override
    public void answered(Kind kind, Outcome outcome, Duration took) {
        Timer timer = requests.getOrDefault(kind, Map.of()).get(outcome);
        if (timer != null) {
            timer.record(took);
        }
    }
}
