package dev.elasticjob.spring.metrics;

import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.job.event.JobEvent.Resharded;
import dev.elasticjob.spring.metrics.JobMeter.Tag;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.springframework.util.function.SingletonSupplier;

/** The meters of one job, registered together so that all of them exist from the beginning, except those of hooks. Thread-safe. */
final class MetersOfJob {
    /** For the tag: an execution that was retried has no trigger of its own. */
    private static final String RETRY = "retry";

    final Counter lost;
    final Counter folded;
    final Counter skipped;
    final Counter overdue;
    final Counter stuck;
    final Counter refused;
    final Counter dropped;
    final Counter repairs;
    final Counter crashes;
    private final Counter failovers;
    private final Counter moved;
    private final Timer reshards;
    private final Timer lateness;
    private final LongTaskTimer active;
    private final Supplier<HooksOfJob> hooks;
    private final AtomicBoolean demand = new AtomicBoolean();
    private final Map<Ending, Timer> executions = new HashMap<>();
    private final Map<Running, LongTaskTimer.Sample> running = new ConcurrentHashMap<>();

    private record Ending(ExecutionOutcome outcome, Optional<ExecutionTrigger> trigger) {}

    private record Running(String instance, int item, String runId, int attempt) {}

    /** Whether nobody has asked before. */
    boolean beginsDemand() {
        return demand.compareAndSet(false, true);
    }

    MetersOfJob(String job, MeterRegistry registry) {
        Tags tags = Tags.of(Tag.JOB.asString(), job);
        lost = counter(JobMeter.FIRINGS_LOST, tags, registry);
        folded = counter(JobMeter.FIRINGS_FOLDED, tags, registry);
        skipped = counter(JobMeter.FIRINGS_SKIPPED, tags, registry);
        overdue = counter(JobMeter.FIRINGS_OVERDUE, tags, registry);
        stuck = counter(JobMeter.ITEMS_STUCK, tags, registry);
        refused = counter(JobMeter.ITEMS_REFUSED, tags, registry);
        dropped = counter(JobMeter.RUNS_DROPPED, tags, registry);
        repairs = counter(JobMeter.REPAIRS, tags, registry);
        crashes = counter(JobMeter.CRASHES, tags, registry);
        failovers = counter(JobMeter.FAILOVERS, tags, registry);
        moved = counter(JobMeter.RESHARDS_MOVED, tags, registry);
        reshards = timer(JobMeter.RESHARDS, tags, registry);
        lateness = timer(JobMeter.LATENESS, tags, registry);
        active = activeTimer(JobMeter.EXECUTIONS_ACTIVE, tags, registry);
        hooks = SingletonSupplier.of(() -> new HooksOfJob(tags, registry));
        for (ExecutionOutcome outcome : ExecutionOutcome.values()) {
            Tags ofOutcome = tags.and(Tag.OUTCOME.asString(), text(outcome));
            for (ExecutionTrigger trigger : ExecutionTrigger.values()) {
                executions.put(
                        new Ending(outcome, Optional.of(trigger)), execution(ofOutcome, text(trigger), registry));
            }
            executions.put(new Ending(outcome, Optional.empty()), execution(ofOutcome, RETRY, registry));
        }
    }

    private static Timer execution(Tags tags, String trigger, MeterRegistry registry) {
        return timer(JobMeter.EXECUTIONS, tags.and(Tag.TRIGGER.asString(), trigger), registry);
    }

    private static Counter counter(JobMeter meter, Tags tags, MeterRegistry registry) {
        return Counter.builder(meter.getName())
                .description(meter.description())
                .tags(tags)
                .register(registry);
    }

    static Timer timer(JobMeter meter, Tags tags, MeterRegistry registry) {
        return Timer.builder(meter.getName())
                .description(meter.description())
                .tags(tags)
                .register(registry);
    }

    static LongTaskTimer activeTimer(JobMeter meter, Tags tags, MeterRegistry registry) {
        return LongTaskTimer.builder(meter.getName())
                .description(meter.description())
                .tags(tags)
                .register(registry);
    }

    static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    void started(ItemStarted event) {
        running.put(new Running(event.instance(), event.item(), event.runId(), event.attempt()), active.start());
        switch (event.trigger()) {
            case SCHEDULE, MISFIRE -> {
                Duration late = Duration.between(event.dueAt(), event.startedAt());
                lateness.record(late.isNegative() ? Duration.ZERO : late);
            }
            case FAILOVER -> failovers.increment();
            case MANUAL -> {}
        }
    }

    void finished(ItemFinished event) {
        LongTaskTimer.Sample sample =
                running.remove(new Running(event.instance(), event.item(), event.runId(), event.attempt()));
        if (sample != null) {
            sample.stop();
        }
        Optional<ExecutionTrigger> trigger = event.retries() > 0 ? Optional.empty() : Optional.of(event.trigger());
        Timer timer = executions.get(new Ending(event.outcome(), trigger));
        if (timer != null) {
            timer.record(event.duration().isNegative() ? Duration.ZERO : event.duration());
        }
    }

    /** Those of its cluster listeners, which are registered at the first call: most jobs have none. */
    HooksOfJob hooks() {
        return hooks.get();
    }

    void resharded(Resharded event) {
        reshards.record(event.took());
        moved.increment(event.moved());
    }
}
