package dev.elasticjob.admin.table;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.DelayedReport;
import dev.elasticjob.admin.ServerReport.Part;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.command.AppCommands;
import dev.elasticjob.admin.command.DefinitionCommands;
import dev.elasticjob.admin.command.DrainCommands;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.UnreadableSettings;
import dev.elasticjob.admin.table.Effect.Code;
import dev.elasticjob.admin.table.Preview.Draft;
import dev.elasticjob.definition.JobDefinition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * What dry runs read. Nothing is changed.
 *
 * @param admin only shows definitions
 * @param now from which on firings are counted
 */
public record DryRunReads(JobInspector inspector, JobAdmin admin, Instant now) {
    /** Fails with {@link UnknownTargetException} if there is no such job. */
    CompletionStage<CommandEffects> seen(String job) {
        return inspector
                .job(job)
                .thenCompose(report -> inspector
                        .instances(job)
                        .thenApply(instances -> new CommandEffects(
                                report.orElseThrow(() -> new UnknownTargetException(
                                        "There is no job \"%s\" in the registry".formatted(job))),
                                instances.orElse(List.of()))));
    }

    // ------------------------------------------------------------------ the namespace

    CompletionStage<Preview> pausedAll() {
        return inspector
                .namespacePause()
                .thenCompose(pause -> pause.isPresent() ? already() : allJobs(Code.NOTHING_STARTS));
    }

    CompletionStage<Preview> resumedAll() {
        return inspector
                .namespacePause()
                .thenCompose(pause -> pause.isPresent() ? allJobs(Code.STARTS_AGAIN) : already());
    }

    CompletionStage<Preview> confirmedLoss() {
        return inspector
                .registryData()
                .thenCompose(data -> data.loss().isPresent()
                        ? allJobs(Code.LOSS_CONFIRMED)
                        : CompletableFuture.completedStage(Preview.nothing(Code.NO_LOSS)));
    }

    CompletionStage<Preview> raisedTokens(long above) {
        return inspector.registryData().thenCompose(data -> {
            OptionalLong now = data.fencingTokensAbove();
            if (now.isEmpty()) {
                return CompletableFuture.completedStage(Preview.refused(Code.NEVER_STARTED));
            }
            return now.getAsLong() >= above ? already() : allJobs(Code.TOKENS_RAISED);
        });
    }

    private static CompletionStage<Preview> already() {
        return CompletableFuture.completedStage(Preview.nothing(Code.ALREADY));
    }

    private CompletionStage<Preview> allJobs(Code follows) {
        return inspector
                .names()
                .thenApply(names -> new Draft()
                        .counts(Code.ALL_JOBS, names.size())
                        .says(follows)
                        .end());
    }

    /** Of all jobs that the instance takes part in; of one that has left, of those in which items wait for its successor. */
    CompletionStage<Preview> drainAll(String instance) {
        return inspector
                .instance(instance)
                .thenCompose(found -> found.map(one -> CompletableFuture.completedStage(left(one.parts())))
                        .orElseGet(() -> awaitedNoMore(instance)));
    }

    private static Preview left(List<Part> all) {
        List<Part> left =
                all.stream().filter(part -> part.drainedBy().isEmpty()).toList();
        if (left.isEmpty()) {
            return Preview.nothing(Code.ALREADY);
        }
        return new Draft()
                .counts(Code.JOBS_LEFT, left.size())
                .counts(Code.JOBS_WAIT, left.stream().filter(Part::alone).count())
                .counts(
                        Code.ITEMS_MOVE,
                        left.stream()
                                .filter(part -> !part.alone())
                                .mapToInt(part -> part.items().size())
                                .sum())
                .counts(
                        Code.RUNNING_CONTINUE,
                        left.stream().mapToInt(part -> part.running().size()).sum())
                .says(Code.UNTIL_RESTART)
                .end();
    }

    /** Of one that has left. */
    private CompletionStage<Preview> awaitedNoMore(String instance) {
        return inspector.awaiting(instance).thenApply(waiting -> {
            if (waiting.isEmpty()) {
                throw DrainCommands.nowhere(instance);
            }
            return new Draft()
                    .counts(Code.JOBS_WAITED, waiting.size())
                    .counts(
                            Code.ITEMS_WAIT,
                            waiting.values().stream().mapToInt(Set::size).sum())
                    .says(Code.AWAITED_NO_MORE)
                    .end();
        });
    }

