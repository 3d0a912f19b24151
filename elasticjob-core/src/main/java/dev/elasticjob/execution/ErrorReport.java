package dev.elasticjob.execution;

import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.job.Failures;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a job's error handler of a failure that is no item's. */
record ErrorReport(String job, Throwable failure, JobErrors errors) implements FairPool.Task {
    private static final Logger log = LoggerFactory.getLogger(ErrorReport.class);

    @Override
    public void run() {
        errors.failed(job, failure);
    }

    @Override
    public void refused(RejectedExecutionException reason) {
        log.error(
                "Job \"{}\": no thread was available to call the error handler, which does not receive {}",
                job,
                Failures.text(failure),
                Failures.printable(reason));
    }
}
