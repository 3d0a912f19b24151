package dev.elasticjob.execution;

import dev.elasticjob.coordination.firing.HookClaim;
import dev.elasticjob.coordination.view.CallLimits;
import dev.elasticjob.job.FailureLog;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.ListenerTimeoutException;
import dev.elasticjob.job.event.ExecutionObserver.HookStart;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.HookKind;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.time.DurationText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the events of one call of cluster listeners: to listeners of events, and in the log. Thread-safe. */
record HookJournal(HookClaim claim, ClusterFiring firing, RunScope scope, ObservedItem observed) {
    private static final Logger log = LoggerFactory.getLogger(HookRunner.class);

    private static final int SHOWN_FRAMES = 20;

    HookKind kind() {
        return claim.isBefore() ? HookKind.BEFORE : HookKind.AFTER;
    }

    private String name() {
        return claim.isBefore() ? "before the first item" : "after the last item";
    }

    void begun(Instant began) {
        observed.begun(
                scope.observer(),
                new HookStart(firing.jobName(), kind(), firing.runId(), firing.scheduledTime(), firing.attempt()));
        scope.tell(new JobEvent.HookStarted(
                firing.jobName(),
                firing.instance(),
                kind(),
                firing.runId(),
                firing.scheduledTime(),
                firing.attempt(),
                began));
    }

    void returned(Instant began) {
        ended(began, ExecutionOutcome.COMPLETED, null);
    }

    void failed(Instant began, Throwable failure) {
        log.warn(
                "Job \"{}\": cluster listeners failed {} of firing \"{}\"{}: {}",
                firing.jobName(),
                name(),
                firing.runId(),
                claim.isBefore() ? ", so its items fail without being started" : "",
                Failures.text(failure));
        boolean late = failure instanceof ListenerTimeoutException;
        ended(began, late ? ExecutionOutcome.TIMEOUT : ExecutionOutcome.of(Optional.of(failure)), failure);
    }

    void cutOff(Instant began, Throwable failure) {
        log.warn(
                "Job \"{}\": cluster listeners were interrupted {} of firing \"{}\", and are called again: {}",
                firing.jobName(),
                name(),
                firing.runId(),
                Failures.text(failure));
        ended(began, ExecutionOutcome.INTERRUPTED, failure);
    }

    private void ended(Instant began, ExecutionOutcome outcome, @Nullable Throwable failure) {
        Optional<Throwable> last = Optional.ofNullable(failure);
        observed.ended(outcome, last);
        scope.tell(new JobEvent.HookFinished(
                firing.jobName(),
                firing.instance(),
                kind(),
                firing.runId(),
                firing.scheduledTime(),
                firing.attempt(),
                began,
                scope.clock().instant(),
                outcome,
                last));
    }

    void failedToo(Throwable failure) {
        failures()
                .error(
                        "Job \"%s\": a further cluster listener failed %s of firing \"%s\""
                                .formatted(firing.jobName(), name(), firing.runId()),
                        failure);
    }

    void takesLong(ClusterJobListener listener, CallLimits limits, List<StackTraceElement> stack) {
        log.warn(
                "Job \"{}\": cluster listeners have been called {} of firing \"{}\" for {}, and have not returned: {}. They"
                        + " are interrupted {}. It is \"{}\" that is called; its thread stands at{}",
                firing.jobName(),
                name(),
                firing.runId(),
                DurationText.of(limits.patience()),
                claim.isBefore()
                        ? "no item of this firing starts before, and no later firing of the job"
                        : "the jobs that run after this one wait for them",
                limits.timeout().isZero()
                        ? "never, as " + limits.setting() + " is 0"
                        : "after %s (%s)".formatted(DurationText.of(limits.timeout()), limits.setting()),
                listener.getClass().getName(),
                stack.stream()
                        .limit(SHOWN_FRAMES)
                        .map(frame -> "\n\tat " + frame)
                        .collect(Collectors.joining()));
    }

    void isInterrupted(String reason) {
        log.warn(
                "Job \"{}\": interrupting the cluster listeners {} of firing \"{}\": {}",
                firing.jobName(),
                name(),
                firing.runId(),
                reason);
    }

    void goesOn() {
        log.warn(
                "Job \"{}\": the cluster listeners of firing \"{}\" continue although their registry session may have"
                        + " expired; another instance may call them at the same time",
                firing.jobName(),
                firing.runId());
    }

    void getsNoThread(Throwable reason) {
        failures()
                .error(
                        "Job \"%s\": no thread was available to call the cluster listeners of firing \"%s\""
                                .formatted(firing.jobName(), firing.runId()),
                        reason);
    }

    void endsByAFailureOfOurs(Throwable failure) {
        failures()
                .error(
                        ("Job \"%s\": the call of cluster listeners for firing \"%s\" ended because code other than theirs"
                                        + " failed. Report this, with the stack trace")
                                .formatted(firing.jobName(), firing.runId()),
                        failure);
    }

    private FailureLog failures() {
        return scope.errors().log();
    }
}
