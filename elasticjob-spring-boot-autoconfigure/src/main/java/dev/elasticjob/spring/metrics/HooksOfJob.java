package dev.elasticjob.spring.metrics;

import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.job.event.JobEvent.HookFinished;
import dev.elasticjob.job.event.JobEvent.HookStarted;
import dev.elasticjob.spring.metrics.JobMeter.Tag;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of the calls of one job's cluster listeners, registered together. Thread-safe. */
final class HooksOfJob {
    private final Map<HookKind, LongTaskTimer> active = new EnumMap<>(HookKind.class);
    private final Map<Ending, Timer> calls = new HashMap<>();
    private final Map<Running, LongTaskTimer.Sample> running = new ConcurrentHashMap<>();

    private record Ending(HookKind kind, ExecutionOutcome outcome) {}

    private record Running(String instance, HookKind kind, String runId, int attempt) {}

    HooksOfJob(Tags ofJob, MeterRegistry registry) {
        for (HookKind kind : HookKind.values()) {
            Tags tags = ofJob.and(Tag.HOOK.asString(), MetersOfJob.text(kind));
            active.put(kind, MetersOfJob.activeTimer(JobMeter.HOOKS_ACTIVE, tags, registry));
            for (ExecutionOutcome outcome : ExecutionOutcome.values()) {
                Tags ofOutcome = tags.and(Tag.OUTCOME.asString(), MetersOfJob.text(outcome));
                calls.put(new Ending(kind, outcome), MetersOfJob.timer(JobMeter.HOOKS, ofOutcome, registry));
            }
        }
    }

    void started(HookStarted event) {
        LongTaskTimer timer = active.get(event.kind());
        if (timer != null) {
            running.put(new Running(event.instance(), event.kind(), event.runId(), event.attempt()), timer.start());
        }
    }

    void finished(HookFinished event) {
        LongTaskTimer.Sample sample =
                running.remove(new Running(event.instance(), event.kind(), event.runId(), event.attempt()));
        if (sample != null) {
            sample.stop();
        }
        Timer timer = calls.get(new Ending(event.kind(), event.outcome()));
        if (timer != null) {
            timer.record(event.duration().isNegative() ? Duration.ZERO : event.duration());
        }
    }
}
