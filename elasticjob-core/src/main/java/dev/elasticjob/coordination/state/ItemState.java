package dev.elasticjob.coordination.state;

import java.util.EnumSet;
import java.util.Set;

/**
 * The state of an item's latest execution, according to its record. Misfired and disabled are attributes, not states.
 */
public enum ItemState {
    NEW,
    RUNNING,
    COMPLETED,
    FAILED,
    /** The execution ended without a result: its instance died, lost its lease, or stopped it. */
    INTERRUPTED;

    /** The states that may follow this one. An unclaim restores the previous state, so RUNNING may go back to any. */
    public Set<ItemState> successors() {
        return switch (this) {
            case NEW, COMPLETED, FAILED -> EnumSet.of(RUNNING);
            case RUNNING -> EnumSet.of(NEW, COMPLETED, FAILED, INTERRUPTED);
            case INTERRUPTED -> EnumSet.of(RUNNING, COMPLETED, FAILED);
        };
    }
}
