package dev.elasticjob.execution;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.pool.NamedObjects;
import dev.elasticjob.job.FailureLog;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.LoggingErrorHandler;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.time.TaskTimer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the failures of one job to the error handler that its definition names. Failures of the handler are logged.
 *
 * <p>Follows definitions on the coordination executor. Failures arrive on the threads that run items.
 */
public final class JobErrors {
    private static final Logger log = LoggerFactory.getLogger(JobErrors.class);

    /** Stands for the default where all handlers are listed, and jobs choose one by its name: each job has one of its own. */
    private static final JobErrorHandler LOG = (jobName, cause) -> {};

    private final NamedObjects<JobErrorHandler> handlers;
    private final FailureLog failures;
    private final JobErrorHandler logging;
    private volatile Chosen chosen;

    /** @param timer tells how long ago a failure was logged in full */
    public JobErrors(NamedObjects<JobErrorHandler> handlers, TaskTimer timer) {
        this.handlers = handlers;
        this.failures = new FailureLog(log, timer);
        this.logging = new LoggingErrorHandler(log, timer);
        this.chosen = new Chosen("", logging);
    }

    /** Where failures of the job's code, and of what is called around it, are logged. */
    FailureLog log() {
        return failures;
    }

    private record Chosen(String name, JobErrorHandler handler) {}

    public static NamedObjects<JobErrorHandler> builtIn() {
        Map<String, JobErrorHandler> byName = new LinkedHashMap<>();
        byName.put("LOG", LOG);
        Stream.of(BuiltIn.values()).forEach(handler -> byName.put(handler.name(), handler));
        return new NamedObjects<>("jobExceptionHandler", byName);
    }

    private enum BuiltIn implements JobErrorHandler {
        IGNORE {
            @Override
            public void handleException(String jobName, Throwable cause) {
                // The record and the events still contain the failure.
            }
        },
        THROW {
            /**
             * Acts as if the failure had ended the thread, for tools that monitor the process for such failures. The
             * thread lives on.
             */
            @Override
            public void handleException(String jobName, Throwable cause) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
            }
        }
    }

    void follow(JobDefinition definition) {
        String name = definition.jobExceptionHandler();
        if (!name.equals(chosen.name())) {
            JobErrorHandler named = name.isEmpty() ? LOG : find(definition.jobName(), name);
            chosen = new Chosen(name, named == LOG ? logging : named);
        }
    }

    /** Settings are checked at startup, so an unknown name was set in the registry. */
    private JobErrorHandler find(String job, String name) {
        Optional<JobErrorHandler> found = handlers.find(name);
        if (found.isEmpty()) {
            log.error(
                    "Job \"{}\": its settings in the registry name the error handler \"{}\", which this instance"
                            + " doesn't have, so failures are logged. Available: {}",
                    job,
                    name,
                    handlers.names());
        }
        return found.orElse(LOG);
    }

    void failed(ShardingContext context, Throwable failure) {
        call(context.getJobName(), handler -> handler.handleException(context, failure));
    }

    void failed(String job, Throwable failure) {
        call(job, handler -> handler.handleException(job, failure));
    }

    private void call(String job, Consumer<JobErrorHandler> failed) {
        Chosen to = chosen;
        try {
            failed.accept(to.handler());
        } catch (Throwable e) {
            failures.error(
                    "Job \"%s\": its error handler \"%s\" failed; nothing else is affected".formatted(job, to.name()),
                    e);
        }
    }
}
