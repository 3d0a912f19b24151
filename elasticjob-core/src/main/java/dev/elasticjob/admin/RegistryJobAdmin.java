package dev.elasticjob.admin;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.admin.command.DefinitionChangedException;
import dev.elasticjob.admin.command.GuardedWrites;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.run.CancelAnswer;
import dev.elasticjob.admin.run.CancelRequest;
import dev.elasticjob.admin.tree.NamespaceReader;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.DefinitionDifferences;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Each command first reads what it depends on, and guards its writes with the versions read. */
public final class RegistryJobAdmin implements JobAdmin, AutoCloseable {
    private static final String IS_ENABLED = "is enabled";
    private static final String IS_DISABLED = "is disabled";
    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();

    private final Registry registry;
    private final GuardedWrites writes;
    private final KnownJobs jobs;
    private final CommandLog commands;
    private final RunCommands runs;

    /** Commands that are only logged. */
    public RegistryJobAdmin(Registry registry) {
        this(registry, new CommandLog(event -> {}, Actor.UNKNOWN));
    }

    /** @param commands reports them */
    public RegistryJobAdmin(Registry registry, CommandLog commands) {
        this(registry, commands, ConcurrentHashMap.newKeySet());
    }

    private RegistryJobAdmin(Registry registry, CommandLog commands, Set<AwaitedRun> awaited) {
        this.registry = registry;
        this.writes = new GuardedWrites(registry);
        this.jobs = new KnownJobs(registry);
        this.commands = commands;
        this.runs = new RunCommands(registry, jobs, writes, commands, awaited);
    }

    @Override
    public JobAdmin by(Actor actor) {
        return new RegistryJobAdmin(registry, new CommandLog(commands.events(), actor), runs.awaited());
    }

    // ------------------------------------------------------------------ runs

    @Override
    public CompletionStage<TriggerAnswer> trigger(String jobName) {
        return trigger(jobName, RunRequest.create());
    }

    @Override
    public CompletionStage<TriggerAnswer> trigger(String jobName, String runId) {
        return trigger(jobName, new RunRequest(runId, ""));
    }

    @Override
    public CompletionStage<TriggerAnswer> trigger(String jobName, RunRequest request) {
        return runs.trigger(jobName, request);
    }

    @Override
    public CompletableFuture<RunOutcome> run(String jobName, RunRequest request) {
        return runs.run(jobName, request);
    }

    @Override
    public CompletionStage<TriggerAnswer> triggerAgain(String jobName, String runId, String newRunId) {
        return runs.triggerAgain(jobName, runId, newRunId);
    }

    @Override
    public CompletableFuture<RunOutcome> runAgain(String jobName, String runId, String newRunId) {
        return runs.runAgain(jobName, runId, newRunId);
    }

    @Override
    public CompletionStage<CancelAnswer> cancel(String jobName, CancelRequest request) {
        return runs.cancel(jobName, request);
    }

    /** Ends all waits for runs. The registry stays open. */
    @Override
    public void close() {
        runs.close();
    }

    // ------------------------------------------------------------------ servers and items

    @Override
    public CompletionStage<Void> disableServer(String jobName, String ip) {
        return server(jobName, ip, ServerState.DISABLED);
    }

    @Override
    public CompletionStage<Void> enableServer(String jobName, String ip) {
        return server(jobName, ip, ServerState.ENABLED);
    }

    private CompletionStage<Void> server(String jobName, String ip, String state) {
        String path = new JobTree(jobName).server(ip);
        boolean disables = state.equals(ServerState.DISABLED);
        Command command = commands.begin(jobName, (disables ? "disable server " : "enable server ") + ip);
        return write(command, jobName, List.of(path), disables ? IS_DISABLED : IS_ENABLED, job -> {
            RegistryNode server = job.node(path)
                    .orElseThrow(() -> new UnknownTargetException(
                            "Job \"%s\" has never had an instance on server \"%s\": check the address"
                                    .formatted(jobName, ip)));
            command.found(ServerState.isDisabled(server) ? IS_DISABLED : IS_ENABLED);
            return server.text().equals(state)
                    ? NOTHING
                    : RegistryCommit.builder()
                            .set(path, state, server.version())
                            .build();
        });
    }

    @Override
    public CompletionStage<Void> disableItem(String jobName, int item) {
        return item(
                commands.begin(jobName, "disable item " + item),
                jobName,
                item,
                IS_DISABLED,
                (path, disabled) -> disabled.isPresent()
                        ? NOTHING
                        : RegistryCommit.builder().create(path).build());
    }

