package dev.elasticjob.admin;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.admin.command.DefinitionChangedException;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.tree.NamespaceReader;
import dev.elasticjob.coordination.manual.ManualRuns;
import dev.elasticjob.coordination.manual.RunEnds;
import dev.elasticjob.coordination.session.Stages;
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
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
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
    private final CommandLog commands;
    private final Set<AwaitedRun> awaited;

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
        this.commands = commands;
        this.awaited = awaited;
    }

    @Override
    public JobAdmin by(Actor actor) {
        return new RegistryJobAdmin(registry, new CommandLog(commands.events(), actor), awaited);
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
        Command command = triggering(jobName, request);
        return command.reporting(existing(jobName).thenCompose(job -> ask(jobName, request)), RegistryJobAdmin::text);
    }

    private Command triggering(String jobName, RunRequest request) {
        return commands.begin(jobName, "trigger run " + request.runId());
    }

    private CompletionStage<TriggerAnswer> ask(String jobName, RunRequest request) {
        ManualRuns runs = new ManualRuns(new JobTree(jobName), registry, registry::commit);
        return writes.repeat(
                        jobName,
                        () -> request.items().isEmpty()
                                ? runs.ask(request.run())
                                : runs.ask(request.run(), request.items()))
                .thenApply(answer -> new TriggerAnswer(request.runId(), answer.asked(), answer.disabled()));
    }

    private static String text(TriggerAnswer answer) {
        return "items %s run%s"
                .formatted(
                        answer.items(),
                        answer.disabled().isEmpty() ? "" : "; " + answer.disabled() + " are disabled and do not");
    }

    @Override
    public CompletableFuture<RunOutcome> run(String jobName, RunRequest request) {
        JobTree tree = new JobTree(jobName);
        CompletableFuture<RunOutcome> result = new CompletableFuture<>();
        existing(jobName)
                .thenCompose(job -> {
                    long identity = RunEnds.identity(StoredDefinition.of(tree, job));
                    var ends = new RunEnds(tree, registry, registry::commit, request.runId(), identity);
                    return triggering(jobName, request)
                            .reporting(ask(jobName, request), RegistryJobAdmin::text)
                            .thenCompose(asked -> await(new AwaitedRun(registry, tree, ends, asked), result));
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

    /** Ends all waits for runs. The registry stays open. */
    @Override
    public void close() {
        awaited.forEach(run -> run.abandon("the engine that waited for it is closed"));
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
        return existing(jobName)
                .thenApply(job ->
                        StoredDefinition.of(new JobTree(jobName), job).decode().definition());
    }

    @Override
    public CompletionStage<VersionedDefinition> versionedDefinition(String jobName) {
        JobTree tree = new JobTree(jobName);
        return existing(jobName, List.of(tree.sharding())).thenApply(job -> versioned(tree, job));
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
                        () -> existing(jobName, List.of(tree.sharding())).thenCompose(job -> {
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
                                () -> existing(definition.jobName()).thenCompose(job -> repair(definition, tree, job))),
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
                : noName(jobName);
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
                                () -> existing(jobName, paths)
                                        .thenCompose(job -> writes.attempt(change.apply(job), true))),
                        done -> after)
                .thenAccept(done -> {});
    }

    private CompletionStage<RegistryAnswer> existing(String jobName) {
        return existing(jobName, List.of());
    }

    /** Reads a job's definition and other nodes. Fails if the job has no definition. */
    private CompletionStage<RegistryAnswer> existing(String jobName, List<String> paths) {
        if (!NamespaceReader.isName(jobName)) {
            return noName(jobName);
        }
        JobTree tree = new JobTree(jobName);
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        reads.addAll(RegistryRead.allData(paths));
        return registry.read(reads)
                .thenCompose(answer -> StoredDefinition.of(tree, answer).isPresent()
                        ? CompletableFuture.completedFuture(answer)
                        : CompletableFuture.failedFuture(new UnknownTargetException(
                                "There is no job \"%s\" in the registry: check its name and the namespace"
                                        .formatted(jobName))));
    }

    /** A path made of such a name could be another job's, or that of the whole namespace. */
    private static <T> CompletionStage<T> noName(String jobName) {
        return CompletableFuture.failedFuture(
                new UnknownTargetException("A job can't have the name \"%s\": check it".formatted(jobName)));
    }
}
