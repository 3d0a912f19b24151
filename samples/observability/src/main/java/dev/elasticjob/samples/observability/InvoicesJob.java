package dev.elasticjob.samples.observability;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the invoices of a region for each item. */
@ElasticJob(
        name = "invoices",
        cron = "0/5 * * * * ?",
        shardingTotalCount = 3,
        shardingItemParameters = "0=EUROPE,1=AMERICA,2=ASIA",
        jobExceptionHandler = "WEBHOOK")
class InvoicesJob implements SimpleJob {
    private static final Logger log = LoggerFactory.getLogger(InvoicesJob.class);

    private final TaxService taxes;

    InvoicesJob(TaxService taxes) {
        this.taxes = taxes;
    }

    @Override
    public void execute(ShardingContext context) {
        String region = context.getShardingParameter();
        log.info("Writing the invoices of {}", region);
        taxes.rateOf(region);
    }
}
