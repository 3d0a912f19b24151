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
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The steps "drain" and "undrain" of {@code docs/internals/protocol.md}, as operators give them. Thread-safe. */
public record DrainCommands(ExistingJobs jobs, GuardedWrites writes, CommandLog commands, PlanWaits waits) {
    /** What has become of an instance that was to be drained. */
    private enum Step {
        DRAINED(true, "owns no items", "is marked; no leader has taken its items away yet"),
        DRAINED_BEFORE(false, DRAINED.done, DRAINED.open),
        AWAITED_NO_MORE(true, "is awaited no more", "is awaited no more; no leader has planned without it yet"),
        AWAITED_NO_MORE_BEFORE(false, AWAITED_NO_MORE.done, AWAITED_NO_MORE.open),
        HAS_COME_BACK(false, "has come back, and isn't drained", "has come back, and isn't drained");

        private final boolean changes;
        private final String done;
        private final String open;

        Step(boolean changes, String done, String open) {
            this.changes = changes;
            this.done = done;
            this.open = open;
        }

        String text(DrainAnswer answer) {
            return answer.inForce() ? done : open;
        }
    }

    private record Drained(Step step, DrainAnswer answer) {
        String text() {
            return step.text(answer);
        }
    }

    public CompletionStage<DrainAnswer> drain(String jobName, String instance) {
        return new Draining(new JobTree(jobName), instance, false).carriedOut();
    }

    /** One drain of an instance of a job. Its attempts follow one another, on any threads. */
    private final class Draining {
        private final JobTree tree;
        private final String instance;
        private final Command command;
        /** Whether it was read as one that has left: then it isn't drained if it has come back meanwhile. */
        private volatile boolean left;

        Draining(JobTree tree, String instance, boolean left) {
            this.tree = tree;
            this.instance = instance;
            this.left = left;
            this.command = commands.begin(tree.jobName(), "drain instance " + instance);
        }

        CompletionStage<DrainAnswer> carriedOut() {
            return command.reporting(
                            writes.repeat(
                                            tree.jobName(),
                                            () -> read(tree, instance).thenCompose(this::attempted))
                                    .thenCompose(this::followed),
                            Drained::text)
                    .thenApply(Drained::answer);
        }

        /** One that is awaited no more may come back, and own items in the next plan already. */
        private CompletionStage<Drained> followed(Step step) {
            CompletableFuture<Boolean> inForce = switch (step) {
                case DRAINED, DRAINED_BEFORE ->
                    waits.until(jobs.registry(), tree, plan -> !plan.owners().containsValue(instance));
                case AWAITED_NO_MORE, AWAITED_NO_MORE_BEFORE -> waits.until(jobs.registry(), tree, anyPlan -> true);
                case HAS_COME_BACK -> CompletableFuture.completedFuture(true);
            };
            return inForce.thenApply(done -> new Drained(step, new DrainAnswer(step.changes, done)));
        }

        private CompletionStage<Optional<Step>> attempted(RegistryAnswer job) {
            Optional<RegistryNode> node = job.node(tree.instance(instance));
            if (node.isEmpty()) {
                return awaitedNoMore(job);
            }
            return left ? writes.attempt(GuardedWrites.NOTHING, Step.HAS_COME_BACK) : drained(job, node.get());
        }

        private CompletionStage<Optional<Step>> drained(RegistryAnswer job, RegistryNode node) {
            Optional<RegistryNode> drain = job.node(tree.drain(instance));
            command.found(state(drain));
            // The items of one that stops, and is to come back, move only if operators want that.
            if (drain.filter(mark -> LeaveMark.of(mark).isEmpty()).isPresent()) {
                return writes.attempt(GuardedWrites.NOTHING, Step.DRAINED_BEFORE);
            }
            Actor actor = commands.actor();
            return writes.attempt(
                    RegistryCommit.builder()
                            .check(tree.instance(instance), node.version())
                            .addAll(definition(tree, job))
                            .setOrCreate(
                                    tree.drain(instance),
                                    OperatorDrain.text(
                                            actor.name(), actor.reason().orElse("")),
                                    drain.map(RegistryNode::version))
                            .addAll(ReshardingRequest.of(tree, job).raised())
                            .build(),
                    Step.DRAINED);
        }

        private CompletionStage<Optional<Step>> awaitedNoMore(RegistryAnswer job) {
            Optional<RegistryNode> mark = job.node(tree.drain(instance)).filter(LeaveMark::hasLeft);
            if (mark.isEmpty()) {
                if (left) {
                    return writes.attempt(GuardedWrites.NOTHING, Step.AWAITED_NO_MORE_BEFORE);
                }
                throw unknown(tree, instance, job);
            }
            left = true;
            command.found("has left, and may come back");
            return writes.attempt(
                    RegistryCommit.builder()
                            // Nobody has come or left since: what has this mark's version may be another one by then.
                            .check(
                                    tree.instances(),
                                    job.node(tree.instances()).orElseThrow().version())
                            .addAll(definition(tree, job))
                            .delete(tree.drain(instance), mark.get().version())
                            .addAll(ReshardingRequest.of(tree, job).raised())
                            .build(),
                    Step.AWAITED_NO_MORE);
        }
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
        return everywhere(
                instance, LeaveMark::hasLeft, (tree, left) -> new Draining(tree, instance, left).carriedOut());
    }

    public CompletionStage<SortedMap<String, DrainAnswer>> undrainAll(String instance) {
        return everywhere(instance, drain -> false, (tree, left) -> undrain(tree.jobName(), instance));
    }

    /**
     * For all jobs that have such an instance.
     *
     * @param left whether this node below {@code drain} says that it has left, and so that the job is concerned
     * @param command is told whether it has left the job
     */
    private CompletionStage<SortedMap<String, DrainAnswer>> everywhere(
            String instance,
            Predicate<RegistryNode> left,
            BiFunction<JobTree, Boolean, CompletionStage<DrainAnswer>> command) {
        if (!NamespaceReader.isName(instance)) {
            return CompletableFuture.failedFuture(nowhere(instance));
        }
        return jobs.all()
                .thenCompose(trees -> jobs.registry()
                        .read(RegistryRead.allData(trees.stream()
                                .flatMap(tree -> Stream.of(tree.instance(instance), tree.drain(instance)))
                                .toList()))
                        .thenCompose(answer -> {
                            Predicate<JobTree> isThere =
                                    tree -> answer.node(tree.instance(instance)).isPresent();
                            List<JobTree> concerned = trees.stream()
                                    .filter(isThere.or(tree -> answer.node(tree.drain(instance))
                                            .filter(left)
                                            .isPresent()))
                                    .toList();
                            if (concerned.isEmpty()) {
                                throw nowhere(instance);
                            }
                            return new ManyJobs(jobs)
                                    .each(concerned, tree -> command.apply(tree, !isThere.test(tree)))
                                    .thenApply(answers -> {
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
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(
                tree.instances(), tree.instance(instance), tree.drain(instance), tree.necessary()));
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
