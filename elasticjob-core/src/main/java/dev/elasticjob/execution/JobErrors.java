package dev.elasticjob.execution;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.pool.Named;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContext;
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

    private final Named<JobErrorHandler> handlers;
    private volatile Chosen chosen = new Chosen("", BuiltIn.LOG);

    public JobErrors(Named<JobErrorHandler> handlers) {
        this.handlers = handlers;
    }

    private record Chosen(String name, JobErrorHandler handler) {}

    public static Named<JobErrorHandler> builtIn() {
        Map<String, JobErrorHandler> byName = new LinkedHashMap<>();
        Stream.of(BuiltIn.values()).forEach(handler -> byName.put(handler.name(), handler));
        return new Named<>("jobExceptionHandler", byName);
    }

    private enum BuiltIn implements JobErrorHandler {
        LOG {
            @Override
            public void handleException(String jobName, Throwable cause) {
                log.error("Job \"{}\" failed", jobName, Failures.printable(cause));
            }

            @Override
            public void handleException(ShardingContext context, Throwable cause) {
                log.error(
                        "Job \"{}\": item {} failed (run \"{}\", attempt {})",
                        context.getJobName(),
                        context.getShardingItem(),
                        context.getRunId(),
                        context.getAttempt(),
                        Failures.printable(cause));
            }
        },
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
            chosen = new Chosen(name, name.isEmpty() ? BuiltIn.LOG : find(definition.jobName(), name));
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
        return found.orElse(BuiltIn.LOG);
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
            log.error(
                    "Job \"{}\": its error handler \"{}\" failed; nothing else is affected",
                    job,
                    to.name(),
                    Failures.printable(e));
        }
    }
}
