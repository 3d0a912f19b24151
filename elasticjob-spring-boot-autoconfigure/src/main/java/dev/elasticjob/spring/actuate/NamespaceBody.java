package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.admin.AppAttention.AppFinding;
import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.GroupAttention.GroupFinding;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport.DrainedBy;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.ServerReport.JobOnServer;
import dev.elasticjob.admin.ServerReport.Part;
import dev.elasticjob.admin.ServerReport.State;
import dev.elasticjob.admin.Swept;
import dev.elasticjob.admin.command.CommandHistory.Entry;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Verdict;
import dev.elasticjob.admin.explain.ReshardPreview;
import dev.elasticjob.admin.explain.ReshardPreview.Share;
import dev.elasticjob.definition.schedule.LeftOut;
import dev.elasticjob.spring.actuate.JobsBody.JobBody;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The endpoint's answers to questions about any job of the namespace. Absent values are written as null. */
final class NamespaceBody {
    private NamespaceBody() {}

    /**
     * A page of jobs.
     *
     * @param names how many jobs have a matching name, and the status if one is asked for
     * @param next the value of "after" for the next page
     * @param swept how much has been read of what a filter by status needs; left out without one
     */
    @JsonInclude(Include.ALWAYS)
    public record PageBody(
            List<JobBody> jobs,
            int names,
            @Nullable String next,
            @JsonInclude(Include.NON_NULL) @Nullable SweptBody swept)
            implements OperationResponseBody {
        static PageBody of(JobPage page) {
            return new PageBody(
                    page.jobs().stream().map(JobBody::of).toList(),
                    page.names(),
                    page.next().orElse(null),
                    page.swept().map(SweptBody::of).orElse(null));
        }
    }

    /**
     * What is to be done in several jobs together, as autoscalers read it.
     *
     * @param jobs how many jobs match
     * @param unknown how many of them can't be read; they count as nothing
     * @param oldestOpenSeconds for how long the oldest due work has waited; null if no item is open, or it isn't known
     * @param nextDueSeconds null if nothing becomes due by itself, or nobody knows when
     */
    @JsonInclude(Include.ALWAYS)
    public record DemandBody(
            int jobs,
            int unknown,
            int open,
            int running,
            long weight,
            @Nullable Long oldestOpenSeconds,
            @Nullable Long nextDueSeconds)
            implements OperationResponseBody {
        static DemandBody of(JobDemand.Total demand) {
            return new DemandBody(
                    demand.jobs(),
                    demand.unknown(),
                    demand.open(),
                    demand.running(),
                    demand.weight(),
                    demand.oldestOpenSeconds().orElse(null),
                    demand.nextDueSeconds().orElse(null));
        }
    }

    /**
     * How far the sweep over all jobs is.
     *
     * @param jobs how many have been read
     * @param of how many there are
     * @param oldest when the one that was read first was read
     */
    @JsonInclude(Include.ALWAYS)
    public record SweptBody(
            int jobs, int of, boolean complete, @Nullable Instant oldest) {
        static SweptBody of(Swept.Progress progress) {
            return new SweptBody(
                    progress.jobs(),
                    progress.of(),
                    progress.complete(),
                    progress.oldest().orElse(null));
        }
    }

    /** The servers of all jobs. */
    public record ServersBody(List<ServerBody> servers) implements OperationResponseBody {
        static ServersBody of(List<ServerReport> servers) {
            return new ServersBody(servers.stream().map(ServerBody::of).toList());
        }
    }

    /**
     * One server.
     *
     * @param jobs those that name it
     */
    public record ServerBody(
            String server, List<ServerInstanceBody> instances, int disabledJobs, int deadJobs, List<JobOnServer> jobs) {
        static ServerBody of(ServerReport report) {
            return new ServerBody(
                    report.server(),
                    report.instances().stream().map(ServerInstanceBody::of).toList(),
                    report.disabledJobs(),
                    report.deadJobs(),
                    report.jobs());
        }
    }

