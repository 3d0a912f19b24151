package dev.elasticjob.spring.metrics;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.EngineFigures;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.job.event.RegistryRequestListener;
import dev.elasticjob.spring.autoconfigure.DroppedEvents;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Fills the meters of an application's jobs. The meters of declared jobs exist from the start, with the value zero.
 * Those of cluster listeners exist as soon as the job has been registered. Those of a job that is registered later are created with it, and removed when it is unregistered.
 *
 * <p>Thread-safe. Only counts, and never waits.
 */
public final class JobMeters implements JobEventListener, RegistryRequestListener {
    private static final double MILLIS_PER_SECOND = 1_000;

    private final MeterRegistry registry;
    private final Supplier<Optional<ElasticJobEngine>> engine;
    private final Map<String, OneJob> jobs = new ConcurrentHashMap<>();
    private final Map<Kind, Map<Outcome, Timer>> requests = new EnumMap<>(Kind.class);

    /**
     * @param declared the names of the jobs that the application declares
     * @param engine the engine that runs the jobs, once it is started
     */
    JobMeters(
            MeterRegistry registry,
            Collection<String> declared,
            Supplier<Optional<ElasticJobEngine>> engine,
            Collection<? extends DroppedEvents> dropping) {
        this.registry = registry;
        this.engine = engine;
        for (Kind kind : Kind.values()) {
            requests.put(kind, requests(kind));
        }
        gauge(JobMeter.CONNECTED, Tags.empty(), figures -> figures.isConnected() ? 1 : 0);
        gauge(
                JobMeter.LEASE_REMAINING,
                Tags.empty(),
                figures -> figures.leaseRemaining().toMillis() / MILLIS_PER_SECOND);
        gauge(JobMeter.THREADS_BUSY, Tags.empty(), EngineFigures::threadsBusy);
        gauge(JobMeter.THREADS_MAX, Tags.empty(), EngineFigures::threadsMax);
        dropping.forEach(this::count);
        declared.forEach(this::of);
    }

    private Map<Outcome, Timer> requests(Kind kind) {
        Map<Outcome, Timer> timers = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            Tags tags = Tags.of(
                    Tag.KIND.asString(), OneJob.text(kind), Tag.REQUEST_OUTCOME.asString(), OneJob.text(outcome));
            timers.put(outcome, OneJob.timer(JobMeter.REQUESTS, tags, registry));
        }
        return timers;
    }

    private void gauge(JobMeter meter, Tags tags, ToDoubleFunction<EngineFigures> figure) {
        Gauge.builder(meter.getName(), () -> figures(figure))
                .description(meter.description())
                .tags(tags)
                .register(registry);
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

    private OneJob of(String name) {
        return jobs.computeIfAbsent(name, job -> {
            Tags tags = Tags.of(Tag.JOB.asString(), job);
            gauge(JobMeter.ITEMS_OWNED, tags, figures -> figures.itemsOwned(job));
            gauge(JobMeter.ITEMS_RUNNING, tags, figures -> figures.itemsRunning(job));
            return new OneJob(job, registry);
        });
    }

    @Override
    public void onEvent(JobEvent event) {
        if (event instanceof JobEvent.StateChanged changed && isGone(changed)) {
            remove(changed.jobName());
            return;
        }
        OneJob job = of(event.jobName());
        if (event instanceof JobEvent.StateChanged && hasHooks(event.jobName())) {
            job.hooks();
        }
        if (event instanceof JobEvent.ItemStarted started) {
            job.started(started);
        } else if (event instanceof JobEvent.ItemFinished finished) {
            job.finished(finished);
        } else if (event instanceof JobEvent.FiringsLost lost) {
            job.lost.increment(lost.count());
        } else if (event instanceof JobEvent.FiringsFolded folded) {
            job.folded.increment(folded.count());
        } else if (event instanceof JobEvent.FiringOverdue) {
            job.overdue.increment();
        } else if (event instanceof JobEvent.ItemStuck) {
            job.stuck.increment();
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

    private boolean hasHooks(String jobName) {
        return engine.get()
                .filter(running -> running.figures().hasClusterListeners(jobName))
                .isPresent();
    }

    private boolean isGone(JobEvent.StateChanged changed) {
        return changed.to() == JobState.STOPPED
                && engine.get()
                        .filter(running -> !running.jobNames().contains(changed.jobName()))
                        .isPresent();
    }

    /** Removes the meters of an unregistered job, because there may be many such jobs over time. */
    private void remove(String name) {
        jobs.remove(name);
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
