package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.BackfillReport;
import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.Failing;
import dev.elasticjob.admin.JobReport.FiringReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.Lock;
import dev.elasticjob.admin.JobReport.Progress;
import dev.elasticjob.admin.JobReport.ScheduleReport;
import dev.elasticjob.admin.JobReport.WaitingRun;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The response of the endpoint. Absent values are written as null, so its form is always the same.
 *
 * @param jobs the jobs, sorted by name
 * @param groups the groups, sorted by name; left out if there are none
 */
public record JobsBody(
        List<JobBody> jobs, @JsonInclude(Include.NON_EMPTY) List<GroupBody> groups) implements OperationResponseBody {
    static JobsBody of(List<JobReport> jobs, List<GroupReport> groups) {
        return new JobsBody(
                jobs.stream().map(JobBody::of).toList(),
                groups.stream().map(GroupBody::of).toList());
    }

    /** A group of instances that share out work which is no job. */
    @JsonInclude(Include.ALWAYS)
    public record GroupBody(
            String group,
            String node,
            @Nullable String instance,
            @Nullable String leader,
            long epoch,
            boolean stopping,
            @Nullable Instant since,
            List<String> instances,
            List<GroupReport.Share> shares,
            List<String> leftOut,
            @Nullable String problem) {
        static GroupBody of(GroupReport report) {
            return new GroupBody(
                    report.group(),
                    report.node(),
                    report.instance().orElse(null),
                    report.leader().orElse(null),
                    report.epoch(),
                    report.stopping(),
                    report.since().orElse(null),
                    report.instances(),
                    report.shares(),
                    report.leftOut(),
                    report.problem().orElse(null));
        }
    }

    /** One job without its items. */
    @JsonInclude(Include.ALWAYS)
    public record JobBody(
            String name,
            @Nullable String type,
            ScheduleBody schedule,
            @Nullable Instant nextDueTime,
            JobStatus status,
            @Nullable JobState state,
            @Nullable String instance,
            @Nullable String leader,
            int epoch,
            boolean reshardingNecessary,
            List<String> instances,
            @JsonInclude(Include.NON_NULL) @Nullable BackfillBody backfill,
            @Nullable String problem,
            @JsonInclude(Include.NON_NULL) @Nullable PausedBy paused)
            implements OperationResponseBody {
        static JobBody of(JobReport report) {
            return new JobBody(
                    report.name(),
                    report.type().map(JobType::name).orElse(null),
                    ScheduleBody.of(report),
                    report.nextDueTime().orElse(null),
                    report.status(),
                    report.state().orElse(null),
                    report.instance().orElse(null),
                    report.leader().orElse(null),
                    report.epoch(),
                    report.reshardingNecessary(),
                    report.instances(),
                    report.backfill().map(BackfillBody::of).orElse(null),
                    report.problem().orElse(null),
                    report.paused().orElse(null));
        }
    }

    /** One job with its items. */
    @JsonInclude(Include.ALWAYS)
    public record JobWithItemsBody(
            String name,
            @Nullable String type,
            ScheduleBody schedule,
            @Nullable Instant nextDueTime,
            JobStatus status,
            @Nullable JobState state,
            @Nullable String instance,
            @Nullable String leader,
            int epoch,
            boolean reshardingNecessary,
            List<String> instances,
            @JsonInclude(Include.NON_NULL) @Nullable BackfillBody backfill,
            @Nullable String problem,
            @JsonInclude(Include.NON_NULL) @Nullable PausedBy paused,
            @JsonInclude(Include.NON_EMPTY) List<FiringBody> firings,
            List<ItemBody> items)
            implements OperationResponseBody {
        static JobWithItemsBody of(JobReport report) {
            return new JobWithItemsBody(
                    report.name(),
                    report.type().map(JobType::name).orElse(null),
                    ScheduleBody.of(report),
                    report.nextDueTime().orElse(null),
                    report.status(),
                    report.state().orElse(null),
                    report.instance().orElse(null),
                    report.leader().orElse(null),
                    report.epoch(),
                    report.reshardingNecessary(),
                    report.instances(),
                    report.backfill().map(BackfillBody::of).orElse(null),
                    report.problem().orElse(null),
                    report.paused().orElse(null),
                    report.firings().stream().map(FiringBody::of).toList(),
                    report.items().stream().map(ItemBody::of).toList());
        }
    }

    /** Scheduled times of the past that run once more. Left out if there are none. */
    @JsonInclude(Include.ALWAYS)
    public record BackfillBody(
            String actor,
            @Nullable Instant next,
            Instant until,
            List<Instant> underWay,
            int failed,
            List<Instant> failedTimes) {
        static BackfillBody of(BackfillReport report) {
            return new BackfillBody(
                    report.actor(),
                    report.next().orElse(null),
                    report.until(),
                    report.underWay(),
                    report.failed(),
                    report.failedTimes());
        }
    }

    /**
     * The schedule in force; nulls before the first plan.
     *
     * @param text all of it, with bounds, calendar and spread
     * @param cron null also for a schedule without cron expressions
     */
    @JsonInclude(Include.ALWAYS)
    public record ScheduleBody(
            @Nullable ScheduleKind kind,
            @Nullable String text,
            @Nullable String cron,
            @Nullable String timeZone) {
        static ScheduleBody of(JobReport report) {
            Optional<ScheduleReport> inForce = report.schedule();
            return new ScheduleBody(
                    inForce.map(ScheduleReport::kind).orElse(null),
                    inForce.map(ScheduleReport::text).orElse(null),
                    inForce.flatMap(ScheduleReport::cron).orElse(null),
                    inForce.map(ScheduleReport::timeZone).orElse(null));
        }
    }

    /** One firing that has begun and that not all of its items have ended. */
    @JsonInclude(Include.ALWAYS)
    public record FiringBody(
            String runId,
            @Nullable Instant scheduledAt,
            String phase,
            Instant since,
            String items,
            String unfinished,
            @Nullable String instance,
            int attempt,
            @Nullable String refused) {
        static FiringBody of(FiringReport report) {
            return new FiringBody(
                    report.runId(),
                    report.scheduledAt().orElse(null),
                    String.valueOf(report.phase()),
                    report.since(),
                    report.items(),
                    report.unfinished(),
                    report.instance().orElse(null),
                    report.attempt(),
                    report.refused().orElse(null));
        }
    }

    /** One item, with its owner, its latest execution, its checkpoint, and its progress where it has reported one. */
    @JsonInclude(Include.ALWAYS)
    public record ItemBody(
            int item,
            @Nullable String owner,
            boolean running,
            @Nullable Lock lock,
            boolean disabled,
            boolean misfired,
            boolean waitsForFailover,
            @Nullable Instant pauseEnds,
            @JsonInclude(Include.NON_NULL) @Nullable Instant successorAwaitedUntil,
            List<WaitingRun> waitingRuns,
            RecordBody record,
            @Nullable String checkpoint,
            @Nullable String problem,
            @JsonInclude(Include.NON_NULL) @Nullable Progress progress,
            @JsonInclude(Include.NON_NULL) @Nullable String progressProblem) {
        static ItemBody of(ItemReport report) {
            return new ItemBody(
                    report.item(),
                    report.owner().orElse(null),
                    report.running(),
                    report.lock().orElse(null),
                    report.disabled(),
                    report.misfired(),
                    report.waitsForFailover(),
                    report.pauseEnds().orElse(null),
                    report.successorAwaitedUntil().orElse(null),
                    report.waitingRuns(),
                    RecordBody.of(report.itemRecord()),
                    report.checkpoint().orElse(null),
                    report.problem().orElse(null),
                    report.progress().orElse(null),
                    report.progressProblem().orElse(null));
        }
    }

    /** The latest execution of an item. */
    @JsonInclude(Include.ALWAYS)
    public record RecordBody(
            String state,
            @Nullable Instant scheduledAt,
            @Nullable String instance,
            @Nullable String runId,
            @Nullable String runParameter,
            @JsonInclude(Include.NON_NULL) @Nullable Requester requester,
            int attempt,
            int crashes,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable String failure,
            @Nullable String cancelled,
            @JsonInclude(Include.NON_NULL) @Nullable FailingBody failing) {
        static RecordBody of(Execution execution) {
            return new RecordBody(
                    String.valueOf(execution.state()),
                    execution.scheduledAt().orElse(null),
                    execution.instance().orElse(null),
                    execution.runId().orElse(null),
                    execution.runParameter().orElse(null),
                    execution.requester().orElse(null),
                    execution.attempt(),
                    execution.crashes(),
                    execution.startedAt().orElse(null),
                    execution.finishedAt().orElse(null),
                    execution.failure().orElse(null),
                    execution.cancelled().orElse(null),
                    execution.failing().map(FailingBody::of).orElse(null));
        }
    }

    /** Executions of an item that have failed one after the other. Left out if the last one has not failed. */
    @JsonInclude(Include.ALWAYS)
    public record FailingBody(
            int times, Instant since, @Nullable Instant succeeded, String last) {
        static FailingBody of(Failing failing) {
            return new FailingBody(
                    failing.times(), failing.since(), failing.succeeded().orElse(null), failing.last());
        }
    }
}
