package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.trust.RegistryTrust;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs the job's code for one item. Called on worker threads, for several items at the same time. */
@FunctionalInterface
public interface JobInvoker {
    void invoke(ItemContext context) throws Exception;

    /**
     * The invokers for jobs without code, each made from the definition that this instance declares.
     *
     * @param references replaces the references in what an HTTP job sends
     * @param trust what this instance runs if the registry has another command line or URI
     */
    static Map<JobType, Function<JobDefinition, JobInvoker>> withoutCode(
            UnaryOperator<String> references, RegistryTrust trust) {
        HttpClients clients = new HttpClients();
        return Map.of(
                JobType.SCRIPT,
                declared -> new ScriptJobInvoker(new DeclaredWork(declared, trust)::commandLine),
                JobType.HTTP,
                declared -> {
                    DeclaredWork work = new DeclaredWork(declared, trust);
                    return new HttpJobInvoker(claimed -> work.request(claimed, references), clients);
                });
    }

    /** The invoker for all jobs that are kept in the registry. */
    static JobInvoker ofRegistryJobs(RegistryTrust trust) {
        return new RegistryJobInvoker(trust, new HttpClients());
    }

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
