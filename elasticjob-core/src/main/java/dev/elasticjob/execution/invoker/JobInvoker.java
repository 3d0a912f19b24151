package dev.elasticjob.execution.invoker;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the job's code for one item. Called on worker threads, for several items at the same time. */
@FunctionalInterface
public interface JobInvoker {
    void invoke(ItemContext context) throws Exception;

    static JobInvoker of(SimpleJob job) {
        return job::execute;
    }

    /**
     * Fetches and processes once. For a streaming job, repeats this until nothing is fetched or this instance should
     * not continue with the item. Between two batches, there is no request to the registry.
     */
    static <T> JobInvoker of(DataflowJob<T> job) {
        return context -> {
            boolean found;
            do {
                @Nullable List<T> data = job.fetchData(context);
                found = data != null && !data.isEmpty();
                if (found) {
                    job.processData(context, data);
                }
            } while (found && context.streamsOn());
        };
    }
}
