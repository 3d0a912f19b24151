package dev.elasticjob.admin;

import dev.elasticjob.admin.JobReport.BackfillReport;
import dev.elasticjob.admin.JobReport.DrainedBy;
import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.Failing;
import dev.elasticjob.admin.JobReport.FiringReport;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.Lock;
import dev.elasticjob.admin.JobReport.Overweight;
import dev.elasticjob.admin.JobReport.Progress;
import dev.elasticjob.admin.JobReport.WaitingRun;
import dev.elasticjob.admin.RegistryJobInspector.Here;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.ItemConditions;
import dev.elasticjob.coordination.progress.ItemProgress;
import dev.elasticjob.coordination.progress.ReportedProgress;
import dev.elasticjob.coordination.run.Backfill;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.FailureStreak;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.view.CallLimits;
import dev.elasticjob.coordination.view.FiringEnds;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobSnapshot.InstanceNode;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.Leaver;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.coordination.watchdog.ThreadWaits;
import dev.elasticjob.coordination.watchdog.WatchPlanner;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes reports of one job from what was read of it. Pure. */
record JobReports(JobSnapshot job, Optional<Here> here, ItemConditions.Viewpoint from) {

    JobReport overview() {
        return report(List.of(), List.of(), Optional.empty());
    }

    JobReport withItems(ItemsView read) {
        return withItems(read, ReportedProgress.UNKNOWN);
    }

    JobReport withItems(ItemsView read, ReportedProgress progress) {
        ThreadWaits waits = ThreadWaits.of(job.reports());
        Map<Optional<Instant>, Optional<Instant>> owed = new HashMap<>();
        return report(
                read.items().values().stream()
                        .map(item -> item(
                                item,
                                read,
                                waits,
                                progress,
                                owed.computeIfAbsent(
                                        Optional.ofNullable(item.current().scheduledAt()), this::owedAfter)))
                        .toList(),
                read.firings().value().open().stream()
                        .map(firing -> firing(firing, read))
                        .toList(),
                overdue(read));
    }

    private Optional<Instant> overdue(ItemsView read) {
        boolean paused = PausedBy.of(job.view()).isPresent();
        return job.definition()
                .filter(settings -> settings.watchdog().watchesFirings() && !paused)
                .flatMap(settings -> job.assignment()
                        .flatMap(plan -> WatchPlanner.overdue(
                                settings,
                                plan,
                                read,
                                DelayedFiring.of(job.view().delay()),
                                from.registryNow())));
    }

    private JobReport report(List<ItemReport> items, List<FiringReport> firings, Optional<Instant> overdue) {
        Optional<Assignment> assignment = job.assignment();
        return new JobReport(
                job.jobName(),
                job.definition().map(JobDefinition::jobType),
                assignment.map(Assignment::schedule).map(JobReport.ScheduleReport::of),
                assignment.flatMap(this::next),
                DelayedFiring.of(job.view().delay()).map(last -> new JobReport.DelayedReport(last.at(), last.ended())),
                JobStatus.of(job),
                here.map(Here::state),
                here.flatMap(Here::instance),
                job.view().leader(),
                job.epoch(),
                job.view().necessary().isPresent(),
                job.view().instances().stream().sorted().toList(),
                items,
                firings,
                job.view().backfill().flatMap(Backfill::read).map(JobReports::backfill),
                overdue,
                List.copyOf(job.notFollowed().keySet()),
                job.problem(),
                PausedBy.of(job.view()),
                since(),
                LastDisabling.standstill(job, from.registryNow()),
                wrongClocks(),
                needsSuccessOf(job),
                endingCalendar());
    }

    private Optional<JobReport.WrongClocks> wrongClocks() {
        List<String> ids = job.instances().stream()
                .filter(InstanceNode::clockDiffers)
                .map(InstanceNode::id)
                .sorted()
                .toList();
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        boolean everywhere = job.eligible(job.runOn()).stream().anyMatch(InstanceNode::clockDiffers);
        return Optional.of(new JobReport.WrongClocks(ids, everywhere));
    }

    /** After a firing that goes on, nobody knows when the next one is. */
    private Optional<Instant> next(Assignment inForce) {
        return inForce.schedule().delay().isPresent()
                ? DelayedFiring.next(DelayedFiring.of(job.view().delay()), inForce)
                : inForce.schedule().nextAfter(from.now());
    }

