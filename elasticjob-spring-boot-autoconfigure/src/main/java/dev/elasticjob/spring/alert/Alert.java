package dev.elasticjob.spring.alert;

import dev.elasticjob.job.Failures;
import dev.elasticjob.job.ShardingContext;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Optional;

/**
 * A failure that people are told of.
 *
 * @param execution empty if the failure is not an item's
 * @param more how many failures of the job were not told of before this one
 */
record Alert(String jobName, Optional<Execution> execution, Throwable failure, Instant at, int more) {
    /** The execution that failed. */
    record Execution(int item, String runId, int attempt, Instant scheduledTime) {}

    static Alert of(ShardingContext context, Throwable failure, Instant at) {
        return new Alert(
                context.getJobName(),
                Optional.of(new Execution(
                        context.getShardingItem(),
                        context.getRunId(),
                        context.getAttempt(),
                        context.getScheduledTime())),
                failure,
                at,
                0);
    }

    static Alert of(String jobName, Throwable failure, Instant at) {
        return new Alert(jobName, Optional.empty(), failure, at, 0);
    }

    Alert withMore(int suppressed) {
        return new Alert(jobName, execution, failure, at, suppressed);
    }

    /** One line. */
    String title() {
        String what = execution
                .map(failed -> "item %d failed (run \"%s\", attempt %d)"
                        .formatted(failed.item(), failed.runId(), failed.attempt()))
                .orElse("failed");
        return "Job \"%s\": %s".formatted(jobName, what);
    }

    /** The failure in one line, and how many more there were. */
    String summary() {
        return failureText()
                + (more == 0 ? "" : "\n%d more failures of this job since the last message".formatted(more));
    }

    String failureText() {
        return Failures.text(failure);
    }

    String stackTrace() {
        StringWriter text = new StringWriter();
        Failures.printable(failure).printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
