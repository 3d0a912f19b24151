package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * The state of a job in the registry, for people. Its parts were read one after the other, not at the same moment.
 *
 * @param type empty if there is no readable definition
 * @param assignment the one in force; empty before the first plan
 * @param epoch -1 before the first plan
 * @param problem the node that can't be read, and the reason; values from it are empty
 * @param items the items that have a node, if they were read
 */
public record JobSnapshot(
        Optional<JobType> type,
        Optional<Assignment> assignment,
        int epoch,
        Optional<String> leader,
        boolean reshardingNecessary,
        SortedSet<String> instances,
        Optional<String> problem,
        NavigableMap<Integer, ItemView> items) {
    /**
     * Reads a job without its items, in one request. A job that can't be read has a problem; the stage fails only if the
     * registry is unavailable.
     */
    public static CompletionStage<JobSnapshot> overview(Registry registry, JobTree tree) {
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(
                tree.config(), tree.extension(), tree.sharding(), tree.leader(), tree.necessary()));
        reads.add(RegistryRead.children(tree.instances()));
        return registry.read(reads)
                .thenApply(answer -> of(JobView.of(tree, answer, "", "")))
                .exceptionally(error -> {
                    Throwable cause = Stages.unwrap(error);
                    if (cause instanceof RegistryAccessDeniedException) {
                        return unreadable(String.valueOf(cause.getMessage()));
                    }
                    throw new CompletionException(cause);
                });
    }

    private static JobSnapshot of(JobView view) {
        List<String> problems = new ArrayList<>();
        view.problem().ifPresent(problems::add);
        view.assignment().filter(Assignment::isHeld).map(JobSnapshot::held).ifPresent(problems::add);
        Optional<JobType> type = Optional.empty();
        try {
            type = view.definition().isPresent()
                    ? Optional.of(view.definition().decode().definition().jobType())
                    : Optional.empty();
        } catch (UnreadableDefinitionException e) {
            problems.add("The node \"%s\" can't be read. %s"
                    .formatted(view.tree().node(e.part()), String.valueOf(e.getMessage())));
        }
        return new JobSnapshot(
                type,
                view.assignment(),
                view.hasPlan() ? view.epoch() : -1,
                view.leader(),
                view.necessary().isPresent(),
                new TreeSet<>(view.instances()),
                problems.isEmpty() ? Optional.empty() : Optional.of(String.join(". ", problems)),
                Collections.emptyNavigableMap());
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
                Collections.emptySortedSet(),
                Optional.of(problem),
                Collections.emptyNavigableMap());
    }

    /** Reads a job with the items of its assignment. */
    public static CompletionStage<JobSnapshot> full(Registry registry, JobTree tree) {
        return overview(registry, tree).thenCompose(job -> {
            Collection<Integer> items = job.assignment()
                    .map(assignment -> assignment.owners().navigableKeySet())
                    .orElse(new TreeSet<>());
            return new JobViewReader(tree, registry).items(items).thenApply(view -> job.with(view.items()));
        });
    }

    private JobSnapshot with(NavigableMap<Integer, ItemView> read) {
        return new JobSnapshot(type, assignment, epoch, leader, reshardingNecessary, instances, problem, read);
    }
}
