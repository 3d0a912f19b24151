package dev.elasticjob.coordination.group;

import java.util.HashMap;
import java.util.Map;

/**
 * The index that each participant of this process in one group holds, or may hold: one that is leaving, and the next one,
 * which has joined in the same session. A lock of that session that is in nobody's hands is left over.
 *
 * <p>Confined to the coordination executor.
 */
public final class LocalIndexes {
    private final Map<GroupMembership, Integer> held = new HashMap<>();

    void hold(GroupMembership participant, int index) {
        held.put(participant, index);
    }

    void release(GroupMembership participant) {
        held.remove(participant);
    }

    boolean isHeldByAnother(GroupMembership participant, int index) {
        return held.entrySet().stream().anyMatch(entry -> entry.getKey() != participant && entry.getValue() == index);
    }
}
