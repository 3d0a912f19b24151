package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.BuiltInStrategy;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.codec.DefinitionDifferences;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Commands that read and change the stored definition of a job. Thread-safe. */
public record DefinitionCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands) {
    private static final String CREATE = "create";
    private static final String REPAIR = "repair the definition";
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    /** @param settings values by the settings' names */
    public CompletionStage<VersionedDefinition> create(String jobName, Map<String, ?> settings) {
        return create(jobName, () -> registryJob(jobName, settings));
    }

    /** Writes a job that no application has to declare: its definition, and the mark that says so. */
    public CompletionStage<VersionedDefinition> create(JobDefinition asked) {
        return create(asked.jobName(), () -> created(asked));
    }

    private CompletionStage<VersionedDefinition> create(String jobName, Supplier<JobDefinition> asked) {
        Command command = commands.begin(jobName, CREATE);
        JobDefinition registryJob;
        try {
            registryJob = asked.get();
        } catch (InvalidJobDefinitionException e) {
            return command.reporting(CompletableFuture.failedFuture(e), any -> "");
        }
        JobTree tree = new JobTree(jobName);
        return command.reporting(
                writes.repeat(jobName, () -> creation(registryJob, tree)).thenCompose(any -> versioned(jobName)),
                created -> "%s, as a job that is kept in the registry".formatted(work(registryJob)));
    }

    /**
     * A job that is kept in the registry, as {@link #create} stores it. Pure.
     *
     * @param settings values by the settings' names; those that are missing have their defaults
     * @throws InvalidJobDefinitionException with each that is unknown or can't be used
     */
    public static JobDefinition registryJob(String jobName, Map<String, ?> settings) {
        return created(CODEC.changed(JobDefinition.builder(jobName).build(), settings));
    }

    private static JobDefinition created(JobDefinition asked) {
        mustBeKnown(asked);
        return registryJob(asked);
    }

    /** Nobody declares it, so nobody may overwrite it, and nothing else says which bean runs it. */
    static JobDefinition registryJob(JobDefinition asked) {
        JobDefinition registryJob = asked.toBuilder().overwrite(false).build();
        if (!registryJob.jobType().isWithoutCode() && registryJob.jobClass().isBlank()) {
            throw new InvalidJobDefinitionException(
                    registryJob.jobName(),
                    List.of(new Violation(
                            "jobClass",
                            registryJob.jobClass(),
                            "a job with code that is kept in the registry needs the name of the bean that runs it")));
        }
        return registryJob;
    }

    /** @throws InvalidJobDefinitionException for a name that is a misspelt one of this library */
    static void mustBeKnown(JobDefinition asked) {
        BuiltInStrategy.misspelt(asked).ifPresent(violation -> {
            throw new InvalidJobDefinitionException(asked.jobName(), List.of(violation));
        });
    }

    private CompletionStage<Optional<Boolean>> creation(JobDefinition definition, JobTree tree) {
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        reads.addAll(RegistryRead.allData(tree.root(), tree.origin()));
        return jobs.registry().read(reads).thenCompose(answer -> {
            StoredDefinition stored = StoredDefinition.of(tree, answer);
            if (answer.node(tree.root()).isEmpty()) {
                return writes.attempt(StoredDefinition.created(tree, definition), true);
            }
            if (stored.isPresent() && answer.node(tree.origin()).isPresent() && stored.holds(definition)) {
                return CompletableFuture.completedFuture(Optional.of(true));
            }
            throw stored.isPresent()
                    ? alreadyThere(tree.jobName())
                    : new IllegalStateException(
                            "Something is left of a job \"%s\" in the registry, whose removal has not ended: wait for its executions, remove it again, and then create it"
                                    .formatted(tree.jobName()));
        });
    }

    public static IllegalStateException alreadyThere(String jobName) {
        return new IllegalStateException(
                "There is already a job \"%s\" in the registry: choose another name, or change that job with redefine"
                        .formatted(jobName));
    }

    /** For the log. */
    private static String work(JobDefinition definition) {
        return KindRules.of(definition.jobType()).work(definition).toString();
    }

    public CompletionStage<JobDefinition> definition(String jobName) {
        return jobs.read(jobName)
                .thenApply(job ->
                        StoredDefinition.of(new JobTree(jobName), job).decode().definition());
    }

    public CompletionStage<VersionedDefinition> versioned(String jobName) {
        JobTree tree = new JobTree(jobName);
        return jobs.read(jobName, RegistryRead.allData(tree.sharding(), tree.origin()))
                .thenApply(job -> versioned(tree, job));
    }

