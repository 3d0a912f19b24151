package dev.elasticjob.benchmarks.dbscheduler;

import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.schedule.CronSchedule;
import com.github.kagkarlsson.scheduler.task.schedule.CronStyle;
import com.github.kagkarlsson.scheduler.task.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * A cron of db-scheduler at full seconds. By itself, a cron that fires each second adds to the next time by how much the
 * last execution was late, so that it would have less to do than the others.
 */
final class FullSeconds implements Schedule {
    private final Schedule cron;

    /** @param expression in Quartz's dialect */
    FullSeconds(String expression) {
        cron = new CronSchedule(expression, ZoneId.systemDefault(), CronStyle.QUARTZ);
    }

    @Override
    public Instant getNextExecutionTime(ExecutionComplete last) {
        return cron.getNextExecutionTime(last).truncatedTo(ChronoUnit.SECONDS);
    }

    @Override
    public boolean isDeterministic() {
        return cron.isDeterministic();
    }
}
