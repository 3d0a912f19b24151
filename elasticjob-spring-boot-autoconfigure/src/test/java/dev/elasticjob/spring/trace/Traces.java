package dev.elasticjob.spring.trace;

import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Events and settings for the tests of the trace. */
final class Traces {
    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    static final String A = "10.0.0.1@-@7";
    static final String B = "10.0.0.2@-@7";

    private Traces() {}

    static Tracing properties() {
        return properties(20_000, Duration.ZERO);
    }

    static Tracing properties(int bufferSize, Duration retention) {
        return properties(bufferSize, retention, Duration.ofSeconds(60));
    }

    static Tracing properties(int bufferSize, Duration retention, Duration shutdownTimeout) {
        return new Tracing(
                true,
                null,
                Tracing.InitializeSchema.ALWAYS,
                "classpath:dev/elasticjob/spring/trace/schema-@@platform@@.sql",
                null,
                retention,
                bufferSize,
                500,
                Duration.ofMillis(20),
                shutdownTimeout,
                Duration.ofSeconds(10),
                Set.of(),
                Set.of("untraced"));
    }

    static JobEvent.ItemStarted started(int item, Instant firing, int attempt, String instance) {
        return new JobEvent.ItemStarted(
                "orders",
                instance,
                item,
                firing,
                "orders@" + firing,
                attempt,
                attempt > 1 ? ExecutionTrigger.FAILOVER : ExecutionTrigger.SCHEDULE,
                firing.plusMillis(15),
                Optional.empty());
    }

    static JobEvent.ItemFinished finished(int item, Instant firing, int attempt, String instance) {
        return finished(item, firing, attempt, instance, ExecutionOutcome.COMPLETED, null);
    }

    static JobEvent.ItemFinished finished(
            int item, Instant firing, int attempt, String instance, ExecutionOutcome outcome, Throwable failure) {
        return new JobEvent.ItemFinished(
                "orders",
                instance,
                item,
                firing,
                "orders@" + firing,
                attempt,
                attempt > 1 ? ExecutionTrigger.FAILOVER : ExecutionTrigger.SCHEDULE,
                firing.plusMillis(15),
                firing.plusMillis(1_015),
                0,
                outcome,
                Optional.ofNullable(failure),
                Optional.empty());
    }

    static JobEvent.ItemCancelled cancelled(int item, Instant firing, int attempt, String instance) {
        return new JobEvent.ItemCancelled(
                "orders", instance, item, firing, "orders@" + firing, attempt, "cancelled by alice: wrong data");
    }

    static JobEvent.ItemInterrupted foundInterrupted(int item, Instant firing, int attempt, String instance) {
        return new JobEvent.ItemInterrupted("orders", instance, item, firing, "orders@" + firing, attempt);
    }

    /** A manual run that alice requested, claimed at a time. */
    static JobEvent.ItemFinished manual(int item, Instant claimed, String runId) {
        return new JobEvent.ItemFinished(
                "orders",
                A,
                item,
                claimed,
                runId,
                1,
                ExecutionTrigger.MANUAL,
                claimed,
                claimed.plusMillis(5),
                0,
                ExecutionOutcome.COMPLETED,
                Optional.empty(),
                Optional.of(new Requester("alice", "month end")));
    }
}
