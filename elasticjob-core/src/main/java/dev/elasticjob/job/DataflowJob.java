package dev.elasticjob.job;

import java.util.List;

/**
 * A job that fetches data and processes what it fetched. Each firing does one fetch and, where it found something, one
 * process for each item. With {@code streamingProcess} it goes on so until nothing is fetched any more; it ends after a
 * batch when its item is given to another instance, when the item, the server or streaming is disabled, when this instance
 * drains, and when its lease is lost.
 *
 * <p>One object serves all items of an instance, which run in parallel: implementations must be safe for use by
 * several threads.
 *
 * @param <T> what is fetched
 */
public interface DataflowJob<T> {
    /**
     * Fetches the data of one item.
     *
     * @return what to process; empty when there is nothing to do
     * @throws Exception any failure; it is recorded with the item
     */
    List<T> fetchData(ShardingContext context) throws Exception;

    /**
     * Processes what was fetched. Called only with a list that is not empty. It must change what {@link #fetchData}
     * selects, or the same data is fetched again at the next firing.
     *
     * @throws Exception any failure; it is recorded with the item
     */
    void processData(ShardingContext context, List<T> data) throws Exception;
}