    private Optional<JobCalendar> endingCalendar() {
        return job.definition()
                .filter(settings -> !settings.calendar().isEmpty())
                .flatMap(settings -> {
                    JobCalendar calendar = JobCalendar.of(settings.calendar());
                    LocalDate today = LocalDate.ofInstant(from.now(), settings.timeZone());
                    return calendar.endsSoon(today).map(last -> calendar);
                });
    }

    /** The jobs that it runs after only if they have succeeded. */
    static List<String> needsSuccessOf(JobSnapshot job) {
        return job.definition()
                .map(JobDefinition::after)
                .filter(after -> after.outcome() == AfterOutcome.SUCCESS)
                .map(AfterSettings::jobs)
                .orElse(List.of());
    }

    /** When the node was written that the status comes from. */
    private Optional<Instant> since() {
        JobStatus status = JobStatus.of(job);
        if (status == JobStatus.UNREADABLE || status == JobStatus.REMOVED) {
            return job.definitionProblem()
                    .map(problem -> job.tree().node(problem.part()))
                    .flatMap(path -> job.view().answer().node(path))
                    .or(() -> job.view().problem().flatMap(any -> job.sharding()))
                    .map(RegistryNode::modified);
        }
        return switch (status) {
            case FOREIGN_INSTANCES -> job.sharding().map(RegistryNode::modified);
            case DISABLED -> job.assignment().flatMap(plan -> Optional.ofNullable(plan.pausedFrom()));
            default -> Optional.empty();
        };
    }

    private FiringReport firing(OpenFiring firing, ItemsView read) {
        FiringEnds ends = new FiringEnds(
                job.assignment().orElseThrow(),
                job.definition().filter(JobDefinition::failover).isPresent(),
                read.items());
        return new FiringReport(
                firing.runIdOf(job.jobName()),
                Optional.ofNullable(firing.scheduledAt()),
                firing.phase(),
                firing.since(),
                ItemRanges.text(List.copyOf(firing.items())),
                ItemRanges.text(firing.items().stream()
                        .filter(item -> ends.of(firing, item).isEmpty())
                        .toList()),
                Optional.ofNullable(firing.hook().instance()).filter(by -> firing.awaitsHook()),
                firing.hook().attempt(),
                Optional.ofNullable(firing.refused()),
                isSlow(firing));
    }

    private boolean isSlow(OpenFiring firing) {
        return firing.awaitsHook()
                && job.definition()
                        .map(settings -> CallLimits.of(settings, firing.phase()).patience())
                        .filter(patience -> firing.since().plus(patience).isBefore(from.registryNow()))
                        .isPresent();
    }

    private static BackfillReport backfill(Backfill present) {
        return new BackfillReport(
                present.by().actor(),
                present.next(),
                present.until(),
                present.open(),
                present.failures().count(),
                present.failures().first());
    }

    private ItemReport item(
            ItemView item, ItemsView read, ThreadWaits waits, ReportedProgress progress, Optional<Instant> owed) {
        Optional<RegistryNode> lock = Optional.ofNullable(read.locks().get(item.item()));
        return new ItemReport(
                item.item(),
                owner(item.item()),
                item.children().running(),
                lock.map(node -> lock(node, waits.of(item.item(), node.czxid()))),
                item.children().disabled(),
                item.children().misfire(),
                item.waitsForFailover(),
                ItemConditions.pauseEnds(job, item, read.firings().value(), from),
                item.waiting().stream()
                        .flatMap(waiting -> waiting.runs().runs().stream())
                        .map(this::waiting)
                        .toList(),
                execution(item.current(), item.recorded()),
                item.checkpoint(),
                item.problem(),
                item.recorded(),
                owed.filter(firing -> item.isReadable() && !item.children().disabled()),
                lock.flatMap(node -> progress.of(item.item(), node)).map(JobReports::progress),
                overweight(item.item()),
                owner(item.item())
                        .flatMap(owner -> Leaver.awaited(job, owner, from.registryNow()))
                        .flatMap(Leaver::until),
                lock.flatMap(progress::problem));
    }

    private Optional<String> owner(int item) {
        return job.assignment().map(inForce -> inForce.owners().get(item));
    }

