package dev.elasticjob.simulation;

import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.LabelSelector;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Nothing is claimed by an instance that the job, as its settings are then, doesn't choose by its labels. */
final class PlacementChain implements Quorum.Witness {
    private final Oracle oracle;
    private final Quorum quorum;
    /** What the instance of each session has shown: a tool may write over it. */
    private final Map<Long, InstanceLabels> labels = new HashMap<>();

    PlacementChain(Oracle oracle, Quorum quorum) {
        this.oracle = oracle;
        this.quorum = quorum;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        changes.stream()
                .filter(change -> change.path().startsWith(oracle.tree().instances() + "/"))
                .flatMap(change -> change.after().stream())
                .forEach(node ->
                        NodeCodec.labels(node.text()).ifPresent(shown -> labels.put(node.ephemeralOwner(), shown)));
        changes.stream()
                .filter(change -> change.kind() == Kind.CREATED && isLock(change.path()))
                .filter(change ->
                        change.after().filter(RegistryNode::isEphemeral).isPresent())
                .filter(change -> !isChosen(session))
                .findFirst()
                .ifPresent(change -> oracle.violated("placement: %s is created by an instance with the labels \"%s\""
                        .formatted(
                                change.path(),
                                Optional.ofNullable(labels.get(session))
                                        .map(InstanceLabels::text)
                                        .orElse(""))));
    }

    /** Whether the job may run there, as its settings are now. */
    boolean isChosen(String instance) {
        return quorum.tree()
                .node(oracle.tree().instance(instance))
                .map(RegistryNode::ephemeralOwner)
                .filter(session -> isChosen(session.longValue()))
                .isPresent();
    }

    /** Of an item, or of a call of cluster listeners. */
    private boolean isLock(String path) {
        return path.startsWith(oracle.tree().firings() + "/")
                || (path.startsWith(oracle.tree().sharding() + "/") && path.endsWith("/running"));
    }

    private boolean isChosen(long session) {
        Optional<RegistryNode> extension = quorum.tree().node(oracle.tree().extension());
        if (extension.isEmpty() || !InForce.isDefined(quorum.tree(), oracle.tree())) {
            return true;
        }
        LabelSelector runOn = InForce.definition(quorum.tree(), oracle.tree()).instances();
        return runOn.matches(labels.getOrDefault(session, InstanceLabels.NONE));
    }
}
