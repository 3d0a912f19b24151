package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.admin.command.PausedBy.Scope;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.NamespacePause;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** The steps "pause" and "resume" of {@code docs/internals/protocol.md}, of a job or of its namespace. Thread-safe. */
public record PauseCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands, PlanWaits waits) {
    static final String PAUSE = "pause";
    private static final String RESUME = "resume";
    static final String NOT_PAUSED = "is not paused";

    // ------------------------------------------------------------------ one job

    public CompletionStage<PauseAnswer> pause(String jobName) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, PAUSE);
        return command.reporting(
                switched(tree, command, this::begun)
                        .thenCompose(changed -> inForce(tree)
                                .thenCompose(reached ->
                                        answer(tree, changed, reached ? none() : new TreeSet<>(List.of(jobName))))),
                PauseCommands::text);
    }

    public CompletionStage<PauseAnswer> resume(String jobName) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, RESUME);
        return command.reporting(
                switched(tree, command, this::ended).thenCompose(changed -> answer(tree, changed, none())),
                PauseCommands::text);
    }

    /** @param next the node's new text; empty if it is already as wanted */
    private CompletionStage<Boolean> switched(
            JobTree tree, Command command, Function<Optional<PauseSwitch>, Optional<String>> next) {
        return writes.repeat(
                tree.jobName(),
                () -> read(tree).thenCompose(job -> {
                    Optional<RegistryNode> node = job.node(tree.paused());
                    Optional<String> text = next.apply(found(command, Scope.JOB, node));
                    RegistryCommit.Builder commit = RegistryCommit.builder();
                    text.ifPresent(
                            written -> commit.setOrCreate(tree.paused(), written, node.map(RegistryNode::version))
                                    .addAll(signal(tree, job)));
                    return writes.attempt(commit.build(), text.isPresent());
                }));
    }

    private static SortedSet<String> none() {
        return Collections.emptySortedSet();
    }

    private static Optional<PauseSwitch> found(Command command, Scope scope, Optional<RegistryNode> node) {
        Optional<PauseSwitch> before = node.map(PauseSwitch::of);
        command.found(PausedBy.of(scope, before).map(PausedBy::toString).orElse(NOT_PAUSED));
        return before;
    }

    private Optional<String> begun(Optional<PauseSwitch> before) {
        return before.filter(PauseSwitch::paused).isPresent()
                ? Optional.empty()
                : Optional.of(PauseSwitch.begun(before, actor().name(), reason()));
    }

    private Optional<String> ended(Optional<PauseSwitch> before) {
        return before.filter(PauseSwitch::paused).map(pause -> pause.ended(actor().name(), reason()));
    }

    private Actor actor() {
        return commands.actor();
    }

    private String reason() {
        return actor().reason().orElse("");
    }

    private static String text(PauseAnswer answer) {
        String state = answer.paused().map(PausedBy::toString).orElse(NOT_PAUSED);
        return answer.inForce() ? state : state + "; not yet in force for " + answer.notYet();
    }

    private CompletionStage<Boolean> inForce(JobTree tree) {
        return waits.until(jobs.registry(), tree, plan -> plan.owners().isEmpty());
    }

    private CompletionStage<PauseAnswer> answer(JobTree tree, boolean changed, SortedSet<String> notYet) {
        return NamespacePause.readWith(jobs.registry(), RegistryRead.allData(tree.paused()))
                .thenApply(answer -> new PauseAnswer(changed, notYet, pausing(tree, answer)));
    }

    private static Optional<PausedBy> pausing(JobTree tree, RegistryAnswer answer) {
        return PausedBy.of(Scope.JOB, answer.node(tree.paused()).map(PauseSwitch::of))
                .or(() -> PausedBy.ofNamespace(answer));
    }

    /** Fails with {@link IllegalStateException} while the job is paused. */
    CompletionStage<Void> mustRun(String jobName) {
        return readToRun(jobName, List.of(), runIds -> false).thenAccept(answer -> {});
    }

    /**
     * Reads nodes of a job for a new run, with its definition and the signal of runs. Fails with {@link
     * IllegalStateException} while the job is paused, unless this run is among the last ones that were requested: repeating
     * the request waits for the same run.
     */
    CompletionStage<RegistryAnswer> readToRun(String jobName, String runId, Collection<RegistryRead> nodes) {
        return readToRun(jobName, nodes, runIds -> runIds.contains(runId));
    }

    /** @param known whether the run is among the last ones that were requested */
    private CompletionStage<RegistryAnswer> readToRun(
            String jobName, Collection<RegistryRead> nodes, Predicate<List<String>> known) {
        JobTree tree = new JobTree(jobName);
        Set<RegistryRead> reads = new LinkedHashSet<>(RegistryRead.allData(tree.paused(), tree.triggers()));
        reads.addAll(nodes);
        return jobs.readWithPause(jobName, reads).thenApply(answer -> {
            pausing(tree, answer).ifPresent(pause -> {
                if (known.test(answer.node(tree.triggers())
                        .map(node -> NodeCodec.readRunIds(node.data()))
                        .orElse(List.of()))) {
                    return;
                }
                throw new IllegalStateException(
                        "Job \"%s\" can't run now, because it is %s. Resume %s, then trigger the run again"
                                .formatted(jobName, pause, pause.scope() == Scope.JOB ? "it" : "the namespace"));
            });
            return answer;
        });
    }

    private CompletionStage<RegistryAnswer> read(JobTree tree) {
        return jobs.read(tree.jobName(), reads(tree));
    }

    /** What has to be read of a job that is paused or resumed, besides its definition. */
    static List<RegistryRead> reads(JobTree tree) {
        return RegistryRead.allData(tree.paused(), tree.leaderRoot(), tree.flags(), tree.necessary());
    }

    /** Requests a plan, even of a job that had no instance yet: one may be about to join. */
    static RegistryCommit signal(JobTree tree, RegistryAnswer job) {
        RegistryCommit.Builder commit = RegistryCommit.builder()
                .addAll(StoredDefinition.of(tree, job).inForce().orElseThrow().check());
        for (String parent : List.of(tree.leaderRoot(), tree.flags())) {
            if (job.node(parent).isEmpty()) {
                commit.create(parent);
            }
        }
        return commit.addAll(ReshardingRequest.of(tree, job).raised()).build();
    }

    // ------------------------------------------------------------------ all jobs

    public CompletionStage<PauseAnswer> pauseAll() {
        Command command = commands.beginForAll(PAUSE);
        return command.reporting(
                switchedAll(command, this::begun)
                        .thenCompose(changed -> notYetPaused().thenCompose(late -> answerAll(changed, late))),
                PauseCommands::text);
    }

    public CompletionStage<PauseAnswer> resumeAll() {
        Command command = commands.beginForAll(RESUME);
        return command.reporting(
                switchedAll(command, this::ended).thenCompose(changed -> answerAll(changed, none())),
                PauseCommands::text);
    }

    private CompletionStage<Boolean> switchedAll(
            Command command, Function<Optional<PauseSwitch>, Optional<String>> next) {
        String path = JobTree.namespacePaused();
        return writes.repeatForAll(() -> jobs.registry()
                .read(RegistryRead.allData(path))
                .thenCompose(answer -> {
                    Optional<RegistryNode> node = answer.node(path);
                    Optional<String> text = next.apply(found(command, Scope.NAMESPACE, node));
                    RegistryCommit.Builder commit = RegistryCommit.builder();
                    text.ifPresent(written -> commit.setOrCreate(path, written, node.map(RegistryNode::version)));
                    return writes.attempt(commit.build(), text.isPresent());
                }));
    }

    private CompletionStage<PauseAnswer> answerAll(boolean changed, SortedSet<String> notYet) {
        return jobs.registry()
                .read(RegistryRead.allData(JobTree.namespacePaused()))
                .thenApply(answer -> new PauseAnswer(changed, notYet, PausedBy.ofNamespace(answer)));
    }

    private CompletionStage<SortedSet<String>> notYetPaused() {
        return jobs.all()
                .thenCompose(all -> new ManyJobs(jobs).each(all, this::isPaused))
                .thenApply(inForce -> {
                    SortedSet<String> late = new TreeSet<>(inForce.keySet());
                    late.removeIf(inForce::get);
                    return late;
                });
    }

    /** Whether the namespace's pause comes into force in time. */
    private CompletionStage<Boolean> isPaused(JobTree tree) {
        return writes.repeat(
                        tree.jobName(), () -> read(tree).thenCompose(job -> writes.attempt(signal(tree, job), true)))
                .thenCompose(signalled -> inForce(tree));
    }
}
