package dev.elasticjob.definition;

import dev.elasticjob.definition.text.HttpOrigin;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What an instance runs although only the registry says so. Each kind asks for what concerns it. */
public interface TrustedWork {
    /** Whether it runs any command line. */
    boolean scripts();

    /** Where it sends HTTP requests; empty if it sends none. */
    Optional<Set<HttpOrigin>> hosts();

    /** The simple jobs that definitions may refer to, by name. */
    Map<String, SimpleJob> simpleJobs();

    /** The dataflow jobs that definitions may refer to, by name. */
    Map<String, DataflowJob<?>> dataflowJobs();

    /** The application's own kinds whose jobs it runs. */
    Set<JobType> kinds();
}
