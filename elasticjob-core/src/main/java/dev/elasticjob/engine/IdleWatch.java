package dev.elasticjob.engine;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an engine's work when there is nothing left to do for it: see {@code docs/internals/protocol-demand.md}. One timer,
 * which asks the registry only when nothing has ended here for long enough.
 *
 * <p>Works on the coordination executor; any thread may {@link #begin}, once.
 */
final class IdleWatch {
    private static final Logger log = LoggerFactory.getLogger(IdleWatch.class);

    private final Duration idleAfter;
    private final EngineParts parts;
    private final JobInspector inspector;
    private final Supplier<Optional<EngineRun>> current;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    /** @param current the run at that moment; the engine may be stopped and started again */
    IdleWatch(Duration idleAfter, EngineParts parts, JobInspector inspector, Supplier<Optional<EngineRun>> current) {
        this.idleAfter = idleAfter;
        this.parts = parts;
        this.inspector = inspector;
        this.current = current;
    }

    /** Completes when the engine claims nothing more, and nothing of it runs; never if it is always needed, or stopped. */
    CompletionStage<Void> begin() {
        lookAfter(idleAfter);
        return finished;
    }

    private void lookAfter(Duration delay) {
        parts.timer()
                .after(
                        delay,
                        () -> current.get()
                                .ifPresentOrElse(
                                        run -> parts.coordination().execute(() -> look(run)),
                                        () -> stays("its jobs are not started")));
    }

    private void look(EngineRun run) {
        Duration rest = idleAfter.minus(run.sinceLastEnd());
        if (rest.compareTo(Duration.ZERO) > 0) {
            lookAfter(rest);
            return;
        }
        run.reasonToStay()
                .ifPresentOrElse(
                        this::stays,
                        () -> inspector
                                .demands(run.jobsThatMayStartHere())
                                .whenCompleteAsync(
                                        (demands, error) -> {
                                            if (error == null) {
                                                decide(run, demands);
                                            } else {
                                                stays("the demand can't be read: " + Stages.unwrap(error));
                                            }
                                        },
                                        parts.coordination()));
    }

    private void decide(EngineRun run, List<JobDemand> demands) {
        if (current.get().filter(run::equals).isEmpty()) {
            stays("its jobs were stopped");
            return;
        }
        if (run.sinceLastEnd().compareTo(idleAfter) < 0) {
            look(run);
            return;
        }
        neededBy(demands, run.dueNow(), idleAfter)
                .or(run::reasonToStay)
                .ifPresentOrElse(this::stays, () -> finish(run));
    }

    /** Which job has work for an instance like this one, now or soon; empty if none has. */
    static Optional<String> neededBy(List<JobDemand> demands, Instant now, Duration soon) {
        return demands.stream()
                .filter(job -> job.problem().isEmpty())
                .filter(job -> job.open() > 0
                        || job.nextDue()
                                .filter(due -> Duration.between(now, due).compareTo(soon) <= 0)
                                .isPresent())
                .findFirst()
                .map(job -> job.open() > 0
                        ? "job \"%s\" has %d open items".formatted(job.jobName(), job.open())
                        : "job \"%s\" is due soon".formatted(job.jobName()));
    }

    private void stays(String reason) {
        log.debug("This instance stays, because {}", reason);
        lookAfter(idleAfter);
    }

    private void finish(EngineRun run) {
        List<String> others = run.jobsLeftToOthers();
        log.info(
                "This instance ends its work: it had nothing to do for {}, and nothing of its jobs comes due within that time{}",
                DurationText.of(idleAfter),
                others.isEmpty()
                        ? ""
                        : ". It did not look at jobs that its labels or operators keep it from running, whose open items are left"
                                + " to other instances: " + String.join(", ", others));
        run.finish().whenComplete((done, error) -> finished.complete(null));
    }
}
