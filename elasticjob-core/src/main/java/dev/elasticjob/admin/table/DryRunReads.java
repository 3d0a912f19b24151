package dev.elasticjob.admin.table;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.command.DefinitionCommands;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.table.Effect.Code;
import dev.elasticjob.admin.table.Preview.Draft;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

    /** @param concerns which jobs */
    CompletionStage<Preview> allJobs(Code concerns, Code follows) {
        return inspector
                .names()
                .thenApply(names -> concerns == Code.ALL_JOBS
                        ? new Draft()
                                .counts(concerns, names.size())
                                .says(follows)
                                .end()
                        : Preview.of(concerns, follows));
    }

    CompletionStage<ChangePreview> created(String job, Map<String, Object> settings) {
        return inspector.job(job).thenApply(present -> {
            if (present.isPresent()) {
                throw DefinitionCommands.alreadyThere(job);
            }
            return ChangePreview.ofNew(DefinitionCommands.registryJob(job, settings), now);
        });
    }

    CompletionStage<ChangePreview> redefined(String job, String version, Map<String, Object> settings) {
        return admin.versionedDefinition(job)
                .thenApply(present -> ChangePreview.of(
                        present.definition(), DefinitionCommands.changed(present, version, settings), now));
    }
}
