package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;

/** Does the work of one item: the user's code. Called on worker threads, for several items at a time. */
@FunctionalInterface
public interface JobInvoker {
    void invoke(ItemContext context) throws Exception;

    /**
     * For a job that is done by its definition alone.
     *
     * @param http what HTTP jobs send with
     * @throws IllegalArgumentException when the type is one that needs code
     */
    static JobInvoker of(JobType type, HttpClients http) {
        return switch (type) {
            case SCRIPT -> new ScriptJobInvoker();
            case HTTP -> new HttpJobInvoker(http);
            case SIMPLE, DATAFLOW ->
                throw new IllegalArgumentException(
                        "A job of the type %s needs a job object; only SCRIPT and HTTP jobs need none".formatted(type));
        };
    }

    static JobInvoker of(SimpleJob job) {
        return job::execute;
    }

    static JobInvoker of(DataflowJob<?> job) {
        return new DataflowJobInvoker<>(job);
    }
}
