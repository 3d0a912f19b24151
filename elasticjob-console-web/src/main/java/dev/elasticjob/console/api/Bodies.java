package dev.elasticjob.console.api;

import dev.elasticjob.admin.AppAttention.AppFinding;
import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.Attention.Checked;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.GroupAttention.GroupFinding;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.ItemSummary;
import dev.elasticjob.admin.JobInspector.DueTimes;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.BackfillReport;
import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.FiringReport;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.Lock;
import dev.elasticjob.admin.JobReport.Progress;
import dev.elasticjob.admin.JobReport.ScheduleReport;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.Swept;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.CommandHistory;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.explain.Sentence;
import dev.elasticjob.admin.table.DryRun;
import dev.elasticjob.admin.table.Effect;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.AccessLevel;
import dev.elasticjob.console.web.CsrfToken;
import dev.elasticjob.console.web.InvalidRequestException.Violation;
import dev.elasticjob.console.web.Problem;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.schedule.LeftOut;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The forms of the answers. Absent values are null. None has what only the answering process knows of itself, so that each
 * process answers the same.
 */
final class Bodies {
    private Bodies() {}

    /**
     * Who is there, and what there is to see.
     *
     * @param levels of all jobs, and of the console as a whole
     * @param rights of some jobs, beside those
     */
    record Session(
            Optional<String> user,
            List<AccessLevel> levels,
            List<Access.Rights> rights,
            Optional<CsrfToken> csrf,
            List<RegistryName> registries,
            Optional<String> signOut,
            String version) {}

    /** @param logLink the template of {@link LogLink}, if there is one */
    record RegistryName(String name, String namespace, ConsoleRegistry.Mode mode, Optional<String> logLink) {}

    /**
     * A page of jobs.
     *
     * @param names how many jobs match
     * @param swept how much has been read of what a search by state, or another order than that of names, needs; otherwise
     *     empty
     */
    record Jobs(List<Job> jobs, int names, Optional<String> next, Optional<Swept.Progress> swept) {
        static Jobs of(JobPage page) {
            return new Jobs(page.jobs().stream().map(Job::of).toList(), page.names(), page.next(), page.swept());
        }
    }

    /**
     * What needs a person, worst first.
     *
     * @param total how many findings there are; not all of them are listed
     * @param kinds how many there are of each kind, in the order of the findings
     * @param groupsUnread why nothing is known of the groups of dynamic sharding: the console may not read them
     * @param appsUnread the same of the applications of Kubernetes
     */
    record Attention(
            List<Found> findings,
            int total,
            Map<String, Integer> kinds,
            Swept.Progress swept,
            Optional<String> groupsUnread,
            Optional<String> appsUnread) {
        static final int MOST_FINDINGS = 500;

        /**
         * @param dataLoss concerns all jobs
         * @param most how many findings to list
         */
        static Attention of(
                Swept<Checked> swept,
                Optional<Finding> dataLoss,
                GroupWatch.Look groups,
                AppWatch.Look apps,
                int most) {
            Stream<Finding> jobs = Checked.together(
                    swept.entries().stream().map(Swept.Entry::value).toList())
                    .stream();
            List<Found> all = Stream.of(
                            dataLoss.stream().map(Ranked::of),
                            groups.findings().stream().map(Ranked::of),
                            apps.findings().stream().map(Ranked::of),
                            jobs.map(Ranked::of))
                    .flatMap(found -> found)
                    .sorted(Ranked.WORST_FIRST)
                    .map(Ranked::found)
                    .toList();
            Map<String, Integer> kinds = new LinkedHashMap<>();
            all.forEach(found -> kinds.merge(found.kind(), 1, Integer::sum));
            return new Attention(
                    all.stream().limit(most).toList(),
                    all.size(),
                    kinds,
                    swept.progress(),
                    groups.unread(),
                    apps.unread());
        }

        /** Findings of jobs, groups and applications in one order: of one rank the longest lasting first. */
        private record Ranked(Finding.Kind rank, Instant begin, Found found) {
            static final Comparator<Ranked> WORST_FIRST =
                    Comparator.comparing(Ranked::rank).thenComparing(Ranked::begin);

            static Ranked of(Finding finding) {
                return new Ranked(finding.kind(), finding.begin(), Found.of(finding));
            }

            static Ranked of(GroupFinding finding) {
                return new Ranked(finding.kind().asBadAs(), finding.begin(), Found.of(finding));
            }

            static Ranked of(AppFinding finding) {
                return new Ranked(finding.kind().asBadAs(), finding.begin(), Found.of(finding));
            }
        }
    }

