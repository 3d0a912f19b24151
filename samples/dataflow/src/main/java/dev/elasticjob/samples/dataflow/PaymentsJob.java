package dev.elasticjob.samples.dataflow;

import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.samples.dataflow.Payments.Share;
import dev.elasticjob.spring.ElasticJob;
import java.util.List;

/**
 * Sends open payments, batch after batch, until there are none.
 *
 * <p>A streaming job fetches and processes batches until {@code fetchData} returns an empty list. {@code processData} must
 * therefore change the result of {@code fetchData}, here the state of the payments. Otherwise the same rows are fetched
 * again, and the stream never ends. It updates each row as soon as the row is processed. If the process dies in the middle
 * of a batch, the rest of the batch stays open; the next execution sends it, and at most one payment is sent twice.
 *
 * <p>The checkpoint saves work for the database: the stream, also when it continues after a crash or on another machine,
 * doesn't search again through the payments that are already sent. The checkpoint only helps to find open rows; the state of a
 * row decides whether it is open. At the end of the stream the checkpoint is cleared, so that the next firing also finds
 * rows that were added below it.
 */
@ElasticJob(
        name = "payments",
        cron = "0/10 * * * * ?",
        shardingTotalCount = 4,
        streamingProcess = true,
        failover = true,
        description = "Sends open payments")
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
                throw new InterruptedException(
                        "The execution was interrupted: the next one sends the rest of the batch");
            }
            bank.send(payment);
            payments.sent(payment);
        }
        context.checkpoint(String.valueOf(data.get(data.size() - 1).id()));
    }
}
