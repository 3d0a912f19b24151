package dev.elasticjob.admin;

import dev.elasticjob.coordination.manual.ManualRuns;
import dev.elasticjob.coordination.manual.RunEnds;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Each command first reads what it depends on, and guards its writes with the versions read. */
public final class RegistryJobAdmin implements JobAdmin, AutoCloseable {
    private static final RegistryCommit NOTHING = RegistryCommit.builder().build();

    private final Registry registry;
    private final GuardedWrites writes;
    private final Set<AwaitedRun> awaited = ConcurrentHashMap.newKeySet();

    public RegistryJobAdmin(Registry registry) {
        this.registry = registry;
        this.writes = new GuardedWrites(registry);
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
        return existing(jobName).thenCompose(job -> ask(jobName, request));
    }

    private CompletionStage<TriggerAnswer> ask(String jobName, RunRequest request) {
        ManualRuns runs = new ManualRuns(new JobTree(jobName), registry, registry::commit);
        return writes.repeat(jobName, () -> runs.ask(request.run()))
                .thenApply(answer -> new TriggerAnswer(request.runId(), answer.asked(), answer.disabled()));
    }

    @Override
    public CompletableFuture<RunOutcome> run(String jobName, RunRequest request) {
        JobTree tree = new JobTree(jobName);
        CompletableFuture<RunOutcome> result = new CompletableFuture<>();
        existing(jobName)
                .thenCompose(job -> {
                    long identity = RunEnds.identity(StoredDefinition.of(tree, job));
                    var ends = new RunEnds(tree, registry, registry::commit, request.runId(), identity);
                    return ask(jobName, request)
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
        return write(jobName, List.of(path), job -> {
            RegistryNode server = job.node(path)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "Job \"%s\" has never had an instance on server \"%s\": check the address"
                                    .formatted(jobName, ip)));
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
                jobName,
                item,
                (path, disabled) -> disabled.isPresent()
                        ? NOTHING
                        : RegistryCommit.builder().create(path).build());
    }

    @Override
    public CompletionStage<Void> enableItem(String jobName, int item) {
        return item(
                jobName,
                item,
                (path, disabled) -> disabled.map(node -> RegistryCommit.builder()
                                .delete(path, node.version())
                                .build())
                        .orElse(NOTHING));
    }

    private CompletionStage<Void> item(
            String jobName, int item, BiFunction<String, Optional<RegistryNode>, RegistryCommit> change) {
        JobTree tree = new JobTree(jobName);
        String disabled = tree.disabled(item);
        return write(jobName, List.of(tree.item(item), disabled), job -> {
            if (job.node(tree.item(item)).isEmpty()) {
                throw new IllegalArgumentException(
                        "Job \"%s\" has no item %d: check its shardingTotalCount".formatted(jobName, item));
            }
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
    public CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change) {
        JobTree tree = new JobTree(jobName);
        return writes.repeat(
                jobName,
                () -> existing(jobName, List.of(tree.sharding())).thenCompose(job -> {
                    StoredDefinition stored = StoredDefinition.of(tree, job);
                    JobDefinition before = stored.decode(Optional.empty(), job.node(tree.sharding()))
                            .definition();
                    JobDefinition after = changed(before, change);
                    mustBeTheSameJob(before, after);
                    return writes.attempt(stored.holds(after) ? NOTHING : stored.replacedBy(after), after);
                }));
    }

    @Override
    public CompletionStage<JobDefinition> repair(JobDefinition definition) {
        JobTree tree = new JobTree(definition.jobName());
        return writes.repeat(
                definition.jobName(),
                () -> existing(definition.jobName()).thenCompose(job -> {
                    StoredDefinition stored = StoredDefinition.of(tree, job);
                    if (stored.holds(definition)) {
                        return CompletableFuture.completedFuture(Optional.of(definition));
                    }
                    if (stored.isReadable()) {
                        throw new IllegalStateException(
                                ("Expected the definition of job \"%s\" in the registry to be unreadable or unusable,"
                                                + " but it is valid; change it with JobAdmin.redefine")
                                        .formatted(definition.jobName()));
                    }
                    return writes.attempt(stored.whollyReplacedBy(definition), definition);
                }));
    }

    private static void mustBeTheSameJob(JobDefinition before, JobDefinition after) {
        String jobName = before.jobName();
        if (!after.jobName().equals(jobName)) {
            throw new IllegalArgumentException("Job \"%s\" can't be renamed to \"%s\": register a new job instead"
                    .formatted(jobName, after.jobName()));
        }
        if (after.jobType() != before.jobType()) {
            throw new IllegalArgumentException(
                    "Job \"%s\" can't be changed from type %s to %s: change the type in its application"
                            .formatted(jobName, before.jobType(), after.jobType()));
        }
        if (after.isOneOff() != before.isOneOff()) {
            throw new IllegalArgumentException(
                    ("Job \"%s\" can't be changed from cron \"%s\" to \"%s\": jobs with and without a cron are stored"
                                    + " in different nodes. Start the job's application with that cron and overwrite=true")
                            .formatted(jobName, before.cron(), after.cron()));
        }
    }

    /** The failure must be printable: a stage renders it, and would never complete if that failed. */
    private static JobDefinition changed(JobDefinition before, UnaryOperator<JobDefinition> change) {
        try {
            return change.apply(before);
        } catch (Throwable e) {
            Throwable printable = Failures.printable(e);
            throw printable instanceof RuntimeException known ? known : new IllegalStateException(printable);
        }
    }

    @Override
    public CompletionStage<Void> reshard(String jobName) {
        JobTree tree = new JobTree(jobName);
        return write(
                jobName,
                List.of(tree.necessary()),
                job -> ReshardingRequest.of(tree, job).raised());
    }

    @Override
    public CompletionStage<Void> remove(String jobName) {
        return new JobRemoval(registry, writes, new JobTree(jobName)).begin();
    }

    // ------------------------------------------------------------------ reading first

    private CompletionStage<Void> write(
            String jobName, List<String> paths, Function<RegistryAnswer, RegistryCommit> change) {
        return writes.repeat(
                        jobName,
                        () -> existing(jobName, paths).thenCompose(job -> writes.attempt(change.apply(job), true)))
                .thenAccept(done -> {});
    }

    private CompletionStage<RegistryAnswer> existing(String jobName) {
        return existing(jobName, List.of());
    }

    /** Reads a job's definition and other nodes. Fails if the job has no definition. */
    private CompletionStage<RegistryAnswer> existing(String jobName, List<String> paths) {
        JobTree tree = new JobTree(jobName);
        List<RegistryRead> reads = new ArrayList<>(StoredDefinition.reads(tree));
        reads.addAll(RegistryRead.allData(paths));
        return registry.read(reads)
                .thenCompose(answer -> StoredDefinition.of(tree, answer).isPresent()
                        ? CompletableFuture.completedFuture(answer)
                        : CompletableFuture.failedFuture(new IllegalArgumentException(
                                "There is no job \"%s\" in the registry: check its name and the namespace"
                                        .formatted(jobName))));
    }
}