    public CompletionStage<UnreadableSettings> unreadable(String jobName) {
        JobTree tree = new JobTree(jobName);
        return jobs.read(jobName, RegistryRead.allData(tree.origin())).thenApply(job -> unreadable(tree, job));
    }

    private static UnreadableSettings unreadable(JobTree tree, RegistryAnswer job) {
        StoredDefinition stored = StoredDefinition.of(tree, job);
        UnreadableDefinitionException problem =
                stored.problem(Optional.empty()).orElseThrow(() -> alreadyUsable(tree.jobName()));
        return new UnreadableSettings(
                tree.jobName(),
                stored.version(),
                problem.part() == UnreadableDefinitionException.Part.CONFIG ? tree.config() : tree.extension(),
                problem.reason(),
                job.node(tree.origin()).isPresent(),
                stored.salvaged());
    }

    private static IllegalStateException alreadyUsable(String jobName) {
        return new IllegalStateException(("Expected the definition of job \"%s\" in the registry to be unreadable or"
                        + " unusable, but it is valid; change it with JobAdmin.redefine")
                .formatted(jobName));
    }

    private static VersionedDefinition versioned(JobTree tree, RegistryAnswer job) {
        StoredDefinition stored = StoredDefinition.of(tree, job);
        JobDefinition definition =
                stored.decode(Optional.empty(), job.node(tree.sharding())).definition();
        return new VersionedDefinition(
                definition, stored.version(), job.node(tree.origin()).isPresent());
    }

    public CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change) {
        return redefined(jobName, present -> present.changed(change));
    }

    /** @param version of the definition that may be changed */
    public CompletionStage<VersionedDefinition> redefine(String jobName, String version, Map<String, ?> settings) {
        return redefined(jobName, present -> changed(present, version, settings))
                .thenCompose(after -> versioned(jobName));
    }

    /**
     * A definition with other values of some settings. Pure.
     *
     * @param version of the definition that the caller has seen
     * @throws DefinitionChangedException if that is another one
     * @throws InvalidJobDefinitionException if settings are unknown or can't be used, or decide what only the application
     *     decides
     */
    public static JobDefinition changed(VersionedDefinition present, String version, Map<String, ?> settings) {
        if (!present.version().equals(version)) {
            throw new DefinitionChangedException(version, present);
        }
        return present.changedByOperator(before -> CODEC.changed(before, settings));
    }

    private CompletionStage<JobDefinition> redefined(
            String jobName, Function<VersionedDefinition, JobDefinition> change) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, "redefine");
        return command.reporting(
                writes.repeat(
                        jobName,
                        () -> jobs.read(jobName, RegistryRead.allData(tree.sharding(), tree.origin()))
                                .thenCompose(job -> {
                                    VersionedDefinition present = versioned(tree, job);
                                    JobDefinition after = change.apply(present);
                                    command.found("version " + present.version());
                                    command.plans(DefinitionDifferences.changes(present.definition(), after));
                                    command.changes(CODEC.changes(present.definition(), after));
                                    StoredDefinition stored = StoredDefinition.of(tree, job);
                                    return writes.attempt(
                                            stored.holds(after) ? GuardedWrites.NOTHING : stored.replacedBy(after),
                                            after);
                                })),
                after -> command.planned());
    }

    public CompletionStage<JobDefinition> repair(JobDefinition definition) {
        JobTree tree = new JobTree(definition.jobName());
        return commands.begin(definition.jobName(), REPAIR)
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
            throw alreadyUsable(definition.jobName());
        }
        return writes.attempt(stored.whollyReplacedBy(definition), definition);
    }

    /** @param settings for at least what can't be used */
    public CompletionStage<VersionedDefinition> repair(String jobName, String version, Map<String, ?> settings) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, REPAIR);
        return command.reporting(
                        writes.repeat(
                                jobName,
                                () -> jobs.read(jobName, RegistryRead.allData(tree.origin()))
                                        .thenCompose(job -> {
                                            UnreadableSettings found = unreadable(tree, job);
                                            command.found(found.node() + " could not be used");
                                            JobDefinition after = found.corrected(version, settings);
                                            return writes.attempt(
                                                    StoredDefinition.of(tree, job)
                                                            .whollyReplacedBy(after),
                                                    after);
                                        })),
                        after -> "stored, with other values for " + String.join(", ", new TreeSet<>(settings.keySet())))
                .thenCompose(after -> versioned(jobName));
    }
}
