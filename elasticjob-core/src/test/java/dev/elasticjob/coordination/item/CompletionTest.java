package dev.elasticjob.coordination.item;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.ownership;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.item.Completion.FailoverSignal;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How an end is written, at first and after a refusal. The claim's lock has the token 77. */
class CompletionTest {
    private static final long TOKEN = 77;
    private static final Instant LATER = NOON.plusSeconds(9);
    private static final JobDefinition PLAIN = definition().build();
    private static final JobDefinition FAILOVER = definition().failover(true).build();
    private static final ExecutionResult SUCCESS = new ExecutionResult.Returned(ItemState.COMPLETED, NOON, LATER, null);
    private static final ExecutionResult CUT_OFF =
            new ExecutionResult.Returned(ItemState.INTERRUPTED, NOON, LATER, "cut off");
    private static final ExecutionResult UNCLAIMED = new ExecutionResult.Unclaimed();

    @Nested
    class AtFirst {
        @Test
        void aCompletionIsWrittenAtTheVersionOfItsClaimAndUnlocks() {
            ClaimedItem claim = claimed(PLAIN);

            Completion completion = Completion.of(claim, SUCCESS, Optional.empty());

            assertThat(completion.next()).isEqualTo(claim.claimed().ended(ItemState.COMPLETED, NOON, LATER, null));
            assertThat(completion.version()).isEqualTo(claim.version());
            assertThat(completion.holdsLock()).isTrue();
            assertThat(completion.signal()).isEqualTo(FailoverSignal.LEAVE);
        }

        @Test
        void aReleaseRingsWithFailoverOnly() {
            assertThat(Completion.of(claimed(FAILOVER), CUT_OFF, Optional.empty())
                            .signal())
                    .isEqualTo(FailoverSignal.RAISE);
            assertThat(Completion.of(claimed(PLAIN), CUT_OFF, Optional.empty()).signal())
                    .isEqualTo(FailoverSignal.LEAVE);
            assertThat(Completion.of(claimed(FAILOVER), SUCCESS, Optional.empty())
                            .signal())
                    .isEqualTo(FailoverSignal.LEAVE);
        }

        @Test
        void aReleaseIsNoCrash() {
            ItemRecord next =
                    Completion.of(claimed(FAILOVER), CUT_OFF, Optional.empty()).next();

            assertThat(next.state()).isEqualTo(ItemState.INTERRUPTED);
            assertThat(next.crashes()).isZero();
        }

        @Test
        void anUnclaimRestoresWhatStoodBefore() {
            ClaimedItem claim = claimed(PLAIN);

            Completion completion = Completion.of(claim, UNCLAIMED, Optional.empty());

            assertThat(completion.next()).isEqualTo(claim.before());
            assertThat(completion.signal()).isEqualTo(FailoverSignal.LEAVE);
        }

        @Test
        void anUnclaimedTakeGetsItsFailoverItemBack() {
            ClaimedItem claim = taken();

            Completion completion = Completion.of(claim, UNCLAIMED, Optional.empty());

            assertThat(completion.next()).isEqualTo(claim.before());
            assertThat(completion.next().state()).isEqualTo(ItemState.INTERRUPTED);
            assertThat(completion.signal()).isEqualTo(FailoverSignal.RAISE);
        }
    }

    @Nested
    class AfterARefusal {
        @Test
        void theSameExecutionIsWrittenAtTheVersionThatWasRead() {
            ClaimedItem claim = claimed(PLAIN);

            Completion again = again(
                            Completion.of(claim, SUCCESS, Optional.empty()), view(9, claim.claimed(), false), TOKEN)
                    .orElseThrow();

            assertThat(again.version()).isEqualTo(9);
            assertThat(again.holdsLock()).isTrue();
            assertThat(again.next())
                    .isEqualTo(Completion.of(claim, SUCCESS, Optional.empty()).next());
        }

        @Test
        void aLockThatIsGoneIsNotDeletedAgain() {
            ClaimedItem claim = claimed(PLAIN);

            Completion again = again(Completion.of(claim, SUCCESS, Optional.empty()), view(9, claim.claimed(), false))
                    .orElseThrow();

            assertThat(again.holdsLock()).isFalse();
        }

        @Test
        void anOrphanThatReturnsLateCountsAndItsFailoverItemGoes() {
            ClaimedItem claim = claimed(FAILOVER);
            ItemRecord orphaned = claim.claimed().orphaned(LATER);

            Completion again = again(Completion.of(claim, SUCCESS, Optional.empty()), view(10, orphaned, true))
                    .orElseThrow();

            assertThat(again.next().state()).isEqualTo(ItemState.COMPLETED);
            assertThat(again.next().crashes()).isEqualTo(1);
            assertThat(again.signal()).isEqualTo(FailoverSignal.REMOVE);
        }

        @Test
        void aReleaseThatFindsItsOrphanRecordedLeavesTheBellRinging() {
            ClaimedItem claim = claimed(FAILOVER);
            ItemRecord orphaned = claim.claimed().orphaned(LATER);

            Completion rung = again(Completion.of(claim, CUT_OFF, Optional.empty()), view(10, orphaned, true))
                    .orElseThrow();
            Completion silent = again(Completion.of(claim, CUT_OFF, Optional.empty()), view(10, orphaned, false))
                    .orElseThrow();

            assertThat(rung.next()).isEqualTo(orphaned);
            assertThat(rung.signal()).isEqualTo(FailoverSignal.LEAVE);
            assertThat(silent.signal()).isEqualTo(FailoverSignal.RAISE);
        }

