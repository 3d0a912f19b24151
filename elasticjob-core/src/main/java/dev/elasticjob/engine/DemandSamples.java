package dev.elasticjob.engine;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.JobInspector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The demand of the jobs that this instance leads, read at intervals: whoever asks for a figure must not cause a request.
 * An instance that leads no job reads nothing.
 *
 * <p>Works on the coordination executor; any thread may ask for the demand {@link #of} a job.
 */
final class DemandSamples {
    private static final Logger log = LoggerFactory.getLogger(DemandSamples.class);

    private final Duration interval;
    private final EngineParts parts;
    private final JobInspector inspector;
    private final Supplier<Optional<EngineRun>> current;
    private volatile Map<String, JobDemand> latest = Map.of();

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
        readLater(run);
    }

    private void readLater(EngineRun run) {
        parts.timer().after(interval, () -> parts.coordination().execute(() -> read(run)));
    }

    private void read(EngineRun run) {
        if (current.get().filter(run::equals).isEmpty()) {
            return;
        }
        List<String> led = run.jobsLedHere();
        CompletionStage<List<JobDemand>> demands =
                led.isEmpty() ? CompletableFuture.completedFuture(List.of()) : inspector.demands(led);
        demands.exceptionally(error -> {
                    log.debug("The demand of the jobs that are led here can't be read", error);
                    return List.of();
                })
                .thenAcceptAsync(
                        read -> {
                            latest = read.stream().collect(Collectors.toMap(JobDemand::jobName, Function.identity()));
                            readLater(run);
                        },
                        parts.coordination());
    }

    /** As it was last read; empty for a job of which it could not be read, or was not. */
    Optional<JobDemand> of(String jobName) {
        return Optional.ofNullable(latest.get(jobName))
                .filter(demand -> demand.problem().isEmpty());
    }
}
