package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.coordination.run.ManualRuns;
import dev.elasticjob.coordination.run.RunEnds;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRanges;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The commands that begin, repeat, await and end runs. Thread-safe.
 *
 * @param awaited the waits for runs that are under way
 */
public record RunCommands(
        ExistingJobs jobs, GuardedWrites writes, CommandLog commands, PauseCommands pauses, Set<AwaitedRun> awaited) {

    public CompletionStage<TriggerAnswer> trigger(String jobName, RunRequest request) {
        Command command = triggering(jobName, request);
        return command.reporting(ask(command, jobName, request), RunCommands::text);
    }

    public CompletableFuture<RunOutcome> run(String jobName, RunRequest request) {
        return await(jobName, request.runId(), () -> trigger(jobName, request));
    }

    public CompletionStage<TriggerAnswer> triggerAgain(String jobName, String runId, String newRunId) {
        RunRequest request = new RunRequest(newRunId, "");
        Command command = repeating(jobName, runId, request);
        return command.reporting(askAgain(command, jobName, runId, request), RunCommands::text);
    }

    public CompletableFuture<RunOutcome> runAgain(String jobName, String runId, String newRunId) {
        return await(jobName, newRunId, () -> triggerAgain(jobName, runId, newRunId));
    }

    public CompletionStage<CancelAnswer> cancel(String jobName, CancelRequest request) {
        return commands.begin(jobName, request.text())
                .reporting(
                        jobs.read(jobName)
                                .thenCompose(job -> new CancelCommands(registry(), new JobTree(jobName))
                                        .cancel(request, cancellation())),
                        CancelAnswer::text);
    }

    public CompletionStage<BackfillAnswer> backfill(String jobName, BackfillRequest request) {
        String id = UUID.randomUUID().toString().substring(0, 8);
        BackfillCommands backfills = new BackfillCommands(registry(), new JobTree(jobName));
        return commands.begin(jobName, "backfill from " + request.from() + " until " + request.until())
                .reporting(
                        pauses.mustRun(jobName)
                                .thenCompose(free -> writes.repeat(jobName, () -> backfills.begin(id, request, by()))),
                        answer -> answer.times() + " scheduled times run once more, as backfill " + answer.id());
    }

    public CompletionStage<Void> stopBackfill(String jobName) {
        BackfillCommands backfills = new BackfillCommands(registry(), new JobTree(jobName));
        return commands.begin(jobName, "stop the backfill")
                .reporting(
                        jobs.read(jobName)
                                .thenCompose(job -> writes.repeat(jobName, () -> backfills.stop(cancellation()))),
                        open -> open == 0 ? "stopped" : "stopped; " + open + " times were under way")
                .thenAccept(done -> {});
    }

    private Cancellation cancellation() {
        Actor actor = commands.actor();
        return Cancellation.of(actor.name(), actor.reason().orElse(""));
    }

    private RequestedBy by() {
        Actor actor = commands.actor();
        return RequestedBy.of(actor.name(), actor.reason().orElse(""));
    }

    private Registry registry() {
        return jobs.registry();
    }

    // ------------------------------------------------------------------ asking

    private Command triggering(String jobName, RunRequest request) {
        return commands.begin(jobName, "trigger run " + request.runId());
    }

    private Command repeating(String jobName, String runId, RunRequest request) {
        return commands.begin(jobName, "run what failed in " + runId + " again, as run " + request.runId());
    }

    private CompletionStage<TriggerAnswer> ask(Command command, String jobName, RunRequest request) {
        ManualRuns runs = asking(command, jobName, request);
        return writes.repeat(
                        jobName,
                        () -> request.items().isEmpty()
                                ? runs.ask(request.run().by(by()))
                                : runs.ask(request.run().by(by()), request.items()))
                .thenApply(answer -> answer(request, answer));
    }

    private CompletionStage<TriggerAnswer> askAgain(Command command, String jobName, String runId, RunRequest request) {
        FailedRuns runs = new FailedRuns(jobName, asking(command, jobName, request));
        return writes.repeat(jobName, () -> runs.ask(runId, request.run().by(by())))
                .thenApply(answer -> answer(request, answer));
    }

    /** One read shows whether there is such a job, whether it is paused, its plan, and its last commands. */
    private ManualRuns asking(Command command, String jobName, RunRequest request) {
        JobTree tree = new JobTree(jobName);
        return new ManualRuns(tree, registry(), registry()::commit, plan -> {
            List<RegistryRead> reads = new ArrayList<>(plan);
            reads.addAll(CommandHistory.reads(tree));
            return pauses.readToRun(jobName, request.runId(), reads)
                    .thenApply(answer -> {
                        command.read(answer);
                        return answer;
                    })
                    // No command depends on that node.
                    .exceptionallyCompose(error -> CommandHistory.isDenied(error, tree)
                            ? pauses.readToRun(jobName, request.runId(), plan)
                            : CompletableFuture.failedFuture(Stages.unwrap(error)));
        });
    }

    private static TriggerAnswer answer(RunRequest request, ManualRuns.Answer answer) {
        return new TriggerAnswer(request.runId(), answer.asked(), answer.disabled());
    }

    private static String text(TriggerAnswer answer) {
        String disabled = ItemRanges.shown(answer.disabled());
        return "items [%s] run%s"
                .formatted(
                        ItemRanges.shown(answer.items()),
                        disabled.isEmpty() ? "" : "; [" + disabled + "] are disabled and do not");
    }

    // ------------------------------------------------------------------ awaiting

    private CompletableFuture<RunOutcome> await(
            String jobName, String runId, Supplier<CompletionStage<TriggerAnswer>> asking) {
        JobTree tree = new JobTree(jobName);
        CompletableFuture<RunOutcome> result = new CompletableFuture<>();
        jobs.read(jobName)
                .thenCompose(job -> {
                    long identity = RunEnds.identity(StoredDefinition.of(tree, job));
                    var ends = new RunEnds(tree, registry(), registry()::commit, runId, identity);
                    return asking.get()
                            .thenCompose(asked -> await(new AwaitedRun(registry(), tree, ends, asked), result));
                })
                .whenComplete((outcome, error) -> {
                    if (error == null) {
                        result.complete(outcome);
                    } else {
                        result.completeExceptionally(Stages.unwrap(error));
                    }
                });
        return result;
    }

    /** @param result belongs to the caller; if the caller completes it, the wait ends */
    private CompletableFuture<RunOutcome> await(AwaitedRun run, CompletableFuture<RunOutcome> result) {
        awaited.add(run);
        result.whenComplete((outcome, error) -> run.abandon("the caller cancelled the wait"));
        return run.begin().whenComplete((outcome, error) -> awaited.remove(run));
    }

    /** Ends all waits. */
    public void close() {
        awaited.forEach(run -> run.abandon("the engine that waited for it is closed"));
    }
}
