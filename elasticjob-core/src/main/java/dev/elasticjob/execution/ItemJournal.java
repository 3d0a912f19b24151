package dev.elasticjob.execution;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.time.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the events of one item: to listeners, in the log, and for its record. Thread-safe. */
record ItemJournal(ClaimedItem item, RunScope scope, ObservedItem observed) {
    private static final Logger log = LoggerFactory.getLogger(ItemRunner.class);
    /** In bytes: a thousand records must fit into one answer of the registry. */
    private static final int SHOWN_FAILURE = 200;

    void begun(Instant began, ShardingContext context) {
        observed.begun(context, item.trigger());
        scope.tell(new JobEvent.ItemStarted(
                item.jobName(),
                item.instance(),
                item.item(),
                item.scheduledAt(),
                item.runId(),
                item.attempt(),
                item.trigger(),
                item.dueAt(),
                began,
                item.requester()));
    }

    void failedForNow(int failures, Duration pause, Throwable failure) {
        log.warn(
                "Job \"{}\": item {} failed in attempt {} of {} and is retried in {} (run \"{}\"): {}",
                item.jobName(),
                item.item(),
                failures,
                item.definition().retry().maxAttempts(),
                DurationText.of(pause),
                item.runId(),
                Failures.text(failure));
        scope.tell(new JobEvent.ItemRetried(
                item.jobName(),
                item.instance(),
                item.item(),
                item.scheduledAt(),
                item.runId(),
                item.attempt(),
                failures,
                pause,
                failure));
        observed.retried(failures, pause, failure);
    }

    void isInterrupted(String reason) {
        log.warn("Job \"{}\": interrupting item {}: {}", item.jobName(), item.item(), reason);
    }

    void goesOn() {
        log.warn(
                "Job \"{}\": item {} continues although its registry session may have expired; another instance may"
                        + " run it at the same time",
                item.jobName(),
                item.item());
    }

    void leftItsThreadInterrupted() {
        log.debug("Job \"{}\": item {} returned with its thread's interrupt flag set", item.jobName(), item.item());
    }

    void getsNoThread(Throwable reason) {
        scope.errors()
                .log()
                .error(
                        "Job \"%s\": no thread was available for item %d, so it can't run now. Check the job's executor"
                                .formatted(item.jobName(), item.item()),
                        reason);
    }

    ExecutionResult.Returned result(ItemState state, Instant began, @Nullable Throwable failure) {
        return new ExecutionResult.Returned(
                state, began, scope.clock().instant(), failure == null ? null : head(failure));
    }

    /** @param retries how many times it was tried again here */
    void ended(ExecutionResult.Returned result, int retries, @Nullable Throwable failure) {
        boolean interrupted = result.state() == ItemState.INTERRUPTED;
        if (interrupted && failure != null) {
            log.warn(
                    "Job \"{}\": item {} was interrupted before it completed: {}",
                    item.jobName(),
                    item.item(),
                    Failures.text(failure));
        }
        Optional<Throwable> last = Optional.ofNullable(failure);
        ExecutionOutcome outcome = interrupted ? ExecutionOutcome.INTERRUPTED : ExecutionOutcome.of(last);
        observed.ended(outcome, last);
        scope.tell(new JobEvent.ItemFinished(
                item.jobName(),
                item.instance(),
                item.item(),
                item.scheduledAt(),
                item.runId(),
                item.attempt(),
                item.trigger(),
                result.began(),
                result.returned(),
                retries,
                outcome,
                last,
                item.requester()));
    }

    void endsByAFailureOfOurs(Throwable failure) {
        scope.errors()
                .log()
                .error(
                        ("Job \"%s\": item %d ended because code other than the job's own failed. Report this, with the"
                                        + " stack trace")
                                .formatted(item.jobName(), item.item()),
                        failure);
    }

    private static String head(Throwable failure) {
        String text = Failures.text(failure);
        int end = Math.min(text.length(), SHOWN_FAILURE);
        while (text.substring(0, end).getBytes(StandardCharsets.UTF_8).length > SHOWN_FAILURE) {
            end--;
        }
        return end == text.length() ? text : text.substring(0, end) + "…";
    }
}
