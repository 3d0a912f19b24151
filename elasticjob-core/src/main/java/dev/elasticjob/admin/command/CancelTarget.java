package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.ManualRun;
import dev.elasticjob.coordination.view.ItemView;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * The firing or manual run that a command means. Pure.
 *
 * @param runId as events and contexts show it
 * @param firing the firing; empty for a manual run
 */
record CancelTarget(String jobName, String runId, Optional<Instant> firing) {
    static CancelTarget of(String jobName, String runId) {
        return new CancelTarget(jobName, runId, firing(jobName + ItemRecord.FIRING, runId));
    }

    private static Optional<Instant> firing(String prefix, String runId) {
        try {
            return runId.startsWith(prefix)
                    ? Optional.of(Instant.parse(runId.substring(prefix.length())))
                    : Optional.empty();
        } catch (DateTimeException manual) {
            return Optional.empty();
        }
    }

    /** Whether a record shows an execution for it, or the repetition of one, in whatever state. */
    boolean isShownBy(ItemRecord record) {
        if (record.state() == ItemState.NEW || record.attempt() == 0) {
            return false;
        }
        ManualRun run = record.run();
        boolean repeated = run != null
                && run.repeatedRunIdOf(jobName).filter(runId::equals).isPresent();
        return repeated
                || firing.map(at -> run == null && at.equals(record.scheduledAt()))
                        .orElseGet(() -> record.isOf(runId) || runId.equals(record.runId()));
    }

    /** Whether anything of the item shows that there is such a firing or run. */
    boolean isKnownBy(ItemView item) {
        return item.isReadable()
                && (isShownBy(item.current()) || item.current().past().containsKey(runId) || waitsFor(item));
    }

    /** Whether the run waits for the item, perhaps to be dropped. */
    boolean waitsFor(ItemView item) {
        return item.waiting()
                .filter(there -> there.runs().runIds().contains(runId))
                .isPresent();
    }
}
