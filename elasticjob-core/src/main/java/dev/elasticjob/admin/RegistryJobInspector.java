package dev.elasticjob.admin;

import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Combines the registry's state with the state of this instance. */
public final class RegistryJobInspector implements JobInspector {
    private final Registry registry;
    private final Clock clock;
    private final Supplier<SortedMap<String, Here>> here;

    /** @param here the current state of this engine's jobs, by name */
    public RegistryJobInspector(Registry registry, Clock clock, Supplier<SortedMap<String, Here>> here) {
        this.registry = registry;
        this.clock = clock;
        this.here = here;
    }

    /**
     * The state of a job on this instance.
     *
     * @param instance its id within the job; empty before it has registered
     */
    public record Here(JobState state, Optional<String> instance) {}

    @Override
    public CompletionStage<List<JobReport>> jobs() {
        List<CompletableFuture<JobReport>> reports = here.get().entrySet().stream()
                .map(job -> JobSnapshot.overview(registry, new JobTree(job.getKey()))
                        .thenApply(snapshot -> report(job.getKey(), job.getValue(), snapshot))
                        .toCompletableFuture())
                .toList();
        return Stages.all(reports)
                .thenApply(done -> reports.stream().map(CompletableFuture::join).toList());
    }

    @Override
    public CompletionStage<Optional<JobReport>> job(String jobName) {
        Here known = here.get().get(jobName);
        if (known == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return JobSnapshot.full(registry, new JobTree(jobName))
                .thenApply(snapshot -> Optional.of(report(jobName, known, snapshot)));
    }

    private JobReport report(String jobName, Here known, JobSnapshot job) {
        Optional<Assignment> assignment = job.assignment();
        return new JobReport(
                jobName,
                job.type(),
                assignment.map(Assignment::cron).filter(cron -> !cron.isEmpty()),
                assignment.map(inForce -> inForce.timeZone().getId()),
                assignment.flatMap(inForce -> inForce.schedule().nextAfter(clock.instant())),
                known.state(),
                known.instance(),
                job.leader(),
                job.epoch(),
                job.reshardingNecessary(),
                List.copyOf(job.instances()),
                job.items().values().stream()
                        .map(item -> item(jobName, item, assignment))
                        .toList(),
                job.problem());
    }

    private static ItemReport item(String jobName, ItemView item, Optional<Assignment> assignment) {
        return new ItemReport(
                item.item(),
                assignment.map(inForce -> inForce.owners().get(item.item())),
                item.children().running(),
                item.children().disabled(),
                item.children().misfire(),
                item.waitsForFailover(),
                execution(jobName, item.current()),
                item.checkpoint(),
                item.problem());
    }

    private static Execution execution(String jobName, ItemRecord current) {
        return new Execution(
                current.state(),
                Optional.ofNullable(current.scheduledAt()),
                Optional.ofNullable(current.instance()),
                current.runIdOf(jobName),
                Optional.ofNullable(current.run()).map(ManualRun::parameter).filter(text -> !text.isEmpty()),
                current.attempt(),
                current.crashes(),
                Optional.ofNullable(current.startedAt()),
                Optional.ofNullable(current.finishedAt()),
                Optional.ofNullable(current.failure()));
    }
}
