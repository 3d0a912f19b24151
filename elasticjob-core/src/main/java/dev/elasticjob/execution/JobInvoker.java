package dev.elasticjob.execution;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls the user's code for one item. Called on worker threads, for several items at a time. */
@FunctionalInterface
public interface JobInvoker {
    void invoke(ShardingContext context) throws Exception;

    static JobInvoker of(SimpleJob job) {
        return job::execute;
    }

    /** One fetch and, where it found something, one process. */
    static <T> JobInvoker of(DataflowJob<T> job) {
        return context -> {
            @Nullable List<T> data = job.fetchData(context);
            if (data != null && !data.isEmpty()) {
                job.processData(context, data);
            }
        };
    }
}
