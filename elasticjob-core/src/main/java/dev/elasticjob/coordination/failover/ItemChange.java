package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A planned change of an item, with the view whose version guards it. */
public sealed interface ItemChange {
    ItemView view();

    /** The record after the change. */
    ItemRecord next();

    /** Whether the item is now exactly as this change leaves it. */
    default boolean standsIn(@Nullable ItemView now) {
        return now != null
                && now.isReadable()
                && now.version() == view().version() + 1
                && now.current().equals(next());
    }

    default int item() {
        return view().item();
    }

    /** A start of the item. It changes the record and creates the lock. */
    sealed interface Start extends ItemChange {
        ExecutionTrigger trigger();
    }

    /** Starts a firing. */
    record Claim(ItemView view, ItemRecord next, ExecutionTrigger trigger) implements Start {}

    /** Starts the first of the waiting manual runs, and removes it from them. */
    record ManualClaim(ItemView view, ManualRun.Waiting waiting, ItemRecord next) implements Start {
        @Override
        public ExecutionTrigger trigger() {
            return ExecutionTrigger.MANUAL;
        }
    }

    record Take(ItemView view, ItemRecord next) implements Start {
        @Override
        public ExecutionTrigger trigger() {
            return ExecutionTrigger.FAILOVER;
        }
    }

    /**
     * A disabled item skips a firing, and a manual run that waits for it.
     *
     * @param firing the skipped firing
     */
    record Skip(ItemView view, @Nullable Instant firing) implements ItemChange {
        @Override
        public ItemRecord next() {
            return view.current()
                    .skipped(
                            firing,
                            view.waiting()
                                    .map(waiting -> waiting.runs().runIds())
                                    .orElse(List.of()));
        }
    }

    record Orphan(ItemView view, Instant registryTime, boolean failover) implements ItemChange {
        @Override
        public ItemRecord next() {
            return view.current().orphaned(registryTime);
        }
    }

    /** A failover signal without an interrupted execution. */
    record StaleSignal(ItemView view) implements ItemChange {
        @Override
        public ItemRecord next() {
            return view.current();
        }
    }

    /**
     * An interrupted execution that will not be repeated.
     *
     * @param reason names the instance that made the decision, so that the record shows whose transaction was committed
     */
    record Abandon(ItemView view, String reason) implements ItemChange {
        public static Abandon by(String instance, ItemView view, String reason) {
            return new Abandon(view, "%s (decided by \"%s\")".formatted(reason, instance));
        }

        @Override
        public ItemRecord next() {
            return view.current().abandoned(reason);
        }
    }
}
