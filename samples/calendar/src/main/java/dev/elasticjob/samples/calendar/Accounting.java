package dev.elasticjob.samples.calendar;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.spring.ElasticJob;
import org.springframework.stereotype.Service;

/** Three methods, three jobs. The calendar {@code workdays} and the time zone are in {@code application.yml}. */
@Service
class Accounting {
    /** On each workday at 18:00. On weekends and holidays, there is no such firing. */
    @ElasticJob(cron = "0 0 18 * * ?", timeZone = "${app.zone}", calendar = "workdays")
    void closeDay(ShardingContext context) {
        System.out.println("closeDay at " + context.getScheduledTime());
    }

    /** On the 15th at 09:00, or on the next workday; for each region. */
    @ElasticJob(
            cron = "0 0 9 15 * ?",
            timeZone = "${app.zone}",
            calendar = "workdays",
            moveToNextDay = true,
            shardingTotalCount = 2,
            shardingItemParameters = "0=asia,1=europe")
    void paySalaries(ShardingContext context, String region) {
        System.out.println("paySalaries in %s at %s".formatted(region, context.getScheduledTime()));
    }

    /** Every night between 02:00 and 02:30: when exactly, the name decides, so that not all nightly jobs start at once. */
    @ElasticJob(cron = "0 0 2 * * ?", timeZone = "${app.zone}", spread = "30m")
    void archive(ShardingContext context) {
        System.out.println("archive at " + context.getScheduledTime());
    }
}
