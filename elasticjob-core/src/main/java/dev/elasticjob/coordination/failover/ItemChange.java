package dev.elasticjob.coordination.failover;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.ExecutionTrigger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to happen to an item, with the view whose version guards it. */
public sealed interface ItemChange {
    ItemView view();

    /** The item's record once the change has happened. */
    ItemRecord next();

    /** Whether the item, as it is read now, is exactly as this change leaves it. */
    default boolean standsIn(@Nullable ItemView now) {
        return now != null
                && now.isReadable()
                && now.version() == view().version() + 1
                && now.current().equals(next());
    }

    default int item() {
        return view().item();
    }

    /** A start of the item, which changes its record and creates its lock. */
    sealed interface Start extends ItemChange {
        ExecutionTrigger trigger();
    }

    /** Starts a firing. */
    record Claim(ItemView view, ItemRecord next, ExecutionTrigger trigger) implements Start {}

    /** Starts the first of the manual runs that wait; it no longer waits then. */
    record ManualClaim(ItemView view, ManualRun.Waiting waiting, ItemRecord next) implements Start {
        @Override
        public ExecutionTrigger trigger() {
            return ExecutionTrigger.MANUAL;
        }
    }

    /** Starts an interrupted execution again. */
    record Take(ItemView view, ItemRecord next) implements Start {
        @Override
        public ExecutionTrigger trigger() {
            return ExecutionTrigger.FAILOVER;
        }
    }

    /**
     * A disabled item lets a firing pass, and a manual run that waits for it.
     *
     * @param firing the one it has seen by then
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

    /** An execution was found without its lock. */
    record Orphan(ItemView view, Instant registryTime, boolean failover) implements ItemChange {
        @Override
        public ItemRecord next() {
            return view.current().orphaned(registryTime);
        }
    }

    /** A failover item is there whose execution isn't interrupted any more. */
    record StaleSignal(ItemView view) implements ItemChange {
        @Override
        public ItemRecord next() {
            return view.current();
        }
    }

    /**
     * An interrupted execution that nobody will repeat.
     *
     * @param reason names the instance that decided, so the record shows whose transaction has abandoned it
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
