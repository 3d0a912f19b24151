package dev.elasticjob.engine;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The demand of the jobs that this instance leads, read at intervals, and soon after it has begun to lead one: whoever asks
 * for a figure must not cause a request. An instance that leads no job reads nothing.
 *
 * <p>Works on the coordination executor; any thread may ask for the demand {@link #of} a job.
 */
final class DemandSamples {
    private static final Logger log = LoggerFactory.getLogger(DemandSamples.class);

    /** Until then, all jobs that an instance leads after a start or the end of another one are led. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Duration interval;
    private final EngineParts parts;
    private final JobInspector inspector;
    private final Supplier<Optional<EngineRun>> current;
    private volatile Map<String, JobDemand> latest = Map.of();

    /** The next read; of the run that was begun last. */
    private TaskTimer.Cancellable next = () -> {};
    /** Whether a job is led here since the last read, or the one that is under way. */
    private boolean isSoon;

    private boolean isUnderWay;
    /** What was warned of, so that it isn't with each read. */
    private Set<String> unknown = Set.of();

    /** @param current the run at that moment; the engine may be stopped and started again */
    DemandSamples(Duration interval, EngineParts parts, JobInspector inspector, Supplier<Optional<EngineRun>> current) {
        this.interval = interval;
        this.parts = parts;
        this.inspector = inspector;
        this.current = current;
    }

    /** Begins to read, until this run has ended. */
    void begin(EngineRun run) {
        latest = Map.of();
        run.onLead(jobName -> leads(run, jobName));
        parts.coordination().execute(() -> {
            isUnderWay = false;
            isSoon = false;
            unknown = Set.of();
            readAfter(interval, run);
        });
    }

    /** One read for all jobs that are led anew at about the same time. */
    private void leads(EngineRun run, String jobName) {
        if (isSoon || latest.containsKey(jobName)) {
            return;
        }
        isSoon = true;
        if (!isUnderWay) {
            readAfter(SOON, run);
        }
    }

    private void readAfter(Duration delay, EngineRun run) {
        next.cancel();
        next = parts.timer().after(delay, () -> parts.coordination().execute(() -> read(run)));
    }

    private void read(EngineRun run) {
        if (!isCurrent(run)) {
            return;
        }
        isSoon = false;
        isUnderWay = true;
        List<String> led = run.jobsLedHere();
        CompletionStage<List<JobDemand>> demands =
                led.isEmpty() ? CompletableFuture.completedFuture(List.of()) : inspector.demands(led);
        demands.whenCompleteAsync(
                (read, error) -> {
                    if (isCurrent(run)) {
                        isUnderWay = false;
                        hasRead(error == null ? read : List.of(), Optional.ofNullable(error));
                        readAfter(isSoon ? SOON : interval, run);
                    }
                },
                parts.coordination());
    }

    private boolean isCurrent(EngineRun run) {
        return current.get().filter(run::equals).isPresent();
    }

    private void hasRead(List<JobDemand> read, Optional<Throwable> failure) {
        latest = read.stream().collect(Collectors.toMap(JobDemand::jobName, Function.identity()));
        Map<String, String> problems = new TreeMap<>();
        failure.map(Stages::unwrap)
                .ifPresent(error -> problems.put("The demand of the jobs that are led here", String.valueOf(error)));
        read.forEach(job -> job.problem()
                .ifPresent(problem -> problems.put("The demand of job \"%s\"".formatted(job.jobName()), problem)));
        problems.forEach((what, problem) -> {
            if (!unknown.contains(what)) {
                log.warn("{} can't be read, so its meters have no value until it can. {}", what, problem);
            }
        });
        unknown = Set.copyOf(problems.keySet());
    }

    /** As it was last read; empty for a job of which it could not be read, or was not. */
    Optional<JobDemand> of(String jobName) {
        return Optional.ofNullable(latest.get(jobName))
                .filter(demand -> demand.problem().isEmpty());
    }
}
