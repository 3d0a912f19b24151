package dev.elasticjob.samples.dataflow;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.samples.dataflow.Payments.Share;
import dev.elasticjob.spring.ElasticJob;
import java.util.List;

/**
 * Sends open payments, batch after batch, until there are none.
 *
 * <p>A streaming job is asked for more after each batch, until {@code fetchData} has nothing. So {@code processData} must
 * change what {@code fetchData} selects, here the state of the payments: otherwise the same rows are fetched again, and the
 * stream never ends. And it does so row by row, as soon as the row is done: a process that dies in the middle of a batch
 * leaves the rest of it open, and whoever takes over sends that, and no more than one payment for the second time.
 *
 * <p>The checkpoint spares the database: a stream, and whoever goes on with it after a crash or on another machine, reads
 * from where it has come to and doesn't search the sent ones again. It only helps to find rows and never decides which are
 * done. When the stream has reached the end it is cleared, so that the next firing finds what was added below it meanwhile.
 */
@ElasticJob(
        name = "payments",
        cron = "0/10 * * * * ?",
        shardingTotalCount = 4,
        streamingProcess = true,
        failover = true,
        description = "sends open payments")
class PaymentsJob implements DataflowJob<Payment> {
    static final int BATCH = 20;

    private final Payments payments;
    private final Bank bank;

    PaymentsJob(Payments payments, Bank bank) {
        this.payments = payments;
        this.bank = bank;
    }

    @Override
    public List<Payment> fetchData(ShardingContext context) {
        long from = context.getLastCheckpoint().map(Long::valueOf).orElse(0L);
        Share share = new Share(context.getShardingItem(), context.getShardingTotalCount());
        List<Payment> next = payments.open(share, from, BATCH);
        if (next.isEmpty()) {
            context.checkpoint("");
        }
        return next;
    }

    @Override
    public void processData(ShardingContext context, List<Payment> data) throws InterruptedException {
        for (Payment payment : data) {
            if (Thread.interrupted()) {
                throw new InterruptedException("The rest of the batch is somebody else's now");
            }
            bank.send(payment);
            payments.sent(payment);
        }
        context.checkpoint(String.valueOf(data.get(data.size() - 1).id()));
    }
}
