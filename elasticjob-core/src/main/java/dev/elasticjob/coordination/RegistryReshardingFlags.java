package dev.elasticjob.coordination;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.view.ReshardingRequest;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Reads and writes the flags in the registry. Thread-safe. */
public final class RegistryReshardingFlags implements ReshardingFlags {
    private static final int ATTEMPTS = 20;

    private final Registry registry;
    private final Consumer<String> mustExist;

    /** @param mustExist throws {@link IllegalArgumentException} for an unknown job name */
    public RegistryReshardingFlags(Registry registry, Consumer<String> mustExist) {
        this.registry = registry;
        this.mustExist = mustExist;
    }

    @Override
    public CompletionStage<Status> status(String jobName) {
        JobTree tree = tree(jobName);
        return Stages.forCallers(registry.read(
                        RegistryRead.allData(tree.necessary(), tree.processing(), tree.sharding()))
                .thenApply(answer -> new Status(
                        answer.node(tree.necessary()).isPresent(),
                        answer.node(tree.processing()).isPresent(),
                        answer.node(tree.sharding())
                                .filter(node -> node.data().length > 0)
                                .map(RegistryNode::version)
                                .orElse(-1))));
    }

    @Override
    public CompletionStage<Void> raise(String jobName) {
        JobTree tree = tree(jobName);
        return Stages.forCallers(Stages.attempts(ATTEMPTS, () -> attempt(tree)).thenAccept(done -> {
            if (done.isEmpty()) {
                throw notRaised(tree);
            }
        }));
    }

    private CompletionStage<Optional<CommitOutcome>> attempt(JobTree tree) {
        return registry.read(RegistryRead.allData(tree.necessary()))
                .thenCompose(answer ->
                        registry.commit(ReshardingRequest.of(tree, answer).raised()))
                .thenApply(outcome -> Optional.of(outcome).filter(CommitOutcome::isCommitted));
    }

    private static IllegalStateException notRaised(JobTree tree) {
        return new IllegalStateException(
                ("Could not store the request for resharding in \"%s\" in %d attempts: the job's nodes are missing"
                                + " there, or others keep changing them. Start the job, or try again")
                        .formatted(tree.flags(), ATTEMPTS));
    }

    private JobTree tree(String jobName) {
        mustExist.accept(jobName);
        return new JobTree(jobName);
    }
}
