package dev.elasticjob.execution;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.Room;
import dev.elasticjob.coordination.progress.ItemProgress;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.invoker.ItemContext;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Items as this instance has claimed them. */
public final class Claims {
    static final long SESSION = 7;
    static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private Claims() {}

    static ClaimedItem claimed(JobDefinition job, int item, Instant firing, String instance, int attempt, long token) {
        ItemRecord running =
                new ItemRecord(firing, ItemState.RUNNING, instance, null, attempt, 0, NOON, null, null, Map.of());
        return new ClaimedItem(
                item,
                7,
                job.shardingTotalCount(),
                job,
                firing,
                instance,
                token,
                SESSION,
                running,
                4,
                ItemRecord.NEW,
                Optional.empty(),
                attempt > 1 ? ExecutionTrigger.FAILOVER : ExecutionTrigger.SCHEDULE,
                Optional.empty(),
                "",
                0,
                false,
                Room.NONE);
    }

    /** The second attempt at item 1, for noon. */
    public static ItemContext context(JobDefinition job) {
        ClaimedItem item = claimed(job, 1, NOON, "a@-@1", 2, 42);
        return new ItemContext(
                item,
                job.itemParameters().getOrDefault(1, ""),
                Runnable::run,
                new ItemContext.Reports() {
                    @Override
                    public void checkpoint(String text) {}

                    @Override
                    public void progress(Supplier<ItemProgress> latest) {}
                },
                () -> false,
                () -> false);
    }
}