    /**
     * One instance in all its jobs.
     *
     * @param used the total weight of the items that it executes
     * @param capacity the largest one; left out if there is no limit
     * @param drainedBy the latest of its drains by operators; null if there is none
     * @param emptySince null if it isn't empty, or nobody knows since when
     */
    @JsonInclude(Include.ALWAYS)
    public record ServerInstanceBody(
            String id,
            State state,
            int items,
            int running,
            long used,
            @JsonInclude(Include.NON_NULL) @Nullable Integer capacity,
            @Nullable DrainedBy drainedBy,
            @Nullable Instant emptySince,
            List<PartBody> jobs) {
        static ServerInstanceBody of(InstanceOnServer report) {
            return new ServerInstanceBody(
                    report.id(),
                    report.state(),
                    report.items(),
                    report.running(),
                    report.used(),
                    report.capacity().isPresent() ? report.capacity().getAsInt() : null,
                    report.drainedBy().orElse(null),
                    report.emptySince().orElse(null),
                    report.parts().stream().map(PartBody::of).toList());
        }
    }

    /**
     * What an instance does in one job.
     *
     * @param items those that it owns
     * @param running those that it executes
     */
    @JsonInclude(Include.ALWAYS)
    public record PartBody(
            String job,
            List<Integer> items,
            List<Integer> running,
            boolean draining,
            @Nullable DrainedBy drainedBy,
            boolean disabled,
            @JsonInclude(Include.NON_DEFAULT) boolean unmatched,
            boolean alone,
            boolean recorded) {
        static PartBody of(Part part) {
            return new PartBody(
                    part.job(),
                    part.items(),
                    part.running(),
                    part.draining(),
                    part.drainedBy().orElse(null),
                    part.disabled(),
                    !part.matches(),
                    part.alone(),
                    part.recorded());
        }
    }

    /**
     * What needs a person, worst first.
     *
     * @param groupsUnread why nothing is known of the groups; left out if it is
     * @param appsUnread the same of the applications of Kubernetes
     */
    public record AttentionBody(
            List<FindingBody> attention,
            @JsonInclude(Include.NON_EMPTY) List<GroupFindingBody> groups,
            @JsonInclude(Include.NON_NULL) @Nullable String groupsUnread,
            @JsonInclude(Include.NON_EMPTY) List<AppFindingBody> apps,
            @JsonInclude(Include.NON_NULL) @Nullable String appsUnread)
            implements OperationResponseBody {
        static AttentionBody of(List<Finding> jobs, GroupWatch.Look groups, AppWatch.Look apps) {
            return new AttentionBody(
                    jobs.stream().map(FindingBody::of).toList(),
                    groups.findings().stream().map(GroupFindingBody::of).toList(),
                    groups.unread().orElse(null),
                    apps.findings().stream().map(AppFindingBody::of).toList(),
                    apps.unread().orElse(null));
        }
    }

    /**
     * Something in an application of Kubernetes that needs a person.
     *
     * @param since null if nothing shows a time
     * @param seen when this process first saw it, if nothing shows a time; left out otherwise
     */
    @JsonInclude(Include.ALWAYS)
    public record AppFindingBody(
            String app,
            AppFinding.Kind kind,
            @Nullable Instant since,
            @JsonInclude(Include.NON_NULL) @Nullable Instant seen,
            String fact,
            String remedy) {
        static AppFindingBody of(AppFinding finding) {
            return new AppFindingBody(
                    finding.app(),
                    finding.kind(),
                    finding.since().orElse(null),
                    finding.seen().orElse(null),
                    finding.fact().text(),
                    finding.remedy().text());
        }
    }

    /**
     * Something in a group of dynamic sharding that needs a person.
     *
     * @param since null if the registry shows no time
     * @param seen when this process first saw it, if the registry shows no time; left out otherwise
     */
    @JsonInclude(Include.ALWAYS)
    public record GroupFindingBody(
            String group,
            String node,
            GroupFinding.Kind kind,
            List<String> instances,
            @Nullable Instant since,
            @JsonInclude(Include.NON_NULL) @Nullable Instant seen,
            String fact,
            String remedy) {
        static GroupFindingBody of(GroupFinding finding) {
            return new GroupFindingBody(
                    finding.group(),
                    finding.node(),
                    finding.kind(),
                    finding.instances(),
                    finding.since().orElse(null),
                    finding.seen().orElse(null),
                    finding.fact().text(),
                    finding.remedy().text());
        }
    }

