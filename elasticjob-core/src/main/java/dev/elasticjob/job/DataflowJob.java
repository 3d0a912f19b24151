package dev.elasticjob.job;

import java.util.List;

/**
 * A job that fetches data and processes it. For each item, a firing fetches once and, if it found data, processes it
 * once. With {@code streamingProcess}, it repeats this until a fetch returns no data. A stream ends early, after the
 * current batch, when its item is assigned to another instance, when the item, the server or streaming is disabled,
 * when this instance drains, and when its lease is lost.
 *
 * <p>One object serves all items of an instance, which run in parallel: implementations must be safe for use by several
 * threads.
 *
 * @param <T> the type of the fetched data
 */
public interface DataflowJob<T> {
    /**
     * Fetches the data of one item.
     *
     * @return the data to process; empty if there is none
     * @throws Exception any failure; it is recorded with the item
     */
    List<T> fetchData(ShardingContext context) throws Exception;

    /**
     * Processes the fetched data. The list is never empty. This method must change what {@link #fetchData} selects;
     * otherwise the next fetch returns the same data again.
     *
     * @throws Exception any failure; it is recorded with the item
     */
    void processData(ShardingContext context, List<T> data) throws Exception;
}
