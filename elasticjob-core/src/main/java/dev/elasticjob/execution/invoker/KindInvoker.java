package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import java.util.function.UnaryOperator;

/** Makes what runs the jobs of one kind from their definitions. */
interface KindInvoker {
    JobType type();

    /**
     * The invoker for one job of the application.
     *
     * @param chosen turns the definition of the claim into the one to run
     */
    JobInvoker declared(JobDefinition declared, UnaryOperator<JobDefinition> chosen);

    /** The invoker for all jobs that are kept in the registry. They may run: this was asked before. */
    JobInvoker kept();
}
