package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A job as the registry shows it, for people. Its parts were read one after another: they need not be of one moment.
 *
 * @param type empty where there is no definition, or none that can be read
 * @param assignment the one in force; empty before the first plan
 * @param epoch -1 before the first plan
 * @param problem which node can't be read, and why; what depends on it is empty
 * @param items of the assignment and whatever else has a node, where they were asked for
 */
public record JobSnapshot(
        Optional<JobType> type,
        Optional<Assignment> assignment,
        int epoch,
        Optional<String> leader,
        boolean reshardingNecessary,
        SortedSet<String> instances,
        Optional<String> problem,
        NavigableMap<Integer, Item> items) {
    /**
     * One item.
     *
     * @param problem why its record can't be read
     */
    public record Item(
            ItemRecord current,
            boolean running,
            boolean disabled,
            boolean misfired,
            boolean waitsForFailover,
            Optional<String> checkpoint,
            Optional<String> problem) {}

    /**
     * Reads a job without its items, in one request. One that can't be read has a problem; the stage fails only when the
     * registry can't be asked.
     */
    public static CompletionStage<JobSnapshot> overview(Registry registry, JobTree tree) {
        return registry.read(List.of(
                        RegistryRead.data(tree.config()),
                        RegistryRead.data(tree.extension()),
                        RegistryRead.data(tree.sharding()),
                        RegistryRead.data(tree.leader()),
                        RegistryRead.data(tree.necessary()),
                        RegistryRead.children(tree.instances())))
                .thenApply(answer -> of(tree, answer))
                .exceptionally(error -> {
                    Throwable cause = SharedConnection.unwrap(error);
                    if (cause instanceof RegistryAccessDeniedException) {
                        return unreadable(String.valueOf(cause.getMessage()));
                    }
                    throw new CompletionException(cause);
                });
    }

    private static JobSnapshot of(JobTree tree, RegistryAnswer answer) {
        Optional<JobType> type = Optional.empty();
        Optional<RegistryNode> sharding = answer.node(tree.sharding()).filter(node -> node.data().length > 0);
        Optional<Assignment> assignment = Optional.empty();
        Optional<String> problem = Optional.empty();
        StoredDefinition stored = StoredDefinition.of(tree, answer);
        try {
            type = stored.isPresent() ? Optional.of(stored.decode().definition().jobType()) : Optional.empty();
        } catch (UnreadableDefinitionException e) {
            problem = Optional.of(
                    "The node \"%s\" can't be read. %s".formatted(tree.node(e.part()), String.valueOf(e.getMessage())));
        }
        try {
            assignment = sharding.map(node -> NodeCodec.readAssignment(tree.sharding(), node.data()));
            if (assignment.filter(Assignment::isHeld).isPresent()) {
                String held = held(assignment.get());
                problem = Optional.of(problem.map(other -> held + ". " + other).orElse(held));
            }
        } catch (CorruptNodeException e) {
            problem = Optional.of(String.valueOf(e.getMessage()));
        }
        return new JobSnapshot(
                type,
                assignment,
                sharding.map(RegistryNode::version).orElse(-1),
                answer.node(tree.leader()).map(RegistryNode::text),
                answer.node(tree.necessary()).isPresent(),
                new TreeSet<>(answer.children(tree.instances())),
                problem,
                new TreeMap<>());
    }

    private static String held(Assignment assignment) {
        return "Instances of other software take part in the job: %s. Nothing starts until they are gone; stop them"
                .formatted(assignment.holders());
    }

    private static JobSnapshot unreadable(String problem) {
        return new JobSnapshot(
                Optional.empty(),
                Optional.empty(),
                -1,
                Optional.empty(),
                false,
                new TreeSet<>(),
                Optional.of(problem),
                new TreeMap<>());
    }

    /** Reads a job with its items. */
    public static CompletionStage<JobSnapshot> full(Registry registry, JobTree tree) {
        return overview(registry, tree).thenCompose(job -> {
            Collection<Integer> items = job.assignment()
                    .map(assignment -> assignment.owners().navigableKeySet())
                    .orElse(new TreeSet<>());
            return new JobViewReader(tree, registry, Runnable::run).items(items).thenApply(view -> {
                view.items().forEach((number, item) -> job.items().put(number, item(item)));
                return job;
            });
        });
    }

    private static Item item(ItemView view) {
        return new Item(
                view.current(),
                view.children().running(),
                view.children().disabled(),
                view.children().misfire(),
                view.waitsForFailover(),
                view.checkpoint(),
                view.problem());
    }
}
