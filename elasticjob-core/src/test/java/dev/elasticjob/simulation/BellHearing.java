package dev.elasticjob.simulation;

import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.simulation.Replica.Change;
import dev.elasticjob.simulation.Replica.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ringing means "plan again": only who has heard the last ring may say that it is answered. Told by version, as the
 * transaction does: an answer that is sent again may meet a bell that was made anew meanwhile, at the version of the
 * former one; whoever sends it looks again anyway.
 */
final class BellHearing implements Quorum.Witness, Quorum.Reader {
    private final Oracle oracle;
    private final String bell;
    private final Map<Long, Integer> heard = new HashMap<>();

    BellHearing(Oracle oracle) {
        this.oracle = oracle;
        this.bell = oracle.tree().necessary();
    }

    @Override
    public void read(long session, String path, RegistryNode node) {
        if (path.equals(bell)) {
            heard.put(session, node.version());
        }
    }

    @Override
    public void changed(long session, List<Change> changes) {
        for (Change change : changes) {
            if (change.path().equals(bell) && change.kind() == Kind.DELETED && session != 0) {
                int rung = change.before().orElseThrow().version();
                if (heard.getOrDefault(session, -1) < rung) {
                    oracle.violated("P4, progress: a ring of the bell is deleted that nobody has heard");
                }
            }
        }
    }
}
