package dev.elasticjob.coordination.state;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.job.RunEnd;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ItemRecordTest {
    private static final Instant NEXT = NOON.plusSeconds(60);

    /** An instance whose answer was lost recognizes its claim by comparing what it finds with what it wrote. */
    @Test
    void aClaimThatWasWrittenAndReadIsTheSame() {
        ItemRecord healthy = Samples.completed(NOON, Duration.ofSeconds(1));

        for (ItemRecord before : List.of(healthy, fail(healthy, 60), fail(fail(healthy, 60), 120))) {
            ItemRecord claimed = before.claimed(NOON.plusSeconds(180), US, NOON.plusSeconds(180));

            assertThat(ItemRecordCodec.read("/orders/sharding/0", ItemRecordCodec.write(claimed)))
                    .isEqualTo(claimed);
        }
    }

    @Test
    void failuresInARowAreCountedFromTheFirstOneToTheNextSuccess() {
        ItemRecord completed = Samples.completed(NOON, Duration.ofSeconds(1));
        ItemRecord first = fail(completed, 60);
        ItemRecord running = fail(first, 120).claimed(NOON.plusSeconds(180), US, NOON.plusSeconds(180));
        ItemRecord interrupted = running.orphaned(NOON.plusSeconds(185));
        ItemRecord third = interrupted
                .taken(THEM, NOON.plusSeconds(190))
                .ended(ItemState.FAILED, NOON.plusSeconds(190), NOON.plusSeconds(191), "third");

        assertThat(completed.failures().isEmpty()).isTrue();
        assertThat(first.failures()).isEqualTo(new FailureStreak(1, NOON.plusSeconds(61), NOON.plusSeconds(1), ""));
        assertThat(running.failures())
                .isEqualTo(new FailureStreak(2, NOON.plusSeconds(61), NOON.plusSeconds(1), "broken at 120"));
        assertThat(interrupted.failures().times()).isEqualTo(2);
        assertThat(third.failures()).isEqualTo(new FailureStreak(3, NOON.plusSeconds(61), NOON.plusSeconds(1), ""));
        assertThat(third.claimed(NEXT, US, NEXT)
                        .ended(ItemState.COMPLETED, NEXT, NEXT, null)
                        .failures()
                        .isEmpty())
                .isTrue();
    }

    private static ItemRecord fail(ItemRecord before, long second) {
        Instant at = NOON.plusSeconds(second);
        return before.claimed(at, US, at)
                .ended(ItemState.FAILED, at, at.plusSeconds(1), "broken at " + second + "\n\tat X");
    }

    @Test
    void anExecutionThatWasCancelledIsNeitherAFailureNorASuccess() {
        Cancellation cancellation = Cancellation.of("alice", "");
        ItemRecord failed = fail(Samples.completed(NOON, Duration.ofSeconds(1)), 60);

        ItemRecord cancelled =
                failed.claimed(NEXT, US, NEXT).cancelling(cancellation).ended(ItemState.COMPLETED, NEXT, NEXT, null);

        assertThat(cancelled.failures().times()).isEqualTo(1);
        assertThat(Samples.running(NOON).cancelledBy(cancellation).failures().isEmpty())
                .isTrue();
    }

    /** As an instance of an earlier version leaves it. */
    @Test
    void aFailureThatDoesNotCountIsTheFirst() {
        var text = "{\"scheduledAt\":\"2026-03-01T12:00:00Z\",\"state\":\"FAILED\",\"attempt\":1,"
                + "\"finishedAt\":\"2026-03-01T12:00:05Z\",\"failure\":\"it broke\"}";

        ItemRecord failed = ItemRecordCodec.read("/orders/sharding/0", text.getBytes(StandardCharsets.UTF_8));
        ItemRecord again = failed.claimed(NEXT, US, NEXT).ended(ItemState.FAILED, NEXT, NEXT, "it broke");

        assertThat(failed.failures()).isEqualTo(new FailureStreak(1, NOON.plusSeconds(5), null, ""));
        assertThat(again.failures()).isEqualTo(new FailureStreak(2, NOON.plusSeconds(5), null, ""));
    }

    @Test
    void aClaimBeginsCountingAnew() {
        ItemRecord lost = Samples.orphaned(NOON);

        ItemRecord claimed = lost.claimed(NEXT, US, NEXT.plusMillis(3));

        assertThat(claimed)
                .isEqualTo(new ItemRecord(
                        NEXT, ItemState.RUNNING, US, null, 1, 0, NEXT.plusMillis(3), null, null, Map.of()));
    }

    @Test
    void aTakeKeepsTheFiringAndCountsTheAttempt() {
        ItemRecord lost = Samples.orphaned(NOON);

        ItemRecord taken = lost.taken(US, NEXT);

        assertThat(taken)
                .isEqualTo(new ItemRecord(NOON, ItemState.RUNNING, US, null, 2, 1, NEXT, null, null, Map.of()));
    }

    @Test
    void anOrphanCountsTheCrashAndCarriesTheRegistrysTime() {
        ItemRecord orphaned = Samples.running(NOON).orphaned(NEXT);

        assertThat(orphaned)
                .isEqualTo(new ItemRecord(NOON, ItemState.INTERRUPTED, THEM, null, 1, 1, NOON, NEXT, null, Map.of()));
    }

    @Test
    void everyEndOfACancelledExecutionIsAFailureAndTheNextClaimForgetsTheWish() {
        ItemRecord cancelled = Samples.running(NOON).cancelling(new Cancellation("alice", ""));

        assertThat(cancelled.state()).isEqualTo(ItemState.RUNNING);
        assertThat(cancelled.orphaned(NEXT).state()).isEqualTo(ItemState.FAILED);
        assertThat(cancelled.ended(ItemState.COMPLETED, NOON, NEXT, null).failure())
                .isEqualTo("cancelled by alice");
        assertThat(cancelled.orphaned(NEXT).claimed(NEXT, US, NEXT).cancelled()).isNull();
    }

    @Test
    void aFailedExecutionIsRepeatedWithTheNextAttemptAsLongAsTheRecordShowsIt() {
        ItemRecord failed = Samples.running(NOON).ended(ItemState.FAILED, NOON, NOON, "broken");
        ManualRun again = ManualRun.of("again").repeating(failed.repeated());

        ItemRecord repeated = failed.claimedFor(again, US, NEXT);
        ItemRecord failedAgain = repeated.ended(ItemState.FAILED, NEXT, NEXT, "broken");

        assertThat(failed.letsRepeat(failed.repeated())).isTrue();
        assertThat(repeated.attempt()).isEqualTo(2);
        assertThat(repeated.scheduledAt()).isEqualTo(NOON);
        assertThat(failedAgain.letsRepeat(failed.repeated())).isFalse();
        assertThat(ManualRun.of("more").repeating(failedAgain.repeated()).repeatedRunIdOf("orders"))
                .contains("orders@" + NOON);
        assertThat(failedAgain.repeated().attempt()).isEqualTo(3);
    }

    @Test
    void anItemThatHasSkippedAFiringHasNotFailedForIt() {
        ItemRecord failed = Samples.running(NOON).ended(ItemState.FAILED, NOON, NOON, "broken");

        ItemRecord skipped = failed.skipped(NEXT, List.of());

        assertThat(skipped.scheduledAt()).isEqualTo(NEXT);
        assertThat(skipped.letsRepeat(skipped.repeated())).isFalse();
    }

    @Test
    void aRunIdIsTheFiringsOnEveryInstanceAndInEveryAttempt() {
        ItemRecord running = Samples.running(NOON);

        assertThat(running.runIdOf("orders")).contains("orders@" + NOON);
        assertThat(running.orphaned(NEXT).taken(US, NEXT).runIdOf("orders")).contains("orders@" + NOON);
        assertThat(Samples.completed(NOON, Duration.ofSeconds(1)).runIdOf("orders"))
                .contains("orders@" + NOON);
    }

    @Test
    void aManualRunHasTheIdsOfItsRequests() {
        ManualRun run = ManualRun.of("r1").foldedWith(ManualRun.of("r2"));

        ItemRecord claimed = Samples.completed(NOON, Duration.ofSeconds(1)).claimedFor(run, US, NEXT);
        ItemRecord firing = claimed.ended(ItemState.COMPLETED, NEXT, NEXT, null).claimed(NEXT, US, NEXT);

        assertThat(claimed.runIdOf("orders")).contains("r1,r2");
        assertThat(firing.runIdOf("orders")).contains("orders@" + NEXT);
    }

    @Test
    void whatHasNotBegunAnythingHasNoRunId() {
        assertThat(ItemRecord.NEW.runIdOf("orders")).isEmpty();
        assertThat(ItemRecord.startingAt(NOON).runIdOf("orders")).isEmpty();
    }

    @Test
    void aDropKeepsWhatIsKnownAndSaysWhy() {
        ItemRecord abandoned = Samples.orphaned(NOON).abandoned("given up");

        assertThat(abandoned.state()).isEqualTo(ItemState.FAILED);
        assertThat(abandoned.scheduledAt()).isEqualTo(NOON);
        assertThat(abandoned.failure()).isEqualTo("given up");
        assertThat(abandoned.crashes()).isEqualTo(1);
    }

    @Test
    void aRunThatIsGoneOverIsRememberedUntilTwoLaterOnesWere() {
        ItemRecord current = ItemRecord.NEW;
        for (String run : List.of("r1", "r2", "r3")) {
            current = current.claimedFor(ManualRun.of(run), US, NOON)
                    .ended(run.equals("r2") ? ItemState.FAILED : ItemState.COMPLETED, NOON, NEXT, null);
        }
        ItemRecord fired = current.claimed(NEXT, US, NEXT);

        assertThat(fired.endOf("r1", true)).isEmpty();
        assertThat(fired.endOf("r2", true)).contains(RunEnd.FAILED);
        assertThat(fired.endOf("r3", true)).contains(RunEnd.COMPLETED);
        assertThat(fired.run()).isNull();
    }

    @Test
    void whatIsInterruptedHasEndedOnlyWhereNobodyRepeatsIt() {
        ItemRecord interrupted =
                ItemRecord.NEW.claimedFor(ManualRun.of("r1"), US, NOON).orphaned(NEXT);

        assertThat(interrupted.endOf("r1", false)).contains(RunEnd.INTERRUPTED);
        assertThat(interrupted.endOf("r1", true)).isEmpty();
    }

    @Test
    void anAttemptThatFollowsHasTheParameterOfTheFirst() {
        ItemRecord first = ItemRecord.NEW.claimedFor(ManualRun.of("r1", "October"), US, NOON);

        ItemRecord second = first.orphaned(NEXT).taken(THEM, NEXT);

        assertThat(second.run()).isEqualTo(ManualRun.of("r1", "October"));
        assertThat(second.attempt()).isEqualTo(2);
    }

    @Test
    void aSkipMovesTheFiringAndCountsNoAttemptForIt() {
        ItemRecord before = Samples.completed(NOON, Duration.ofSeconds(1));

        ItemRecord skipped = before.skipped(NEXT, List.of());

        assertThat(skipped.scheduledAt()).isEqualTo(NEXT);
        assertThat(skipped.attempt()).isZero();
        assertThat(skipped.skipped(NEXT, List.of())).isEqualTo(skipped);
        assertThat(before.skipped(NOON, List.of())).isEqualTo(before);
    }

    @Test
    void anExecutionIsTheSameWhateverBecameOfIt() {
        ItemRecord running = Samples.running(NOON);

        assertThat(running.orphaned(NEXT).isSameExecution(running)).isTrue();
        assertThat(running.orphaned(NEXT).taken(THEM, NOON).isSameExecution(running))
                .isFalse();
        assertThat(ItemRecord.NEW.claimed(NOON, US, NOON).isSameExecution(running))
                .isFalse();
        assertThat(ItemRecord.NEW.claimed(NEXT, THEM, NOON).isSameExecution(running))
                .isFalse();
        assertThat(ItemRecord.NEW.claimed(NOON, THEM, NEXT).isSameExecution(running))
                .isFalse();
    }

    // ------------------------------------------------------------------ how long it takes

    @Test
    void anItemIsMeasuredIfTheJobAsksForIt() {
        ItemRecord first = Samples.running(NOON).measured(true);
        ItemRecord ended = first.ended(ItemState.COMPLETED, NOON, NOON.plusSeconds(4), null);
        ItemRecord failed = ended.claimed(NOON.plusSeconds(60), US, NOON)
                .measured(true)
                .ended(ItemState.FAILED, NOON, NOON.plusSeconds(8), "provoked");

        assertThat(Samples.running(NOON)
                        .ended(ItemState.COMPLETED, NOON, NOON, null)
                        .took())
                .isNull();
        assertThat(first.took()).isEqualTo(Duration.ZERO);
        assertThat(ended.took()).isEqualTo(Duration.ofSeconds(4));
        assertThat(failed.took()).as("a quarter for the latest").isEqualTo(Duration.ofSeconds(5));
        assertThat(failed.measured(false).took()).isNull();
    }

    @Test
    void whatHasNotRunToItsEndDoesNotCount() {
        ItemRecord known =
                Samples.running(NOON).measured(true).ended(ItemState.COMPLETED, NOON, NOON.plusSeconds(4), null);
        ItemRecord again = known.claimed(NOON.plusSeconds(60), US, NOON).measured(true);
        Instant later = NOON.plusSeconds(3_000);

        assertThat(List.of(
                        again.ended(ItemState.INTERRUPTED, NOON, later, null),
                        again.orphaned(later),
                        again.orphaned(later).abandoned("provoked"),
                        again.endedUnbegun(later),
                        again.refused(later, "provoked"),
                        again.ended(ItemState.COMPLETED, later, NOON, null)))
                .allSatisfy(record -> assertThat(record.took()).isEqualTo(Duration.ofSeconds(4)));
        assertThat(again.ended(ItemState.COMPLETED, NOON, later, null).took())
                .as("one that has hung counts four times what the others took")
                .isEqualTo(Duration.ofSeconds(7));
    }
}
