package dev.elasticjob.samples.policies;

import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.spring.ElasticJob;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Three jobs that differ in what comes after an execution that takes long, or after a time when nothing ran. */
@Service
class Purchasing {
    private final Duration timeToImport;

    Purchasing(@Value("${app.time-to-import}") Duration timeToImport) {
        this.timeToImport = timeToImport;
    }

    /** One minute after the last query of the supplier has ended, on whichever instance: never two at the same time. */
    @ElasticJob(fixedDelay = "1m")
    void pollOrders(ShardingContext context) {
        System.out.println("pollOrders at " + context.getScheduledTime());
    }

    /** Every 10 seconds, unless the last import still runs: the next one imports everything anyway. */
    @ElasticJob(every = "10s", overlap = Overlap.SKIP)
    void importPrices(ShardingContext context) throws InterruptedException {
        System.out.println("importPrices at " + context.getScheduledTime());
        Thread.sleep(timeToImport.toMillis());
    }

    /** Each hour has a report of its own: those that nobody could write in time are written later, one after the other. */
    @ElasticJob(cron = "0 0 * * * ?", timeZone = "UTC", catchUp = CatchUp.EACH)
    void reportHour(ShardingContext context) {
        System.out.println("reportHour at " + context.getScheduledTime());
    }
}