    /**
     * Something in a job, in a group of dynamic sharding, or in an application of Kubernetes, that needs a person.
     *
     * @param job null for a group or an application
     * @param group the node of the group; null for the others
     * @param app the id of the application; null for the others
     * @param kind of {@link Finding.Kind}, {@link GroupFinding.Kind} or {@link AppFinding.Kind}
     */
    record Found(
            Optional<String> job,
            Optional<String> group,
            Optional<String> app,
            String kind,
            SortedSet<Integer> items,
            Optional<Instant> since,
            Optional<Instant> seen,
            Sentence fact,
            Sentence remedy) {
        static Found of(Finding finding) {
            return new Found(
                    Optional.of(finding.job()),
                    Optional.empty(),
                    Optional.empty(),
                    finding.kind().name(),
                    finding.items(),
                    finding.since(),
                    finding.seen(),
                    finding.fact(),
                    finding.remedy());
        }

        static Found of(GroupFinding finding) {
            return new Found(
                    Optional.empty(),
                    Optional.of(finding.node()),
                    Optional.empty(),
                    finding.kind().name(),
                    new TreeSet<>(),
                    finding.since(),
                    finding.seen(),
                    finding.fact(),
                    finding.remedy());
        }

        static Found of(AppFinding finding) {
            return new Found(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(finding.app()),
                    finding.kind().name(),
                    new TreeSet<>(),
                    finding.since(),
                    finding.seen(),
                    finding.fact(),
                    finding.remedy());
        }
    }

    record Bulk(List<BulkResult> results) {}

    /** What came of a command for one of several jobs, or would come of it. */
    record BulkResult(String job, BulkOutcome outcome, List<Effect> effects, Optional<String> detail) {
        static BulkResult done(String job) {
            return new BulkResult(job, BulkOutcome.DONE, List.of(), Optional.empty());
        }

        static BulkResult notBegun(String job) {
            return new BulkResult(job, BulkOutcome.NOT_BEGUN, List.of(), Optional.empty());
        }

        static BulkResult expected(String job, DryRun preview) {
            return new BulkResult(
                    job, BulkOutcome.valueOf(preview.outcome().name()), preview.effects(), Optional.empty());
        }

        static BulkResult failed(String job, Problem problem) {
            BulkOutcome outcome = problem.code().equals("REFUSED") ? BulkOutcome.REFUSED : BulkOutcome.FAILED;
            return new BulkResult(job, outcome, List.of(), Optional.of(problem.detail()));
        }
    }

    /** What came of a command, or in a dry run, what would come of it. */
    enum BulkOutcome {
        DONE,
        CHANGES,
        NOTHING,
        REFUSED,
        FAILED,
        /** There was no time left. */
        NOT_BEGUN
    }

    /** A job without its items. */
    record Job(
            String name,
            Optional<String> type,
            Optional<ScheduleReport> schedule,
            Optional<Instant> nextFiring,
            JobStatus status,
            Optional<String> leader,
            int epoch,
            boolean reshardingNecessary,
            List<String> instances,
            Optional<String> problem,
            Optional<PausedBy> paused) {
        static Job of(JobReport report) {
            return new Job(
                    report.name(),
                    report.type().map(JobType::name),
                    report.schedule(),
                    report.nextDueTime(),
                    report.status(),
                    report.leader(),
                    report.epoch(),
                    report.reshardingNecessary(),
                    report.instances(),
                    report.problem(),
                    report.paused());
        }
    }

    /**
     * A job with its instances, and with what the map shows of its items.
     *
     * @param last as in the list of jobs
     * @param firings those that are open, of a job that has cluster listeners or is followed by other jobs
     * @param waiting the run ids of the manual runs that wait, by item; items for which none waits are missing
     * @param progress how far executions have come, by item; those that report nothing are missing
     * @param progressProblems the nodes of progress that can't be read
     */
    record WholeJob(
            Job job,
            Last last,
            List<InstanceReport> instances,
            List<Square> items,
            List<FiringReport> firings,
            Optional<BackfillReport> backfill,
            SortedMap<Integer, List<String>> waiting,
            SortedMap<Integer, Progress> progress,
            List<String> progressProblems) {
        static WholeJob of(JobReport report, List<InstanceReport> instances) {
            return new WholeJob(
                    Job.of(report),
                    Last.of(report),
                    instances,
                    report.items().stream().map(Square::of).toList(),
                    report.firings(),
                    report.backfill(),
                    waiting(report),
                    progress(report),
                    report.items().stream()
                            .flatMap(item -> item.progressProblem().stream())
                            .distinct()
                            .toList());
        }

        private static SortedMap<Integer, Progress> progress(JobReport report) {
            SortedMap<Integer, Progress> progress = new TreeMap<>();
            report.items().forEach(item -> item.progress().ifPresent(known -> progress.put(item.item(), known)));
            return progress;
        }

        private static SortedMap<Integer, List<String>> waiting(JobReport report) {
            SortedMap<Integer, List<String>> waiting = new TreeMap<>();
            report.items().stream()
                    .filter(item -> !item.waitingRuns().isEmpty())
                    .forEach(item -> waiting.put(
                            item.item(),
                            item.waitingRuns().stream()
                                    .flatMap(run -> run.runIds().stream())
                                    .toList()));
            return waiting;
        }
    }

    /** @param jobs by name */
    record Lasts(SortedMap<String, Last> jobs) {
        static Lasts of(List<JobReport> reports) {
            SortedMap<String, Last> jobs = new TreeMap<>();
            reports.forEach(report -> jobs.put(report.name(), Last.of(report)));
            return new Lasts(jobs);
        }
    }