    @Override
    public CompletionStage<Void> enableItem(String jobName, int item) {
        return item(
                commands.begin(jobName, "enable item " + item),
                jobName,
                item,
                IS_ENABLED,
                (path, disabled) -> disabled.map(node -> RegistryCommit.builder()
                                .delete(path, node.version())
                                .build())
                        .orElse(NOTHING));
    }

    private CompletionStage<Void> item(
            Command command,
            String jobName,
            int item,
            String after,
            BiFunction<String, Optional<RegistryNode>, RegistryCommit> change) {
        JobTree tree = new JobTree(jobName);
        String disabled = tree.disabled(item);
        return write(command, jobName, List.of(tree.item(item), disabled), after, job -> {
            if (job.node(tree.item(item)).isEmpty()) {
                throw new UnknownTargetException(
                        "Job \"%s\" has no item %d: check its shardingTotalCount".formatted(jobName, item));
            }
            command.found(job.node(disabled).isPresent() ? IS_DISABLED : IS_ENABLED);
            return change.apply(disabled, job.node(disabled));
        });
    }

    // ------------------------------------------------------------------ the job

    @Override
    public CompletionStage<JobDefinition> definition(String jobName) {
        return jobs.existing(jobName)
                .thenApply(job ->
                        StoredDefinition.of(new JobTree(jobName), job).decode().definition());
    }

    @Override
    public CompletionStage<VersionedDefinition> versionedDefinition(String jobName) {
        JobTree tree = new JobTree(jobName);
        return jobs.existing(jobName, List.of(tree.sharding())).thenApply(job -> versioned(tree, job));
    }

    private static VersionedDefinition versioned(JobTree tree, RegistryAnswer job) {
        StoredDefinition stored = StoredDefinition.of(tree, job);
        JobDefinition definition =
                stored.decode(Optional.empty(), job.node(tree.sharding())).definition();
        return new VersionedDefinition(definition, stored.version());
    }

    @Override
    public CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change) {
        return redefine(jobName, any -> {}, change);
    }

    @Override
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
                .thenCompose(after -> versionedDefinition(jobName));
    }

    /** @param check throws if the stored definition must not be changed */
    private CompletionStage<JobDefinition> redefine(
            String jobName, Consumer<VersionedDefinition> check, UnaryOperator<JobDefinition> change) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, "redefine");
        return command.reporting(
                writes.repeat(
                        jobName,
                        () -> jobs.existing(jobName, List.of(tree.sharding())).thenCompose(job -> {
                            VersionedDefinition present = versioned(tree, job);
                            check.accept(present);
                            JobDefinition after = present.changed(change);
                            command.found("version " + present.version());
                            command.plans(DefinitionDifferences.changes(present.definition(), after));
                            StoredDefinition stored = StoredDefinition.of(tree, job);
                            return writes.attempt(stored.holds(after) ? NOTHING : stored.replacedBy(after), after);
                        })),
                after -> command.planned());
    }

    @Override
    public CompletionStage<JobDefinition> repair(JobDefinition definition) {
        JobTree tree = new JobTree(definition.jobName());
        return commands.begin(definition.jobName(), "repair the definition")
                .reporting(
                        writes.repeat(
                                definition.jobName(),
                                () -> jobs.existing(definition.jobName())
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

    @Override
    public CompletionStage<Void> reshard(String jobName) {
        JobTree tree = new JobTree(jobName);
        return write(
                commands.begin(jobName, "reshard"),
                jobName,
                List.of(tree.necessary()),
                "requested",
                job -> ReshardingRequest.of(tree, job).raised());
    }

    @Override
    public CompletionStage<Void> remove(String jobName) {
        CompletionStage<Void> removal = NamespaceReader.isName(jobName)
                ? new JobRemoval(registry, writes, new JobTree(jobName)).begin()
                : KnownJobs.noName(jobName);
        return commands.begin(jobName, "remove").reporting(removal, done -> "removed");
    }

    // ------------------------------------------------------------------ reading first

    private CompletionStage<Void> write(
            Command command,
            String jobName,
            List<String> paths,
            String after,
            Function<RegistryAnswer, RegistryCommit> change) {
        return command.reporting(
                        writes.repeat(
                                jobName,
                                () -> jobs.existing(jobName, paths)
                                        .thenCompose(job -> writes.attempt(change.apply(job), true))),
                        done -> after)
                .thenAccept(done -> {});
    }
}
