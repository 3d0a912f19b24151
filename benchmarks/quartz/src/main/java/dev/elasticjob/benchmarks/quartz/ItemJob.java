package dev.elasticjob.benchmarks.quartz;

import dev.elasticjob.benchmarks.workload.FiringLog;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerException;

/** One item of a job, which is the group of its key. Quartz makes one for each execution. */
public final class ItemJob implements Job {
    static final String LOG = "log";

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        try {
            FiringLog log = (FiringLog) context.getScheduler().getContext().get(LOG);
            log.executed(
                    context.getJobDetail().getKey().getGroup(),
                    context.getScheduledFireTime().toInstant());
        } catch (SchedulerException e) {
            throw new JobExecutionException(e);
        }
    }
}
