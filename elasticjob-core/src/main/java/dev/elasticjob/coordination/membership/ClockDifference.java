package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this machine's clock with the registry's for a job that limits the difference, and shows in this instance's node
 * when it is exceeded, so that other instances get its items: "A clock that differs too much" in {@code
 * docs/internals/protocol.md}. Reports it once.
 *
 * <p>Confined to the coordination executor.
 */
public final class ClockDifference {
    private static final Logger log = LoggerFactory.getLogger(ClockDifference.class);
    /** So that a clock at the limit doesn't have items moved all the time. */
    private static final Duration LOOKS_AGAIN = Duration.ofMinutes(1);

    private final JobScope scope;
    private final InstanceRegistration registration;
    private final ReconcileLoop loop;
    private Optional<TaskTimer.Cancellable> resting = Optional.empty();
    private Optional<Limited> present = Optional.empty();

    /** The job as it was read last. */
    private record Limited(RegistrySession session, JobDefinition definition) {}

    public ClockDifference(JobScope scope, InstanceRegistration registration) {
        this.scope = scope;
        this.registration = registration;
        this.loop = scope.loop("clocks", this::round);
    }

    /** The job was read. Compares the clocks if they seem to differ: what is noticed now keeps no later firing waiting. */
    public void follow(RegistrySession session, JobDefinition definition) {
        present = Optional.of(new Limited(session, definition));
        look();
    }

    /** Compares nothing until the job is read again. */
    public void suspend() {
        present = Optional.empty();
        resting.ifPresent(TaskTimer.Cancellable::cancel);
        resting = Optional.empty();
    }

    public void stop() {
        suspend();
        loop.stop();
    }

    /** Whether this instance shows that its clock differs, as far as it has tried. */
    public boolean isShown() {
        return registration.clockDiffers();
    }

    /** The clocks may differ, or agree again. */
    public void look() {
        boolean differs = present.filter(job ->
                        !job.definition().toleratesClock(scope.registryTime().ahead()))
                .isPresent();
        if (resting.isEmpty() && present.isPresent() && (differs || registration.clockDiffers())) {
            loop.again();
        }
    }

    /** What is known of the registry's time may be old, and an answer may be late: it is asked for, and the way is counted. */
    private CompletionStage<Next> round() {
        if (present.isEmpty()) {
            return Next.WAIT.stage();
        }
        Limited job = present.get();
        Instant asked = scope.registryTime().here();
        return scope.askTime(job.session()).thenCompose(outcome -> {
            rest();
            Instant answered = scope.registryTime().here();
            return registryTime(outcome)
                    .flatMap(registry -> differs(job, new Difference(registry, asked, answered)))
                    .map(differs -> show(job, differs))
                    .orElseGet(Next.WAIT::stage);
        });
    }

    private void rest() {
        if (resting.isEmpty() && present.isPresent()) {
            resting = Optional.of(scope.connection().later(LOOKS_AGAIN, () -> {
                resting = Optional.empty();
                look();
            }));
        }
    }

    private static Optional<Instant> registryTime(CommitOutcome outcome) {
        return outcome instanceof CommitOutcome.Committed committed ? committed.time() : Optional.empty();
    }

    /** Empty if it isn't known, because the answer was on its way for too long. */
    private Optional<Boolean> differs(Limited job, Difference difference) {
        if (difference.isProvenBeyond(job.definition())) {
            if (!registration.clockDiffers()) {
                report(difference);
            }
            return Optional.of(true);
        }
        return difference.isProvenWithin(job.definition()) ? Optional.of(false) : Optional.empty();
    }

    private CompletionStage<Next> show(Limited job, boolean differs) {
        return registration.show(job.session(), differs).thenApply(shown -> Next.againIf(!shown));
    }

    private void report(Difference difference) {
        log.error(
                "Job \"{}\": this machine's clock is at {}, but the registry's is at {}. This instance claims no"
                        + " firings until the clocks agree, and other instances get its items. Synchronize this"
                        + " machine's clock",
                scope.jobName(),
                difference.answered,
                difference.registry);
        scope.events()
                .accept(new JobEvent.ClockDiffers(
                        scope.jobName(), registration.instance(), difference.answered, difference.registry));
    }

    /**
     * How much the clocks differ, as far as one question tells.
     *
     * @param registry the registry's time when it had the question
     * @param asked this machine's time before that
     * @param answered this machine's time after that
     */
    private record Difference(Instant registry, Instant asked, Instant answered) {
        /** How far this machine's clock is ahead at least. */
        private Duration least() {
            return Duration.between(registry, asked);
        }

        private Duration most() {
            return Duration.between(registry, answered);
        }

        boolean isProvenBeyond(JobDefinition job) {
            boolean isAhead = least().compareTo(Duration.ZERO) > 0;
            boolean isBehind = most().compareTo(Duration.ZERO) < 0;
            return (isAhead && !job.toleratesClock(least())) || (isBehind && !job.toleratesClock(most()));
        }

        boolean isProvenWithin(JobDefinition job) {
            return job.toleratesClock(least()) && job.toleratesClock(most());
        }
    }
}
