package dev.elasticjob.execution;

import dev.elasticjob.job.Failures;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The error handlers that are always there, by their names. */
enum BuiltInErrorHandler implements JobErrorHandler {
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
            // The record and the events tell of it all the same.
        }
    },
    THROW {
        /** As if it had left the thread, which lives on: what watches a process for such failures hears of it. */
        @Override
        public void handleException(String jobName, Throwable cause) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
        }
    };

    private static final Logger log = LoggerFactory.getLogger(BuiltInErrorHandler.class);
}
