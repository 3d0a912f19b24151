package dev.elasticjob.registry;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The registry's answer to a transaction. */
public sealed interface CommitOutcome {
    default boolean isCommitted() {
        return this instanceof Committed;
    }

    default boolean isRefusedAs(Reason reason) {
        return this instanceof Refused refused && refused.reason() == reason;
    }

    /**
     * Committed.
     *
     * @param zxid the number of the transaction, if it set the data of a node or created one
     * @param time the registry's time of it, if it set the data of a node or created one
     */
    record Committed(OptionalLong zxid, Optional<Instant> time) implements CommitOutcome {}

    /**
     * Nothing was written.
     *
     * @param path the node of the first step that failed; later ones may fail too
     */
    record Refused(Reason reason, String path) implements CommitOutcome {}

    /** Why a transaction was refused. */
    enum Reason {
        ABSENT,
        EXISTS,
        WRONG_VERSION,
        HAS_CHILDREN
    }
}