    /**
     * What needs a person in a job.
     *
     * @param items how many items it concerns; 0 for the job as a whole
     * @param since the earliest time that the registry shows for it
     */
    record Trouble(Finding.Kind kind, int items, Optional<Instant> since) {
        static Optional<Trouble> worst(List<Finding> findings) {
            return findings.stream()
                    .findFirst()
                    .map(finding -> new Trouble(finding.kind(), finding.items().size(), finding.since()));
        }
    }

    /**
     * How a job is, and how its items ended last, in one word each.
     *
     * @param items as in {@link ItemSummary}, and so the following ones
     * @param trouble the worst of what needs a person
     */
    record Last(int items, ItemState state, int of, Optional<Instant> finishedAt, Optional<Trouble> trouble) {
        static Last of(JobReport job) {
            ItemSummary items = ItemSummary.of(job);
            Optional<Trouble> trouble = Trouble.worst(dev.elasticjob.admin.Attention.of(job));
            return new Last(items.items(), items.state(), items.of(), items.finishedAt(), trouble);
        }
    }

    /**
     * The names of the jobs that a search finds.
     *
     * @param names at most {@link #MOST}, in alphabetical order
     * @param total how many there are
     * @param swept as for a page
     */
    record Names(List<String> names, int total, Optional<Swept.Progress> swept) {
        private static final int MOST = 500;

        static Names of(JobPage.Names found) {
            return new Names(
                    found.names().stream().limit(MOST).toList(), found.names().size(), found.swept());
        }
    }

    /** @param commands newest first */
    record Commands(List<CommandHistory.Entry> commands) {}

    /**
     * One item on the map.
     *
     * @param runsOn the instance that holds its lock
     * @param since when that instance claimed it
     * @param awaitedUntil how long it waits for the successor of its owner, if it does
     */
    record Square(
            int item,
            Optional<String> owner,
            Optional<String> runsOn,
            Optional<Instant> since,
            Optional<Instant> awaitedUntil,
            boolean running,
            ItemState state,
            boolean disabled,
            boolean misfired,
            boolean waitsForFailover,
            int waitingRuns,
            Optional<Instant> scheduledAt,
            Optional<Instant> finishedAt,
            Optional<String> runId,
            boolean cancelled,
            boolean unreadable) {
        static Square of(ItemReport item) {
            Execution last = item.itemRecord();
            return new Square(
                    item.item(),
                    item.owner(),
                    item.lock().map(Lock::instance),
                    item.lock().map(Lock::since),
                    item.successorAwaitedUntil(),
                    item.running(),
                    last.state(),
                    item.disabled(),
                    item.misfired(),
                    item.waitsForFailover(),
                    item.waitingRuns().size(),
                    last.scheduledAt(),
                    last.finishedAt(),
                    last.runId(),
                    last.cancelled().isPresent(),
                    item.problem().isPresent());
        }
    }

    /** @param next the number of the next page's first item */
    record Items(List<ItemReport> items, Optional<Integer> next) {}

    /** @param leftOut what the job's calendar leaves out until then */
    record Firings(List<Instant> times, List<LeftOut> leftOut) {
        static Firings of(DueTimes due) {
            return new Firings(due.times(), due.leftOut());
        }
    }

    record Tree(List<String> nodes) {}

    /**
     * A job's settings.
     *
     * @param settings by name; of settings that can't be used, only what can be read
     * @param unreadable why they can't be used; empty if they can
     */
    record Definition(String version, Map<String, Object> settings, Optional<Unreadable> unreadable) {
        static Definition of(VersionedDefinition definition) {
            return new Definition(definition.version(), definition.settings(), Optional.empty());
        }
    }

    /**
     * Why settings can't be used.
     *
     * @param node its path
     * @param reason what was expected there, and what was found
     * @param faults the settings that a repair has to give values to
     */
    record Unreadable(String node, String reason, List<Violation> faults) {}

    /** What came of a command. Most answers say it themselves. */
    static Object answer(@Nullable Object of) {
        if (of instanceof CancelAnswer cancelled) {
            return Cancelled.of(cancelled);
        }
        if (of instanceof VersionedDefinition definition) {
            return Definition.of(definition);
        }
        if (of instanceof Boolean changed) {
            return Map.of("changed", changed);
        }
        return of == null ? Map.of() : of;
    }

    /** @param ended whether nothing is left; otherwise executions continue, and the removal ends after them */
    record Removal(boolean ended) {}

    /**
     * What came of a cancellation.
     *
     * @param runId empty if the items have executed several runs
     * @param runs the items of each run, such as {@code 1,3-5}
     */
    record Cancelled(
            Optional<String> runId, SortedMap<String, String> runs, SortedMap<Integer, CancelAnswer.Result> items) {
        static Cancelled of(CancelAnswer answer) {
            Optional<String> runId = answer.runs().size() == 1 ? Optional.of(answer.runId()) : Optional.empty();
            return new Cancelled(runId, answer.ranges(), answer.items());
        }
    }
}
