package dev.elasticjob.coordination.watchdog;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An execution that takes too long.
 *
 * @param instance the instance that executes the item
 * @param since the beginning; the claim, if another instance reports it
 * @param progress how far it has come, if this instance executes it
 */
record StuckItem(
        int item,
        long token,
        String instance,
        Instant scheduledAt,
        String runId,
        int attempt,
        Instant since,
        Duration limit,
        Optional<ExecutionProgress> progress) {
    /** As the instance that executes it sees it. */
    static StuckItem here(ClaimedItem item, Instant now, ExecutionProgress progress) {
        return new StuckItem(
                item.item(),
                item.token(),
                item.instance(),
                item.scheduledAt(),
                item.runId(),
                item.attempt(),
                now.minus(progress.elapsed()),
                item.definition().watchdog().stuckAfter(),
                Optional.of(progress));
    }

    /** As the registry shows it. */
    static StuckItem elsewhere(String job, int item, RegistryNode lock, ItemRecord record, Duration limit) {
        Instant start = Optional.ofNullable(record.runId() == null ? record.scheduledAt() : record.startedAt())
                .orElse(lock.created());
        return new StuckItem(
                item,
                lock.czxid(),
                lock.text(),
                start,
                record.runIdOf(job).orElse(""),
                record.attempt(),
                lock.created(),
                limit,
                Optional.empty());
    }
}
