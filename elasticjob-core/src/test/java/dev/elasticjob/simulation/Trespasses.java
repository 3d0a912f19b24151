package dev.elasticjob.simulation;

import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.List;

/**
 * What lives with a session is deleted by its own client, by the end of the session, or by an operator; by nobody else.
 */
final class Trespasses implements Quorum.Witness {
    private static final long OPERATOR = 0;

    private final Oracle oracle;
    private final Quorum quorum;

    Trespasses(Oracle oracle, Quorum quorum) {
        this.oracle = oracle;
        this.quorum = quorum;
    }

    @Override
    public void changed(long session, List<Change> changes) {
        changes.stream()
                .filter(change -> change.kind() == Kind.DELETED && session != OPERATOR)
                .filter(change -> change.path().startsWith(oracle.tree().root() + "/"))
                .filter(change -> change.before()
                        .filter(node -> node.isEphemeral() && !quorum.areOfOneClient(node.ephemeralOwner(), session))
                        .isPresent())
                .findFirst()
                .ifPresent(change -> oracle.violated(
                        "another's node is deleted: %s, by session %d".formatted(change.path(), session)));
    }
}
