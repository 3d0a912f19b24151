package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The result of an execution that is not recorded, and the reason: what the registry shows of the item instead.
 *
 * @param cause for operators; continues a sentence
 */
record UnrecordedResult(ClaimedItem claim, String cause) {
    private static final Logger log = LoggerFactory.getLogger(UnrecordedResult.class);

    /**
     * Empty if nothing is lost: the execution has not begun, or its end is recorded already.
     *
     * @param read the item as it was read; empty if it has no node
     */
    static Optional<UnrecordedResult> of(Completion completion, Optional<ItemView> read) {
        ClaimedItem claim = completion.claim();
        return completion.ending() instanceof ExecutionResult.Returned returned
                ? cause(claim, returned, read).map(cause -> new UnrecordedResult(claim, cause))
                : Optional.empty();
    }

    void log() {
        log.warn(
                "Job \"{}\": the result of item {} (run \"{}\", attempt {}) was not recorded, because {}",
                claim.jobName(),
                claim.item(),
                claim.runId(),
                claim.attempt(),
                cause);
    }

    private static Optional<String> cause(
            ClaimedItem claim, ExecutionResult.Returned returned, Optional<ItemView> read) {
        if (read.isEmpty()) {
            return Optional.of(
                    "the item's node is gone: the item or the job was removed, or the registry has lost its" + " data");
        }
        ItemView item = read.get();
        if (!item.isReadable()) {
            return Optional.of(
                    "the item's record can't be read: " + item.problem().orElse(""));
        }
        if (item.current().isSameExecution(claim.claimed())) {
            return isGivenUp(item.current(), returned)
                    ? Optional.of("this instance's session had ended before, and the execution was given up as"
                            + " interrupted")
                    : Optional.empty();
        }
        return Optional.of(hasGoneBack(claim, item) ? wentBack() : shown(claim, item.current()));
    }

    /** Somebody else has recorded the end: the execution was interrupted, and is not repeated. */
    private static boolean isGivenUp(ItemRecord current, ExecutionResult.Returned returned) {
        return current.state() == ItemState.FAILED
                && current.cancelled() == null
                && returned.state() == ItemState.COMPLETED;
    }

    private static boolean hasGoneBack(ClaimedItem claim, ItemView item) {
        ItemRecord current = item.current();
        return item.version() < claim.version()
                || firing(current).isBefore(firing(claim.claimed()))
                || (isSameRun(claim, current) && current.attempt() <= claim.attempt());
    }

    private static String wentBack() {
        return "the registry shows an earlier state of the item: it was restored from a copy, or the item was removed and"
                + " created again";
    }

    private static String shown(ClaimedItem claim, ItemRecord current) {
        if (!isSameRun(claim, current)) {
            return "this instance's session had ended before, the execution was given up as interrupted, and the item"
                    + " has gone on to %s"
                            .formatted(current.runIdOf(claim.jobName())
                                    .map(run -> "run \"" + run + '"')
                                    .orElse("a later firing"));
        }
        return claim.instance().equals(current.instance())
                ? "this instance's session had ended before, and it has taken over the item again (attempt %d)"
                        .formatted(current.attempt())
                : "another instance has taken over the item (\"%s\", attempt %d)"
                        .formatted(current.instance(), current.attempt());
    }

    private static boolean isSameRun(ClaimedItem claim, ItemRecord current) {
        return current.runIdOf(claim.jobName()).equals(claim.claimed().runIdOf(claim.jobName()));
    }

    private static Instant firing(ItemRecord current) {
        Instant scheduledAt = current.scheduledAt();
        return scheduledAt == null ? Instant.EPOCH : scheduledAt;
    }
}
