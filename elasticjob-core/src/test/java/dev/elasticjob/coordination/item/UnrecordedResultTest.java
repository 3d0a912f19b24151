package dev.elasticjob.coordination.item;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.ownership;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Why a result is not recorded. Each cause has its own words, and "another instance" is named only if there is one. */
class UnrecordedResultTest {
    private static final Instant LATER = NOON.plusSeconds(9);
    private static final ExecutionResult SUCCESS = new ExecutionResult.Returned(ItemState.COMPLETED, NOON, LATER, null);
    private static final ItemRecord BEFORE = Samples.completed(NOON.minusSeconds(60), Duration.ofSeconds(1));

    private final ClaimedItem claim = claimed();
    private final ItemRecord orphaned = claim.claimed().orphaned(LATER);

    @Test
    void anotherInstanceHasTakenOverTheItem() {
        assertThat(cause(view(4, orphaned.taken(THEM, LATER))))
                .contains("another instance has taken over the item (\"" + THEM + "\", attempt 2)");
    }

    @Test
    void thisInstanceHasTakenItOverItself() {
        assertThat(cause(view(4, orphaned.taken(US, LATER))))
                .contains("this instance's session had ended before, and it has taken over the item again (attempt 2)");
    }

    @Test
    void theExecutionWasGivenUpAfterTheSession() {
        assertThat(cause(view(4, orphaned.abandoned("failover is off"))))
                .contains("this instance's session had ended before, and the execution was given up as interrupted");
    }

    @Test
    void theItemHasGoneOnToALaterFiring() {
        ItemRecord next = orphaned.abandoned("failover is off").claimed(NOON.plusSeconds(60), THEM, LATER);

        assertThat(cause(view(5, next)))
                .hasValueSatisfying(cause -> assertThat(cause)
                        .startsWith("this instance's session had ended before, the execution was given up")
                        .endsWith("the item has gone on to run \"orders@2026-03-01T12:01:00Z\""));
    }

    @Test
    void itsNodeIsGone() {
        assertThat(UnrecordedResult.of(completion(SUCCESS), Optional.empty()).map(UnrecordedResult::cause))
                .hasValueSatisfying(cause -> assertThat(cause).startsWith("the item's node is gone"));
    }

    @Test
    void itsRecordCannotBeRead() {
        assertThat(cause(Samples.unreadable(0)))
                .hasValueSatisfying(cause -> assertThat(cause).startsWith("the item's record can't be read"));
    }

    @Test
    void theRegistryHasGoneBack() {
        for (ItemView earlier : List.of(
                view(0, BEFORE),
                view(7, BEFORE),
                view(7, ItemRecord.NEW),
                view(2, BEFORE.claimed(NOON, THEM, LATER)),
                view(7, BEFORE.claimed(NOON, THEM, LATER)))) {
            assertThat(cause(earlier))
                    .as("%s", earlier)
                    .hasValueSatisfying(
                            cause -> assertThat(cause).startsWith("the registry shows an earlier state of the item"));
        }
    }

    @Test
    void nothingIsLostIfTheEndIsRecordedOrWasCancelledOrHasNotBegun() {
        ItemRecord written = claim.claimed().ended(ItemState.COMPLETED, NOON, LATER, null);
        ItemRecord cancelled = orphaned.cancelledBy(new Cancellation("alice", ""));

        assertThat(cause(view(4, written))).isEmpty();
        assertThat(cause(view(4, cancelled))).isEmpty();
        assertThat(UnrecordedResult.of(completion(new ExecutionResult.Unclaimed()), Optional.empty()))
                .isEmpty();
    }

    private Optional<String> cause(ItemView read) {
        return UnrecordedResult.of(completion(SUCCESS), Optional.of(read)).map(UnrecordedResult::cause);
    }

    private Completion completion(ExecutionResult ending) {
        return Completion.of(claim, ending, Optional.empty());
    }

    private static ClaimedItem claimed() {
        ItemView view = view(2, BEFORE);
        var start = new ItemChange.Claim(view, view.current().claimed(NOON, US, NOON), ExecutionTrigger.SCHEDULE);
        return ClaimedItem.of(start, ownership(definition().build()), 77);
    }

    private static ItemView view(int version, ItemRecord current) {
        return new ItemView(
                0,
                version,
                NOON,
                current,
                JobTree.itemChildren(List.of()),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
