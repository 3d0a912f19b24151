package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.DefinitionDifferences;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Commands that read and change the stored definition of a job. Thread-safe. */
public record DefinitionCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands) {
    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();

    public CompletionStage<JobDefinition> definition(String jobName) {
        return jobs.read(jobName)
                .thenApply(job ->
                        StoredDefinition.of(new JobTree(jobName), job).decode().definition());
    }

    public CompletionStage<VersionedDefinition> versioned(String jobName) {
        JobTree tree = new JobTree(jobName);
        return jobs.read(jobName, RegistryRead.allData(tree.sharding())).thenApply(job -> versioned(tree, job));
    }

    private static VersionedDefinition versioned(JobTree tree, RegistryAnswer job) {
        StoredDefinition stored = StoredDefinition.of(tree, job);
        JobDefinition definition =
                stored.decode(Optional.empty(), job.node(tree.sharding())).definition();
        return new VersionedDefinition(definition, stored.version());
    }

    public CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change) {
        return redefine(jobName, any -> {}, change);
    }

    /** @param version of the definition that may be changed */
    public CompletionStage<VersionedDefinition> redefine(String jobName, String version, Map<String, ?> settings) {
        JobDefinitionCodec codec = new JobDefinitionCodec();
        return redefine(
                        jobName,
                        present -> {
                            if (!present.version().equals(version)) {
                                throw new DefinitionChangedException(version, present);
                            }
                        },
                        before -> codec.changed(before, settings))
                .thenCompose(after -> versioned(jobName));
    }

    /** @param check throws if the stored definition must not be changed */
    private CompletionStage<JobDefinition> redefine(
            String jobName, Consumer<VersionedDefinition> check, UnaryOperator<JobDefinition> change) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, "redefine");
        return command.reporting(
                writes.repeat(
                        jobName,
                        () -> jobs.read(jobName, RegistryRead.allData(tree.sharding()))
                                .thenCompose(job -> {
                                    VersionedDefinition present = versioned(tree, job);
                                    check.accept(present);
                                    JobDefinition after = present.changed(change);
                                    command.found("version " + present.version());
                                    command.plans(DefinitionDifferences.changes(present.definition(), after));
                                    StoredDefinition stored = StoredDefinition.of(tree, job);
                                    return writes.attempt(
                                            stored.holds(after) ? NOTHING : stored.replacedBy(after), after);
                                })),
                after -> command.planned());
    }

    public CompletionStage<JobDefinition> repair(JobDefinition definition) {
        JobTree tree = new JobTree(definition.jobName());
        return commands.begin(definition.jobName(), "repair the definition")
                .reporting(
                        writes.repeat(
                                definition.jobName(),
                                () -> jobs.read(definition.jobName())
                                        .thenCompose(job -> repair(definition, tree, job))),
                        after -> "stored");
    }

    private CompletionStage<Optional<JobDefinition>> repair(
            JobDefinition definition, JobTree tree, RegistryAnswer job) {
        StoredDefinition stored = StoredDefinition.of(tree, job);
        if (stored.holds(definition)) {
            return CompletableFuture.completedFuture(Optional.of(definition));
        }
        if (stored.isReadable()) {
            throw new IllegalStateException(("Expected the definition of job \"%s\" in the registry to be unreadable or"
                            + " unusable, but it is valid; change it with JobAdmin.redefine")
                    .formatted(definition.jobName()));
        }
        return writes.attempt(stored.whollyReplacedBy(definition), definition);
    }
}
