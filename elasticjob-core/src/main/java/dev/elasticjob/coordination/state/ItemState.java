package dev.elasticjob.coordination.state;

import java.util.EnumSet;
import java.util.Set;

/** What an item last did, as its record says. Misfired and disabled are attributes, not states. */
public enum ItemState {
    NEW,
    RUNNING,
    COMPLETED,
    FAILED,
    /** Its execution ended without a result: its instance died, lost its lease, or gave it up. */
    INTERRUPTED;

    /** The states that may follow this one. An unclaim restores what stood before, so RUNNING may go back anywhere. */
    public Set<ItemState> successors() {
        return switch (this) {
            case NEW, COMPLETED, FAILED -> EnumSet.of(RUNNING);
            case RUNNING -> EnumSet.of(NEW, COMPLETED, FAILED, INTERRUPTED);
            case INTERRUPTED -> EnumSet.of(RUNNING, COMPLETED, FAILED);
        };
    }
}