        @Test
        void anUnclaimThatFindsItsOrphanRecordedRestoresWhatStoodBeforeIt() {
            ClaimedItem claim = claimed(FAILOVER);

            Completion again = again(
                            Completion.of(claim, UNCLAIMED, Optional.empty()),
                            view(10, claim.claimed().orphaned(LATER), true))
                    .orElseThrow();

            assertThat(again.next()).isEqualTo(claim.before());
            assertThat(again.signal()).isEqualTo(FailoverSignal.REMOVE);
        }

        @Test
        void anUnclaimedTakeKeepsTheBellThatIsThere() {
            ClaimedItem claim = taken();

            Completion again = again(
                            Completion.of(claim, UNCLAIMED, Optional.empty()), view(10, claim.claimed(), true), TOKEN)
                    .orElseThrow();

            assertThat(again.signal()).isEqualTo(FailoverSignal.LEAVE);
        }

        @Test
        void whatIsWrittenAlreadyIsNotWrittenTwice() {
            ClaimedItem claim = claimed(PLAIN);
            Completion first = Completion.of(claim, SUCCESS, Optional.empty());

            assertThat(again(first, view(9, first.next(), false))).isEmpty();
        }

        @Test
        void anExecutionThatSomebodyHasTakenOverIsSuperseded() {
            ClaimedItem claim = claimed(FAILOVER);
            ItemRecord taken = claim.claimed().orphaned(LATER).taken(Samples.THEM, LATER);

            assertThat(again(Completion.of(claim, SUCCESS, Optional.empty()), view(11, taken, false), 99))
                    .isEmpty();
        }

        @Test
        void aLockOfSomebodyElseIsRespectedWhateverTheRecordSays() {
            ClaimedItem claim = claimed(PLAIN);

            assertThat(again(Completion.of(claim, SUCCESS, Optional.empty()), view(9, claim.claimed(), false), 99))
                    .isEmpty();
        }

        @Test
        void whateverTheEndOfACancelledExecutionIsItHasFailed() {
            ClaimedItem claim = claimed(FAILOVER);
            ItemRecord cancelled = claim.claimed().cancelling(new Cancellation("alice", "wrong data"));

            for (ExecutionResult ending : List.of(SUCCESS, CUT_OFF, UNCLAIMED)) {
                Completion again = again(
                                Completion.of(claim, ending, Optional.empty()), view(5, cancelled, false), TOKEN)
                        .orElseThrow();

                assertThat(again.next().state()).isEqualTo(ItemState.FAILED);
                assertThat(again.next().failure()).isEqualTo("cancelled by alice: wrong data");
                assertThat(again.next().scheduledAt()).isEqualTo(NOON);
                assertThat(again.signal()).isEqualTo(FailoverSignal.LEAVE);
                assertThat(again.holdsLock()).isTrue();
                assertThat(again.isCancelled()).isTrue();
            }
        }

        @Test
        void anUnclaimThatRestoresWhatWasCancelledEarlierIsNoCancellation() {
            ItemRecord earlier = Samples.running(NOON.minusSeconds(60)).cancelling(new Cancellation("alice", ""));
            ItemView view = Samples.item(0, earlier.ended(ItemState.COMPLETED, NOON, NOON, null));
            var start = new ItemChange.Claim(view, view.current().claimed(NOON, US, NOON), ExecutionTrigger.SCHEDULE);
            ClaimedItem claim = ClaimedItem.of(start, ownership(PLAIN), TOKEN);

            Completion unclaim = Completion.of(claim, UNCLAIMED, Optional.empty());

            assertThat(unclaim.next()).isEqualTo(view.current());
            assertThat(unclaim.isCancelled()).isFalse();
        }

        @Test
        void anUnreadableRecordIsLeftToWhoeverMendsIt() {
            ItemView corrupt = Samples.unreadable(0);

            assertThat(Completion.again(
                            Completion.of(claimed(PLAIN), SUCCESS, Optional.empty()), corrupt, Optional.of(TOKEN)))
                    .isEmpty();
        }
    }

    private static ClaimedItem claimed(JobDefinition definition) {
        ItemView view = Samples.item(0, Samples.completed(NOON.minusSeconds(60), Duration.ofSeconds(1)));
        var start = new ItemChange.Claim(view, view.current().claimed(NOON, US, NOON), ExecutionTrigger.SCHEDULE);
        return ClaimedItem.of(start, ownership(definition), TOKEN);
    }

    private static ClaimedItem taken() {
        ItemView view = Samples.waiting(0, Samples.orphaned(NOON));
        return ClaimedItem.of(new ItemChange.Take(view, view.current().taken(US, NOON)), ownership(FAILOVER), TOKEN);
    }

    private static ItemView view(int version, ItemRecord current, boolean waits) {
        return new ItemView(
                0,
                version,
                NOON,
                current,
                JobTree.itemChildren(List.of()),
                waits,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Optional<Completion> again(Completion first, ItemView read) {
        return Completion.again(first, read, Optional.empty());
    }

    private static Optional<Completion> again(Completion first, ItemView read, long lock) {
        return Completion.again(first, read, Optional.of(lock));
    }
}
