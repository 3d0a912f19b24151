package dev.elasticjob.group;

/**
 * Receives the events of groups. Called on a thread of the engine, in order for each group: return quickly, and pass longer
 * work to a thread of your own. An exception is logged and otherwise ignored.
 */
@FunctionalInterface
public interface GroupEventListener {
    void onEvent(GroupEvent event);
}
