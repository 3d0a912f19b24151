package dev.elasticjob.samples.dynamicsharding;

import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.spring.DynamicSharding;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Polls this instance's share of the partitions, from the call that assigns it until the one that ends it. */
@DynamicSharding("partitions")
class PartitionPoller implements ShardingNotice {
    private static final Logger log = LoggerFactory.getLogger(PartitionPoller.class);
    private static final long PERIOD_MILLIS = 200;
    private static final long PATIENCE_SECONDS = 20;

    private final Partitions partitions;
    private final ApplicationEventPublisher events;
    // The calls of the notice come one at a time, each after the one before.
    private @Nullable ScheduledExecutorService worker;

    PartitionPoller(Partitions partitions, ApplicationEventPublisher events) {
        this.partitions = partitions;
        this.events = events;
    }

    /** A piece of a partition was processed. */
    record Advanced(int partition, ShardAssignment assignment) {}

    @Override
    public void shardingCompleted(ShardAssignment assignment) {
        log.info("polling share {} of {}", assignment.index(), assignment.total());
        ScheduledExecutorService next = Executors.newSingleThreadScheduledExecutor();
        next.scheduleWithFixedDelay(() -> poll(assignment), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        worker = next;
    }

    private void poll(ShardAssignment assignment) {
        for (int partition : partitions.all()) {
            if (assignment.owns(partition) && partitions.advance(partition, assignment.epoch())) {
                events.publishEvent(new Advanced(partition, assignment));
            }
        }
    }

    /** Returns when the worker has stopped, so that nobody else gets a share before. */
    @Override
    public void startSharding() {
        ScheduledExecutorService last = worker;
        if (last == null) {
            return;
        }
        last.shutdown();
        try {
            if (!last.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                log.warn("still polling after {} s; the epoch protects the partitions", PATIENCE_SECONDS);
            }
        } catch (InterruptedException e) {
            last.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