    CompletionStage<Preview> undrainAll(String instance) {
        return parts(instance).thenApply(all -> {
            long joined =
                    all.stream().filter(part -> part.drainedBy().isPresent()).count();
            return joined == 0
                    ? Preview.nothing(Code.ALREADY)
                    : new Draft()
                            .counts(Code.JOBS_JOINED, joined)
                            .says(Code.REBALANCED)
                            .end();
        });
    }

    // ------------------------------------------------------------------ applications

    CompletionStage<Preview> suspendedApp(String id) {
        return app(id).thenApply(app -> app.suspension().isPresent()
                ? Preview.nothing(Code.ALREADY)
                : new Draft()
                        .says(Code.NO_WORKERS)
                        .saysIf(!app.attended(), Code.NOT_ATTENDED)
                        .end());
    }

    CompletionStage<Preview> resumedApp(String id) {
        return app(id).thenApply(app -> app.suspension().isEmpty()
                ? Preview.nothing(Code.ALREADY)
                : new Draft()
                        .says(app.app().suspend() ? Code.RESOURCE_SUSPENDS : Code.WORKERS_START)
                        .saysIf(!app.attended(), Code.NOT_ATTENDED)
                        .end());
    }

    CompletionStage<Preview> forgottenApp(String id) {
        return app(id).thenApply(app -> app.attended() ? Preview.refused(Code.ATTENDED) : Preview.of(Code.FORGOTTEN));
    }

    private CompletionStage<AppReport> app(String id) {
        return inspector.app(id).thenApply(found -> found.orElseThrow(() -> AppCommands.nowhere(id)));
    }

    // ------------------------------------------------------------------ instances

    private CompletionStage<List<Part>> parts(String instance) {
        return inspector
                .instance(instance)
                .thenApply(found ->
                        found.orElseThrow(() -> DrainCommands.nowhere(instance)).parts());
    }

    CompletionStage<ChangePreview> created(String job, Map<String, Object> settings) {
        return inspector.job(job).thenApply(present -> {
            if (present.isPresent()) {
                throw DefinitionCommands.alreadyThere(job);
            }
            return ChangePreview.ofNew(DefinitionCommands.registryJob(job, settings), now);
        });
    }

    CompletionStage<? extends DryRun> repaired(String job, String version, Map<String, Object> settings) {
        return admin.unreadableSettings(job)
                .thenApply(Optional::of)
                .exceptionally(DryRunReads::usable)
                .thenCombine(
                        delayed(job),
                        (unreadable, delayed) -> unreadable
                                .<DryRun>map(found -> ChangePreview.ofRepaired(
                                        found.salvaged().shown(), found.corrected(version, settings), delayed, now))
                                .orElseGet(() -> Preview.refused(Code.USABLE)));
    }

    private static Optional<UnreadableSettings> usable(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof IllegalStateException) {
            return Optional.empty();
        }
        throw cause instanceof RuntimeException known ? known : new CompletionException(cause);
    }

    CompletionStage<ChangePreview> redefined(String job, String version, Map<String, Object> settings) {
        return admin.versionedDefinition(job)
                .thenCombine(
                        delayed(job),
                        (present, delayed) -> new Change(
                                present.definition(), DefinitionCommands.changed(present, version, settings), delayed))
                .thenCompose(change -> nobodyMatches(job, change)
                        .thenApply(nobody ->
                                ChangePreview.of(change.before(), change.after(), change.delayed(), now, nobody)));
    }

    private record Change(JobDefinition before, JobDefinition after, Optional<DelayedReport> delayed) {}

    /** Whether a change of {@code runOn} leaves no instance that may run the job, though there are some. */
    private CompletionStage<Boolean> nobodyMatches(String job, Change change) {
        if (change.before().runOn().equals(change.after().runOn())) {
            return CompletableFuture.completedStage(false);
        }
        return inspector
                .instances(job)
                .thenApply(found -> found.filter(instances -> !instances.isEmpty()
                                && instances.stream()
                                        .noneMatch(one -> change.after().mayRunOn(one.labels())))
                        .isPresent());
    }

    private CompletionStage<Optional<DelayedReport>> delayed(String job) {
        return inspector.job(job).thenApply(report -> report.flatMap(JobReport::delayed));
    }
}
