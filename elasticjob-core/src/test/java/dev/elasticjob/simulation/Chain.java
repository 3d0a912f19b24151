package dev.elasticjob.simulation;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows a job from transaction to transaction, and tells the oracle of each that breaks a promise. */
abstract class Chain implements Quorum.Witness {
    final Oracle oracle;
    final Quorum quorum;
    final JobTree tree;
    private final Memo<JobDefinition> definitions = new Memo<>();
    private final Memo<Optional<InForce>> plans = new Memo<>();

    Chain(Oracle oracle, Quorum quorum) {
        this.oracle = oracle;
        this.quorum = quorum;
        this.tree = oracle.tree();
    }

    final Optional<RegistryNode> node(String path) {
        return quorum.tree().node(path);
    }

    /** What the configuration says now. */
    final JobDefinition definition() {
        return definitions.of(
                List.of(node(tree.config()), node(tree.extension())), () -> InForce.definition(quorum.tree(), tree));
    }

    /** The plan that is in force now; empty while nothing has been planned. */
    final Optional<InForce> plan() {
        Optional<RegistryNode> sharding = node(tree.sharding());
        return plans.of(List.of(sharding), () -> InForce.of(sharding));
    }

    final void require(boolean holds, String promise, @Nullable Object... what) {
        if (!holds) {
            oracle.violated(promise.formatted(what));
        }
    }
}
