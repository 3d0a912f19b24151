package dev.elasticjob.coordination.session;

import java.util.Optional;

/**
 * What a process sees of the registry now.
 *
 * @param node empty if it is absent
 * @param now the number of a transaction that this process has just sent
 * @param older whether a node was last set before this process has set it
 */
record DataObservation(Optional<Node> node, long now, boolean older) {
    /**
     * The registry's own node.
     *
     * @param created the number of the transaction that created it
     * @param incarnation empty if it can't be read
     */
    record Node(int version, long created, Optional<Incarnation> incarnation) {}

    Optional<Incarnation> incarnation() {
        return node.flatMap(Node::incarnation);
    }
}
