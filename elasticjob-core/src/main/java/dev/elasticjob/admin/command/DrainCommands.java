package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The steps "drain" and "undrain" of {@code docs/internals/protocol.md}, as operators give them. Thread-safe. */
public record DrainCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands, PlanWaits waits) {

    public CompletionStage<DrainAnswer> drain(String jobName, String instance) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, "drain instance " + instance);
        return command.reporting(
                writes.repeat(
                                jobName,
                                () -> read(tree, instance).thenCompose(job -> drained(tree, instance, job, command)))
                        .thenCompose(changed -> waits.until(
                                        jobs.registry(),
                                        tree,
                                        plan -> !plan.owners().containsValue(instance))
                                .thenApply(inForce -> new DrainAnswer(changed, inForce))),
                answer -> answer.inForce() ? "owns no items" : "is marked; no leader has taken its items away yet");
    }

    private CompletionStage<Optional<Boolean>> drained(
            JobTree tree, String instance, RegistryAnswer job, Command command) {
        Optional<RegistryNode> drain = job.node(tree.drain(instance));
        RegistryNode node = job.node(tree.instance(instance)).orElseThrow(() -> unknown(tree, instance, job));
        command.found(state(drain));
        // The items of one that stops, and is to come back, move only if operators want that.
        if (drain.filter(mark -> LeaveMark.of(mark).isEmpty()).isPresent()) {
            return writes.attempt(RegistryCommit.builder().build(), false);
        }
        Actor actor = commands.actor();
        return writes.attempt(
                RegistryCommit.builder()
                        .check(tree.instance(instance), node.version())
                        .addAll(definition(tree, job))
                        .setOrCreate(
                                tree.drain(instance),
                                OperatorDrain.text(actor.name(), actor.reason().orElse("")),
                                drain.map(RegistryNode::version))
                        .addAll(ReshardingRequest.of(tree, job).raised())
                        .build(),
                true);
    }

    public CompletionStage<DrainAnswer> undrain(String jobName, String instance) {
        JobTree tree = new JobTree(jobName);
        Command command = commands.begin(jobName, "undrain instance " + instance);
        return command.reporting(
                writes.repeat(
                                jobName,
                                () -> read(tree, instance).thenCompose(job -> undrained(tree, instance, job, command)))
                        .thenApply(changed -> new DrainAnswer(changed, true)),
                answer -> answer.changed() ? "is not drained" : "nothing to change");
    }

    private CompletionStage<Optional<Boolean>> undrained(
            JobTree tree, String instance, RegistryAnswer job, Command command) {
        Optional<RegistryNode> drain = job.node(tree.drain(instance));
        if (drain.isEmpty() && job.node(tree.instance(instance)).isEmpty()) {
            throw unknown(tree, instance, job);
        }
        command.found(state(drain));
        Optional<RegistryNode> ours =
                drain.filter(node -> OperatorDrain.of(node).isPresent());
        RegistryCommit.Builder commit = RegistryCommit.builder();
        ours.ifPresent(node -> commit.delete(tree.drain(instance), node.version())
                .addAll(definition(tree, job))
                .addAll(ReshardingRequest.of(tree, job).raised()));
        return writes.attempt(commit.build(), ours.isPresent());
    }

    private static String state(Optional<RegistryNode> drain) {
        return drain.map(node -> OperatorDrain.of(node)
                        .map(operator -> "is drained by " + operator.actor())
                        .orElse("leaves by itself"))
                .orElse("is not drained");
    }

    public CompletionStage<SortedMap<String, DrainAnswer>> drainAll(String instance) {
        return everywhere(instance, tree -> drain(tree.jobName(), instance));
    }

    public CompletionStage<SortedMap<String, DrainAnswer>> undrainAll(String instance) {
        return everywhere(instance, tree -> undrain(tree.jobName(), instance));
    }

    /** For all jobs that have such an instance. */
    private CompletionStage<SortedMap<String, DrainAnswer>> everywhere(
            String instance, Function<JobTree, CompletionStage<DrainAnswer>> command) {
        if (!NamespaceReader.isName(instance)) {
            return CompletableFuture.failedFuture(nowhere(instance));
        }
        return jobs.all()
                .thenCompose(trees -> jobs.registry()
                        .read(RegistryRead.allData(trees.stream()
                                .map(tree -> tree.instance(instance))
                                .toList()))
                        .thenCompose(answer -> {
                            List<JobTree> concerned = trees.stream()
                                    .filter(tree ->
                                            answer.node(tree.instance(instance)).isPresent())
                                    .toList();
                            if (concerned.isEmpty()) {
                                throw nowhere(instance);
                            }
                            return new ManyJobs(jobs).each(concerned, command).thenApply(answers -> {
                                if (answers.isEmpty()) {
                                    throw nowhere(instance);
                                }
                                return answers;
                            });
                        }));
    }

    private CompletionStage<RegistryAnswer> read(JobTree tree, String instance) {
        if (!NamespaceReader.isName(instance)) {
            return CompletableFuture.failedFuture(
                    new UnknownTargetException("An instance can't have the id \"%s\": check it".formatted(instance)));
        }
        List<RegistryRead> reads =
                new ArrayList<>(RegistryRead.allData(tree.instance(instance), tree.drain(instance), tree.necessary()));
        reads.add(RegistryRead.children(tree.instances()));
        return jobs.read(tree.jobName(), reads);
    }

    private static RegistryCommit definition(JobTree tree, RegistryAnswer job) {
        return StoredDefinition.of(tree, job).inForce().orElseThrow().check();
    }

    private static UnknownTargetException unknown(JobTree tree, String instance, RegistryAnswer job) {
        return unknown(tree.jobName(), instance, job.children(tree.instances()));
    }

    /** What a drain of an instance says that isn't there. */
    public static UnknownTargetException unknown(String jobName, String instance, Collection<String> instances) {
        return new UnknownTargetException(
                "Job \"%s\" has no instance \"%s\"; its instances are %s".formatted(jobName, instance, instances));
    }

    /** What is said of an instance that no job has. */
    public static UnknownTargetException nowhere(String instance) {
        return new UnknownTargetException(
                "No job of the namespace has an instance \"%s\": check its id".formatted(instance));
    }
}
