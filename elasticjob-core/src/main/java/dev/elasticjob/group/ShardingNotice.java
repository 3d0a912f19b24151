package dev.elasticjob.group;

/**
 * Is told which share of the work this instance has in a group, and when it has to stop working on it. Instances that join
 * or leave, and those whose session is lost, cause a new assignment: all instances are told to stop, then all are told
 * their new index.
 *
 * <p>The calls alternate, {@link #shardingCompleted} first. They come on a thread of the engine that does nothing else
 * meanwhile, one at a time for each group, and never on the thread that coordinates: a call that takes long delays its own
 * group, and no other. An exception is logged and reported, and otherwise ignored: the call counts as returned.
 */
public interface ShardingNotice {
    /**
     * The shares are about to change, this instance can no longer rely on its registry session, or it leaves the group.
     * Stop the work on the present index, and return when it has stopped: <b>no other instance gets an index of the next
     * assignment before that</b>, or before this instance's session is over. If the call takes longer than the
     * stop-timeout, that is reported.
     *
     * <p>If the registry session is about to expire, there is little time: the index may go to another instance when the
     * session is over, whether this call has returned or not. Use {@link ShardAssignment#epoch()} as a fencing token where
     * that matters.
     */
    void startSharding();

    /**
     * This instance has an index. Start to work on it, on threads of your own, and return. While this call lasts, {@link
     * #startSharding()} can't be called, so it delays the next assignment. Its thread is interrupted if this instance can
     * no longer rely on its registry session, and when the engine's shutdown timeout has passed.
     */
    void shardingCompleted(ShardAssignment assignment);
}
