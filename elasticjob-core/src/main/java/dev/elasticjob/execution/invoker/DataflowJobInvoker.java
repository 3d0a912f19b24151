package dev.elasticjob.execution.invoker;

import dev.elasticjob.job.DataflowJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches and processes, once; for a streaming job again and again, until nothing is fetched or the item is to be let go.
 * Between two batches nothing is asked of the registry.
 */
final class DataflowJobInvoker<T> implements JobInvoker {
    private final DataflowJob<T> job;

    DataflowJobInvoker(DataflowJob<T> job) {
        this.job = job;
    }

    @Override
    public void invoke(ItemContext context) throws Exception {
        boolean found;
        do {
            @Nullable List<T> data = job.fetchData(context);
            found = data != null && !data.isEmpty();
            if (found) {
                job.processData(context, data);
            }
        } while (found && context.streamsOn());
    }
}
