package dev.elasticjob.execution;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.pool.Named;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the failures of one job to the error handler it names. What the handler throws is logged.
 *
 * <p>Follows definitions on the coordination executor; failures come on the threads that run items.
 */
public final class JobErrors {
    private static final Logger log = LoggerFactory.getLogger(JobErrors.class);

    private final Named<JobErrorHandler> handlers;
    private volatile Chosen chosen = new Chosen("", BuiltInErrorHandler.LOG);

    public JobErrors(Named<JobErrorHandler> handlers) {
        this.handlers = handlers;
    }

    private record Chosen(String name, JobErrorHandler handler) {}

    /** The handlers that are always there. */
    public static Named<JobErrorHandler> builtIn() {
        Map<String, JobErrorHandler> byName = new LinkedHashMap<>();
        Stream.of(BuiltInErrorHandler.values()).forEach(handler -> byName.put(handler.name(), handler));
        return new Named<>("jobExceptionHandler", byName);
    }

    /** The definition in force says who hears from now on. */
    void follow(JobDefinition definition) {
        String name = definition.jobExceptionHandler();
        if (!name.equals(chosen.name())) {
            chosen = new Chosen(name, name.isEmpty() ? BuiltInErrorHandler.LOG : find(definition.jobName(), name));
        }
    }

    /** Settings are checked at the start: what isn't found was set in the registry. */
    private JobErrorHandler find(String job, String name) {
        Optional<JobErrorHandler> found = handlers.find(name);
        if (found.isEmpty()) {
            log.error(
                    "Job \"{}\": its settings in the registry name the error handler \"{}\", which this instance"
                            + " doesn't have, so failures are logged. Available: {}",
                    job,
                    name,
                    List.copyOf(handlers.names()));
        }
        return found.orElse(BuiltInErrorHandler.LOG);
    }

    void failed(ShardingContext context, Throwable failure) {
        tell(context.getJobName(), handler -> handler.handleException(context, failure));
    }

    void failed(String job, Throwable failure) {
        tell(job, handler -> handler.handleException(job, failure));
    }

    private void tell(String job, Consumer<JobErrorHandler> failed) {
        Chosen to = chosen;
        try {
            failed.accept(to.handler());
        } catch (Throwable e) {
            log.error(
                    "Job \"{}\": its error handler \"{}\" failed; nothing else is affected",
                    job,
                    to.name(),
                    Failures.printable(e));
        }
    }
}
