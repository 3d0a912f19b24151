package dev.elasticjob.job;

/**
 * A job that runs once for each of its items at each firing.
 *
 * <p>One object serves all items of an instance, which run in parallel: implementations must be safe for use by
 * several threads. An exception marks the item's execution as failed; the next firing runs it again as usual.
 */
@FunctionalInterface
public interface SimpleJob {
    /**
     * Does the work of one item.
     *
     * @param context the item, and the firing that it belongs to
     * @throws Exception any failure; it is recorded with the item and passed to the {@link JobErrorHandler}
     */
    void execute(ShardingContext context) throws Exception;
}
