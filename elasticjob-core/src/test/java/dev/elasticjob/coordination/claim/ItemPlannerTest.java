package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.completed;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.orphaned;
import static dev.elasticjob.coordination.Samples.ownership;
import static dev.elasticjob.coordination.Samples.recorded;
import static dev.elasticjob.coordination.Samples.running;
import static dev.elasticjob.coordination.Samples.unreadable;
import static dev.elasticjob.coordination.Samples.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.item.ItemChange.Abandon;
import dev.elasticjob.coordination.item.ItemChange.Claim;
import dev.elasticjob.coordination.item.ItemChange.Skip;
import dev.elasticjob.coordination.item.ItemChange.Take;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The job fires each minute; it is a moment after noon. */
class ItemPlannerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Instant NOW = NOON.plusMillis(20);
    private static final Instant BEFORE = NOON.minus(MINUTE);

    @Nested
    class Due {
        @Test
        void anItemThatHasSeenTheFiringBeforeIsClaimedForThisOne() {
            ItemView seen = item(0, completed(BEFORE, SECOND));

            Plan plan = plan(definition().build(), seen);

            assertThat(plan.changes())
                    .containsExactly(new Claim(seen, seen.current().claimed(NOON, US, NOW), ExecutionTrigger.SCHEDULE));
            assertThat(plan.gaps()).isEmpty();
        }

        @Test
        void anItemThatHasSeenTheLatestFiringIsLeftAlone() {
            assertNothing(plan(definition().build(), item(0, completed(NOON, Duration.ofMillis(3)))));
        }

        @Test
        void aFiringIsDueToTheMoment() {
            Ownership own = ownership(definition().build());
            List<ItemView> items = List.of(item(0, completed(BEFORE, SECOND)));

            assertNothing(planned(own, items, new ItemPlanner.Moment(NOON.minusNanos(1), NOON, Integer.MAX_VALUE)));
            assertThat(planned(own, items, new ItemPlanner.Moment(NOON, NOON, Integer.MAX_VALUE))
                            .changes())
                    .hasSize(1);
        }

        @Test
        void theFirstFiringOfAnItemIsThatAfterSince() {
            Ownership young = ownership(definition().build(), NOON.minusSeconds(30));

            Plan plan = plan(young, item(0, ItemRecord.NEW), item(1, ItemRecord.startingAt(BEFORE)));

            assertThat(plan.changes())
                    .hasSize(2)
                    .allSatisfy(change -> assertThat(change).isInstanceOf(Claim.class));
            assertThat(plan.gaps()).isEmpty();
        }

        @Test
        void firingsUpToSinceAreNobodysBusiness() {
            assertNothing(plan(ownership(definition().build(), NOON), item(0, ItemRecord.NEW)));
        }

        @Test
        void aNewItemStartsBehindItsFirstRecord() {
            assertNothing(plan(definition().build(), item(0, ItemRecord.startingAt(NOON))));
        }

        @Test
        void aFailedItemIsClaimedForTheNextFiring() {
            ItemRecord failed = running(BEFORE).ended(ItemState.FAILED, BEFORE, BEFORE.plusSeconds(1), "x");

            Plan plan = plan(definition().build(), item(0, failed));

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
        }
    }

    @Nested
    class NotNow {
        @Test
        void aDisabledItemSkipsTheFiringInItsState() {
            ItemView disabled = item(0, completed(BEFORE, SECOND), "disabled");

            Plan plan = plan(definition().build(), disabled);

            assertThat(plan.changes()).containsExactly(new Skip(disabled, NOON));
            assertThat(plan.changes().get(0).next())
                    .isEqualTo(disabled.current().skipped(NOON, List.of()));
            assertThat(plan.gaps()).isEmpty();
        }

        @Test
        void aDisabledItemThatIsNotDueIsLeftAlone() {
            assertNothing(plan(definition().build(), item(0, completed(NOON, Duration.ZERO), "disabled")));
        }

        /** Else its record would show an interrupted execution of a firing that it never began. */
        @Test
        void aDisabledItemThatWasInterruptedIsGivenUpBeforeItSkips() {
            ItemView interrupted = item(0, orphaned(BEFORE), "disabled");

            Plan plan = plan(definition().failover(false).build(), interrupted);

            assertThat(plan.changes()).singleElement().satisfies(change -> {
                assertThat(change).isInstanceOf(ItemChange.Abandon.class);
                assertThat(change.next().state()).isEqualTo(ItemState.FAILED);
                assertThat(change.next().scheduledAt()).isEqualTo(BEFORE);
            });
            assertThat(plan.gaps()).containsExactly(new FiringsLost("orders", 0, BEFORE, BEFORE, 1));
        }

        @Test
        void aRunningItemIsWaitedForEvenWhenItIsDisabled() {
            Plan plan = plan(
                    definition().build(),
                    item(0, running(BEFORE), "running"),
                    item(1, running(BEFORE), "running", "disabled"));

            assertThat(plan.changes()).isEmpty();
            assertThat(plan.locked()).containsExactly(0, 1);
        }

        @Test
        void anItemWhoseLockOutlivesItsRecordIsWaitedFor() {
            Plan plan = plan(definition().build(), item(0, completed(BEFORE, SECOND), "running"));

            assertThat(plan.changes()).isEmpty();
            assertThat(plan.locked()).containsExactly(0);
        }

        @Test
        void anItemWhoseRecordCantBeUsedIsLeftAlone() {
            assertNothing(plan(definition().failover(true).build(), unreadable(0)));
        }

        @Test
        void aClockThatIsAheadOfTheRegistrysByMoreThanAMinuteClaimsNothing() {
            Ownership own = ownership(definition().build());
            List<ItemView> items = List.of(item(0, completed(BEFORE, SECOND)));

            Plan ahead = planned(
                    own, items, new ItemPlanner.Moment(NOW, NOON.minus(MINUTE).minusMillis(1), Integer.MAX_VALUE));
            Plan tolerable = planned(own, items, new ItemPlanner.Moment(NOW, NOON.minus(MINUTE), Integer.MAX_VALUE));

            assertThat(ahead.changes()).isEmpty();
            assertThat(ahead.clockDiffers()).isTrue();
            assertThat(tolerable.changes()).hasSize(1);
        }
    }

    @Nested
    class Interrupted {
        @Test
        void anOrphanIsRecordedFirstWithTheRegistrysTime() {
            ItemView orphan = item(0, running(BEFORE));

            Plan plan = plan(definition().failover(true).build(), orphan);

            assertThat(plan.orphans()).containsExactly(new ItemChange.Orphan(orphan, NOW, true));
            assertThat(plan.changes()).isEmpty();
            assertThat(plan(definition().build(), orphan).orphans().get(0).failover())
                    .isFalse();
        }

        @Test
        void withoutFailoverTheItemIsClaimableAndTheLossIsCounted() {
            Plan plan = plan(definition().build(), item(0, orphaned(BEFORE)));

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
            assertThat(plan.gaps()).containsExactly(new FiringsLost("orders", 0, BEFORE, NOON, 1));
        }

        @Test
        void withoutFailoverNothingHappensBeforeTheNextFiring() {
            assertNothing(plan(definition().build(), item(0, orphaned(NOON))));
        }

        @Test
        void withFailoverTheOldFiringIsTakenBeforeANewOneIsClaimed() {
            ItemView lost = waiting(0, orphaned(BEFORE));

            Plan plan = plan(definition().failover(true).build(), lost);

            assertThat(plan.changes())
                    .containsExactly(new Take(lost, lost.current().taken(US, NOW)));
            assertThat(plan.changes().get(0).next().scheduledAt()).isEqualTo(BEFORE);
            assertThat(plan.changes().get(0).next().attempt()).isEqualTo(2);
            assertThat(plan.gaps()).isEmpty();
        }

        @Test
        void aTakeNeedsNoFailoverItem() {
            Plan plan = plan(definition().failover(true).build(), item(0, orphaned(BEFORE)));

            assertThat(plan.changes()).singleElement().isInstanceOf(Take.class);
        }

        @Test
        void aDisabledItemIsNotTakenNorDoesItSkip() {
            Plan plan = plan(definition().failover(true).build(), waiting(0, orphaned(BEFORE), "disabled"));

            assertThat(plan.changes()).isEmpty();
            assertThat(plan.gaps()).isEmpty();
            assertThat(plan.disabled()).as("looked at again when it is enabled").containsExactly(0);
        }

        @Test
        void afterTheLastCrashTheFiringIsGivenUpAndTheLossIsTold() {
            ItemView crashed = waiting(0, orphaned(BEFORE));

            Plan plan = plan(definition().failover(true).maxFailovers(1).build(), crashed);

            assertThat(plan.changes()).containsExactly(Abandon.by(US, crashed, "abandoned after 1 crashes"));
            assertThat(plan.gaps()).containsExactly(new FiringsLost("orders", 0, BEFORE, BEFORE, 1));
        }

        @Test
        void whatHasCrashedTwiceRestsAWhileByTheClockOfTheRegistry() {
            ItemRecord again = orphaned(BEFORE).taken(US, BEFORE.plusSeconds(6)).orphaned(NOON);
            ItemRecord aheadByALittle = again.taken(US, NOON)
                    .ended(ItemState.INTERRUPTED, NOON.plusSeconds(25), NOON.plusSeconds(25), "cut off");
            JobDefinition failover = definition().failover(true).build();

            for (ItemRecord crashed : List.of(again, aheadByALittle)) {
                Plan lately = plan(failover, recorded(NOW.minusSeconds(4), item(0, crashed)));
                Plan enough = plan(failover, recorded(NOW.minusSeconds(5), item(0, crashed)));

                assertThat(lately.changes()).isEmpty();
                assertThat(lately.later()).containsExactly(Map.entry(0, SECOND));
                assertThat(enough.changes()).singleElement().isInstanceOf(Take.class);
                assertThat(enough.later()).isEmpty();
            }
        }

        @Test
        void nobodyWaitsForAClockThatWasAYearAhead() {
            ItemRecord again = orphaned(BEFORE).taken(US, BEFORE.plusSeconds(6)).orphaned(NOON);

            Plan plan =
                    plan(definition().failover(true).build(), recorded(NOW.plus(Duration.ofDays(365)), item(0, again)));

            assertThat(plan.changes()).singleElement().isInstanceOf(Take.class);
            assertThat(plan.later()).isEmpty();
        }

        @Test
        void aGracefulReleaseIsNoCrash() {
            ItemRecord released = running(BEFORE).ended(ItemState.INTERRUPTED, BEFORE, NOON, "cut off");

            Plan plan = plan(definition().failover(true).maxFailovers(1).build(), item(0, released));

            assertThat(plan.changes()).singleElement().isInstanceOf(Take.class);
        }
    }

    @Nested
    class Late {
        private static final Duration THREE_FIRINGS = Duration.ofMinutes(4);

        @Test
        void missedFiringsAreFoldedIntoTheLatestAndCounted() {
            ItemView late = item(0, completed(NOON.minus(THREE_FIRINGS), SECOND));

            Plan plan = plan(definition().misfire(true).build(), late);

            assertThat(plan.changes())
                    .containsExactly(new Claim(late, late.current().claimed(NOON, US, NOW), ExecutionTrigger.MISFIRE));
            assertThat(plan.gaps()).containsExactly(new FiringsFolded("orders", 0, NOON.minusSeconds(180), NOON, 3));
        }

        @Test
        void aFiringThatStartsAfterTheThresholdIsAMisfire() {
            Ownership own = ownership(daily().misfire(true).build(), NOON.minus(Duration.ofDays(3)));
            ItemView yesterday = item(0, completed(NOON.minus(Duration.ofDays(1)), SECOND));
            Instant justInTime = NOON.plus(MINUTE);
            Instant late = justInTime.plusMillis(1);

            assertThat(triggers(own, justInTime, yesterday)).containsExactly(ExecutionTrigger.SCHEDULE);
            assertThat(triggers(own, late, yesterday)).containsExactly(ExecutionTrigger.MISFIRE);
        }

        @Test
        void aFiringThatMetItsOwnItemRunningIsAMisfire() {
            ItemView marked = item(0, completed(BEFORE, SECOND), "misfire");

            List<ExecutionTrigger> triggers = triggers(ownership(definition().build()), NOW, marked);

            assertThat(triggers).containsExactly(ExecutionTrigger.MISFIRE);
        }

        private static List<ExecutionTrigger> triggers(Ownership own, Instant now, ItemView item) {
            return planned(own, List.of(item), new ItemPlanner.Moment(now, now, Integer.MAX_VALUE)).changes().stream()
                    .map(ItemChange.Start.class::cast)
                    .map(ItemChange.Start::trigger)
                    .toList();
        }

        @Test
        void firingsBeforeSinceAreNotCounted() {
            Ownership own = ownership(definition().build(), NOON.minusSeconds(90));

            Plan plan = plan(own, item(0, completed(NOON.minus(THREE_FIRINGS), SECOND)));

            assertThat(plan.gaps()).containsExactly(new FiringsFolded("orders", 0, NOON.minusSeconds(60), NOON, 1));
        }

        @Test
        void withoutMisfireALateFiringIsNobodys() {
            Ownership own = ownership(daily().misfire(false).build(), NOON.minus(Duration.ofDays(3)));
            ItemView yesterday = item(0, completed(NOON.minus(Duration.ofDays(1)), SECOND));

            Plan justInTime = planned(
                    own,
                    List.of(yesterday),
                    new ItemPlanner.Moment(NOON.plus(MINUTE), NOON.plus(MINUTE), Integer.MAX_VALUE));
            Plan late = planned(
                    own,
                    List.of(yesterday),
                    new ItemPlanner.Moment(NOON.plus(MINUTE).plusMillis(1), NOON.plus(MINUTE), Integer.MAX_VALUE));

            assertThat(justInTime.changes()).hasSize(1);
            assertNothing(late);
        }

        @Test
        void withMisfireALateFiringRuns() {
            Ownership own = ownership(daily().misfire(true).build(), NOON.minus(Duration.ofDays(3)));
            Instant evening = NOON.plus(Duration.ofHours(8));

            Plan plan = planned(
                    own,
                    List.of(item(0, completed(NOON.minus(Duration.ofDays(1)), SECOND))),
                    new ItemPlanner.Moment(evening, evening, Integer.MAX_VALUE));

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
            assertThat(plan.gaps()).isEmpty();
        }

        @Test
        void withoutMisfireTheNextClaimSaysWhatWasLostOnce() {
            ItemView late = item(0, completed(NOON.minus(THREE_FIRINGS), SECOND));

            Plan plan = plan(definition().misfire(false).build(), late);

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
            assertThat(plan.gaps()).containsExactly(new FiringsLost("orders", 0, NOON.minusSeconds(180), NOON, 3));
        }

        @Test
        void nothingCountsAsLateBeforeASessionCouldHaveTimedOut() {
            Ownership own = ownership(
                    daily().misfire(false)
                            .misfireThreshold(Duration.ofSeconds(1))
                            .build(),
                    NOON.minus(Duration.ofDays(3)));

            assertThat(own.misfireThreshold()).isEqualTo(Samples.SESSION.timeout());
        }

        @Test
        void aFiringThatMetItsOwnRunIsKeptWithMisfire() {
            ItemView overrun = item(0, completed(BEFORE, MINUTE.plusMillis(1)));

            Plan plan = plan(definition().misfire(true).build(), overrun);

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
        }

        @Test
        void aFiringThatMetItsOwnRunIsLostWithoutMisfire() {
            JobDefinition noMisfire = definition().misfire(false).build();

            assertNothing(plan(noMisfire, item(0, completed(BEFORE, MINUTE.plusMillis(1)))));
            assertNothing(plan(noMisfire, item(0, completed(BEFORE, MINUTE))));
            assertThat(plan(noMisfire, item(0, completed(BEFORE, MINUTE.minusMillis(1))))
                            .changes())
                    .hasSize(1);
        }

        @Test
        void theLossOfAnInterruptedFiringIsToldBesideTheFolding() {
            Plan plan = plan(definition().misfire(true).build(), item(0, orphaned(NOON.minus(THREE_FIRINGS))));

            assertThat(plan.gaps())
                    .containsExactlyInAnyOrder(
                            new FiringsFolded("orders", 0, NOON.minusSeconds(180), NOON, 3),
                            new FiringsLost("orders", 0, NOON.minus(THREE_FIRINGS), NOON, 1));
        }

        @Test
        void countingStopsAtAThousand() {
            Ownership own = ownership(definition().build(), NOON.minus(Duration.ofDays(30)));
            Instant twentyDaysAgo = NOON.minus(Duration.ofDays(20));

            Plan plan = plan(own, item(0, completed(twentyDaysAgo, SECOND)));

            assertThat(plan.gaps())
                    .containsExactly(new FiringsFolded("orders", 0, twentyDaysAgo.plusSeconds(60), NOON, 1_000));
        }

        private static JobDefinition.Builder daily() {
            return definition().cron("0 0 12 * * ?");
        }
    }

    private static Plan plan(JobDefinition definition, ItemView... items) {
        return plan(ownership(definition), items);
    }

    private static Plan plan(Ownership own, ItemView... items) {
        return planned(own, List.of(items), new ItemPlanner.Moment(NOW, NOW, Integer.MAX_VALUE));
    }

    private static Plan planned(Ownership own, List<ItemView> items, ItemPlanner.Moment moment) {
        List<ItemDecision> decisions = ItemPlanner.plan(own, items, moment);
        assertThat(decisions).as("one decision for each item").hasSameSizeAs(items);
        return new Plan(decisions);
    }

    private static void assertNothing(Plan plan) {
        assertThat(plan.decisions()).containsOnly(ItemDecision.NOTHING);
    }

    /** The decisions by what they are about. */
    private record Plan(List<ItemDecision> decisions) {
        List<ItemChange> changes() {
            return only(ItemDecision.Commit.class, ItemDecision.Commit::change);
        }

        List<JobEvent> gaps() {
            return only(ItemDecision.Commit.class, ItemDecision.Commit::losses).stream()
                    .flatMap(List::stream)
                    .toList();
        }

        List<ItemChange.Orphan> orphans() {
            return only(ItemDecision.RecordOrphan.class, ItemDecision.RecordOrphan::orphan);
        }

        List<Integer> locked() {
            return only(ItemDecision.AwaitUnlock.class, locked -> locked.view().item());
        }

        List<Integer> disabled() {
            return only(ItemDecision.AwaitEnabled.class, ItemDecision.AwaitEnabled::item);
        }

        List<Map.Entry<Integer, Duration>> later() {
            return only(ItemDecision.AwaitPause.class, pause -> Map.entry(pause.item(), pause.left()));
        }

        boolean clockDiffers() {
            return decisions.contains(ItemDecision.LEAVE_TO_OTHERS);
        }

        private <D extends ItemDecision, T> List<T> only(Class<D> kind, Function<D, T> value) {
            return ItemDecision.only(kind, decisions).stream().map(value).toList();
        }
    }
}