    private Optional<Overweight> overweight(int item) {
        Optional<String> owner = owner(item);
        int weight = job.weightOf(item);
        return job.instances().stream()
                .filter(instance -> owner.filter(instance.id()::equals).isPresent() && !instance.carries(weight))
                .filter(instance -> !job.isHelpedElsewhere(instance.id(), weight, from.registryNow()))
                .findFirst()
                .map(instance ->
                        new Overweight(weight, instance.capacity().orElseThrow(), job.isCarriedSomewhere(weight)));
    }

    private static Progress progress(ReportedProgress.Known known) {
        ItemProgress said = known.progress();
        return new Progress(said.done(), said.total(), said.text(), known.written());
    }

    /** Most items last ran for the same firing, and a schedule may look for the next one through many years. */
    private Optional<Instant> owedAfter(Optional<Instant> seen) {
        return job.assignment()
                .filter(Assignment::monitored)
                .flatMap(plan -> plan.firstOwed(seen.orElse(null)))
                .filter(firing -> !firing.isAfter(from.now()));
    }

    private Lock lock(RegistryNode node, Optional<String> waits) {
        return new Lock(node.text(), node.created(), node.czxid(), waits.isEmpty() && isHeldForLong(node), waits);
    }

    private boolean isHeldForLong(RegistryNode lock) {
        return job.definition()
                .flatMap(settings -> settings.watchdog().exceeded(lock.created(), from.registryNow()))
                .isPresent();
    }

    private WaitingRun waiting(ManualRun run) {
        return new WaitingRun(
                run.runIds(),
                run.parameter(),
                run.by().requester().map(Requester::text).orElse(""),
                run.repeatedRunIdOf(job.jobName()).orElse(""),
                Optional.ofNullable(run.dropped()).map(Cancellation::text).orElse(""));
    }

    private Execution execution(ItemRecord current, Instant recorded) {
        boolean isFiring =
                Optional.ofNullable(current.run()).filter(DelayedFiring::isOne).isPresent();
        return new Execution(
                current.state(),
                Optional.ofNullable(isFiring ? current.dueAt() : current.scheduledAt())
                        .filter(firing -> current.state() != ItemState.NEW),
                Optional.ofNullable(current.instance()),
                isFiring ? Optional.of(current.firstRunIdOf(job.jobName())) : current.runIdOf(job.jobName()),
                Optional.ofNullable(current.run()).map(ManualRun::parameter).filter(text -> !text.isEmpty()),
                Optional.ofNullable(current.run()).flatMap(run -> run.by().requester()),
                current.attempt(),
                current.crashes(),
                Optional.ofNullable(current.startedAt()),
                Optional.ofNullable(current.finishedAt()),
                Optional.ofNullable(current.failure()),
                Optional.ofNullable(current.cancelled()).map(Cancellation::text),
                failing(current, recorded));
    }

    private static Optional<Failing> failing(ItemRecord current, Instant recorded) {
        FailureStreak streak = current.failures();
        if (streak.isEmpty()) {
            return Optional.empty();
        }
        String failure = current.failure() == null ? streak.last() : current.failure();
        return Optional.of(new Failing(
                streak.times(),
                Optional.ofNullable(streak.since()).orElse(recorded),
                Optional.ofNullable(streak.succeeded()),
                failure.lines().findFirst().orElse("")));
    }

    /** The job has been read with its members. */
    List<InstanceReport> instances() {
        Map<String, Boolean> disabled = new TreeMap<>();
        job.servers().forEach(server -> disabled.put(server.ip(), server.disabled()));
        return job.instances().stream()
                .map(instance -> instance(instance, disabled.getOrDefault(instance.ip(), false)))
                .toList();
    }

    private InstanceReport instance(InstanceNode instance, boolean serverDisabled) {
        return new InstanceReport(
                instance.id(),
                instance.ip(),
                instance.node().created(),
                instance.software().toString(),
                NodeCodec.version(instance.node().text()),
                instance.labels().orElse(InstanceLabels.NONE).values(),
                instance.capacity(),
                instance.mayMatch(job.runOn()),
                instance.clockDiffers(),
                job.view().leader().filter(instance.id()::equals).isPresent(),
                instance.drain().isPresent(),
                instance.drain()
                        .flatMap(OperatorDrain::of)
                        .map(drain -> new DrainedBy(drain.since(), drain.actor(), drain.reason())),
                serverDisabled,
                job.assignment()
                        .map(plan -> List.copyOf(plan.itemsOf(instance.id())))
                        .orElse(List.of()));
    }
}