    /**
     * Something that needs a person.
     *
     * @param items empty for the job as a whole
     * @param since null if the registry shows no time
     * @param seen when this process first saw it, if the registry shows no time; left out otherwise
     */
    @JsonInclude(Include.ALWAYS)
    public record FindingBody(
            String job,
            Finding.Kind kind,
            SortedSet<Integer> items,
            @Nullable Instant since,
            @JsonInclude(Include.NON_NULL) @Nullable Instant seen,
            String fact,
            String remedy) {
        static FindingBody of(Finding finding) {
            return new FindingBody(
                    finding.job(),
                    finding.kind(),
                    finding.items(),
                    finding.since().orElse(null),
                    finding.seen().orElse(null),
                    finding.fact().text(),
                    finding.remedy().text());
        }
    }

    /** The instances of a job. */
    public record InstancesBody(List<InstanceBody> instances) implements OperationResponseBody {
        static InstancesBody of(List<InstanceReport> instances) {
            return new InstancesBody(instances.stream().map(InstanceBody::of).toList());
        }
    }

    /**
     * One instance of a job.
     *
     * @param version of this library; "unknown" if its node doesn't say it
     * @param labels left out if there are none
     * @param capacity what its items may weigh together, over all jobs; left out if there is no limit
     * @param unmatched left out if the job's {@code runOn} lets the instance run items
     * @param clockDiffers left out if its clock agrees with the registry's, as far as the job limits that
     */
    @JsonInclude(Include.ALWAYS)
    public record InstanceBody(
            String id,
            String server,
            Instant since,
            String software,
            String version,
            @JsonInclude(Include.NON_EMPTY) Map<String, String> labels,
            @JsonInclude(Include.NON_NULL) @Nullable Integer capacity,
            @JsonInclude(Include.NON_DEFAULT) boolean unmatched,
            @JsonInclude(Include.NON_DEFAULT) boolean clockDiffers,
            boolean leader,
            boolean draining,
            @JsonInclude(Include.NON_NULL) @Nullable DrainedBy drainedBy,
            boolean serverDisabled,
            List<Integer> items) {
        static InstanceBody of(InstanceReport report) {
            return new InstanceBody(
                    report.id(),
                    report.server(),
                    report.since(),
                    report.software(),
                    report.version().orElse("unknown"),
                    report.labels(),
                    report.capacity().isPresent() ? report.capacity().getAsInt() : null,
                    !report.matches(),
                    report.clockDiffers(),
                    report.leader(),
                    report.draining(),
                    report.drainedBy().orElse(null),
                    report.serverDisabled(),
                    report.items());
        }
    }

    /** The next firings of a job. */
    public record DueTimesBody(List<Instant> dueTimes, List<LeftOut> leftOut) implements OperationResponseBody {}

    /** The last commands on a job, newest first. */
    public record CommandsBody(List<Entry> commands) implements OperationResponseBody {}

    /** Who would own which items of a job after a resharding under other conditions. */
    public record PreviewBody(
            String strategy,
            int total,
            List<Share> instances,
            List<Integer> moved,
            List<Integer> assigned,
            List<Integer> unowned,
            List<Integer> removed)
            implements OperationResponseBody {
        static PreviewBody of(ReshardPreview preview) {
            return new PreviewBody(
                    preview.strategy(),
                    preview.total(),
                    preview.instances(),
                    preview.moved(),
                    preview.assigned(),
                    preview.unowned(),
                    preview.removed());
        }
    }

    /** A job's nodes, one line each. */
    public record TreeBody(List<String> nodes) implements OperationResponseBody {}

    /** Why an item doesn't run. */
    @JsonInclude(Include.ALWAYS)
    public record ExplanationBody(
            String job, int item, Verdict verdict, @Nullable String owner, List<ConditionBody> conditions)
            implements OperationResponseBody {
        static ExplanationBody of(Explanation explanation) {
            return new ExplanationBody(
                    explanation.job(),
                    explanation.item(),
                    explanation.verdict(),
                    explanation.owner().orElse(null),
                    explanation.conditions().stream().map(ConditionBody::of).toList());
        }
    }

    /** One condition that keeps the item from running. */
    @JsonInclude(Include.ALWAYS)
    public record ConditionBody(
            String reason,
            String certainty,
            String fact,
            @Nullable String node,
            @Nullable Integer version,
            @Nullable Instant since,
            @Nullable Instant until,
            String remedy) {
        static ConditionBody of(Condition condition) {
            return new ConditionBody(
                    condition.reason().name(),
                    condition.certainty().name(),
                    condition.fact().text(),
                    condition.node().orElse(null),
                    condition.version().orElse(null),
                    condition.since().orElse(null),
                    condition.until().orElse(null),
                    condition.remedy().text());
        }
    }
}
