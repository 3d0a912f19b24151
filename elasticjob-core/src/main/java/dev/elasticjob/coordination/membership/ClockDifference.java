package dev.elasticjob.coordination.membership;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.RegistryNode;
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

    private static final int ATTEMPTS = 10;

    private final JobScope scope;
    private final InstanceRegistration registration;
    private final ReconcileLoop loop;
    private Optional<TaskTimer.Cancellable> resting = Optional.empty();
    private Optional<Limited> present = Optional.empty();
    private boolean stopped;

    /**
     * The job as it was read last.
     *
     * @param shown whether this instance's node shows that its clock differs
     */
    private record Limited(RegistrySession session, JobDefinition definition, boolean shown) {}

    public ClockDifference(JobScope scope, InstanceRegistration registration) {
        this.scope = scope;
        this.registration = registration;
        this.loop = scope.loop("clocks", this::round);
    }

    /**
     * The job was read. Compares the clocks if they seem to differ: what is noticed now keeps no later firing waiting.
     *
     * @return whether this instance's node has shown a difference until now, and doesn't any more: then firings may be due
     */
    public boolean follow(RegistrySession session, JobDefinition definition, Optional<RegistryNode> own) {
        boolean before = present.filter(Limited::shown).isPresent();
        boolean shown = own.filter(node -> NodeCodec.clockDiffers(node.text())).isPresent();
        present = Optional.of(new Limited(session, definition, shown));
        look();
        return before && !shown;
    }

    /** Compares nothing until the job is read again. */
    public void suspend() {
        present = Optional.empty();
    }

    public void stop() {
        stopped = true;
        suspend();
        resting.ifPresent(TaskTimer.Cancellable::cancel);
        loop.stop();
    }

    /** Whether this instance shows that its clock differs, or tries to. */
    public boolean isShown() {
        return registration.clockDiffers() || present.filter(Limited::shown).isPresent();
    }

    /** The clocks may differ, or agree again. */
    public void look() {
        boolean differs = present.filter(job ->
                        !job.definition().toleratesClock(scope.registryTime().ahead()))
                .isPresent();
        if (resting.isEmpty() && present.isPresent() && (differs || isShown())) {
            loop.again();
        }
    }

    /** What is known of the registry's time may be old, and an answer may be late: it is asked for, and the way is counted. */
    private CompletionStage<Next> round() {
        if (present.isEmpty() || resting.isPresent()) {
            return Next.WAIT.stage();
        }
        Limited job = present.get();
        Instant asked = scope.registryTime().here();
        return scope.askTime(job.session()).thenCompose(outcome -> {
            Instant answered = scope.registryTime().here();
            rest();
            return registryTime(outcome)
                    .filter(registry -> present.isPresent())
                    .flatMap(registry -> differs(job, new Difference(registry, asked, answered)))
                    .map(differs -> show(job, differs))
                    .orElseGet(Next.WAIT::stage);
        });
    }

    private void rest() {
        if (!stopped) {
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
        return Stages.untilDone(ATTEMPTS, () -> registration.show(job.session(), differs))
                .thenApply(shown -> Next.WAIT);
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
