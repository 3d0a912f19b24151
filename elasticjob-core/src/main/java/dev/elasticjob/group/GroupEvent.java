package dev.elasticjob.group;

import java.time.Duration;
import java.util.List;

/** Something that happened in a group, as this instance saw it. */
public sealed interface GroupEvent {
    /** The group's name; empty for the one without. */
    String group();

    /** This instance is told that it has an index. */
    record IndexAssigned(String group, String instance, ShardAssignment assignment) implements GroupEvent {}

    /** This instance has stopped its work on an index: {@link ShardingNotice#startSharding()} has returned. */
    record IndexReleased(String group, String instance, ShardAssignment assignment) implements GroupEvent {}

    /**
     * Instances have not stopped their work within the stop-timeout, so the assignment is late. Reported once for each
     * assignment, by the leader of the group.
     *
     * @param holders the ids of the instances
     * @param reaction what the leader does now
     */
    record StopOverdue(String group, List<String> holders, Duration timeout, OnStopTimeout reaction)
            implements GroupEvent {
        public StopOverdue {
            holders = List.copyOf(holders);
        }
    }

    /**
     * A {@link ShardingNotice} has thrown an exception.
     *
     * @param call the method
     */
    record NoticeFailed(String group, String instance, String call, Throwable failure) implements GroupEvent {}
}
