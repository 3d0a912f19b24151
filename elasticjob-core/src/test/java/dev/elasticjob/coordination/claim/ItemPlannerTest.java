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
import dev.elasticjob.coordination.claim.ItemPlanner.Gap;
import dev.elasticjob.coordination.claim.ItemPlanner.ItemPlan;
import dev.elasticjob.coordination.failover.ItemChange;
import dev.elasticjob.coordination.failover.ItemChange.Claim;
import dev.elasticjob.coordination.failover.ItemChange.Drop;
import dev.elasticjob.coordination.failover.ItemChange.Skip;
import dev.elasticjob.coordination.failover.ItemChange.Take;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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

            ItemPlan plan = plan(definition().build(), seen);

            assertThat(plan.changes())
                    .containsExactly(new Claim(seen, seen.current().claimed(NOON, US, NOW)));
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

            assertNothing(
                    ItemPlanner.plan(own, items, new ItemPlanner.Moment(NOON.minusNanos(1), NOON, Integer.MAX_VALUE)));
            assertThat(ItemPlanner.plan(own, items, new ItemPlanner.Moment(NOON, NOON, Integer.MAX_VALUE))
                            .changes())
                    .hasSize(1);
        }

        @Test
        void theFirstFiringOfAnItemIsThatAfterSince() {
            Ownership young = ownership(definition().build(), NOON.minusSeconds(30));

            ItemPlan plan = plan(young, item(0, ItemRecord.NEW), item(1, ItemRecord.startingAt(BEFORE)));

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

            ItemPlan plan = plan(definition().build(), item(0, failed));

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
        }
    }

    @Nested
    class NotNow {
        @Test
        void aDisabledItemSkipsTheFiringInItsState() {
            ItemView disabled = item(0, completed(BEFORE, SECOND), "disabled");

            ItemPlan plan = plan(definition().build(), disabled);

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

            ItemPlan plan = plan(definition().failover(false).build(), interrupted);

            assertThat(plan.changes()).singleElement().satisfies(change -> {
                assertThat(change).isInstanceOf(ItemChange.Drop.class);
                assertThat(change.next().state()).isEqualTo(ItemState.FAILED);
                assertThat(change.next().scheduledAt()).isEqualTo(BEFORE);
            });
            assertThat(plan.gaps()).containsExactly(new Gap(0, new FiringsLost("orders", 0, BEFORE, 1)));
        }

        @Test
        void aRunningItemIsWaitedForEvenWhenItIsDisabled() {
            ItemPlan plan = plan(
                    definition().build(),
                    item(0, running(BEFORE), "running"),
                    item(1, running(BEFORE), "running", "disabled"));

            assertThat(plan.changes()).isEmpty();
            assertThat(plan.locked()).containsExactly(0, 1);
        }

        @Test
        void anItemWhoseLockOutlivesItsRecordIsWaitedFor() {
            ItemPlan plan = plan(definition().build(), item(0, completed(BEFORE, SECOND), "running"));

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

            ItemPlan ahead = ItemPlanner.plan(
                    own, items, new ItemPlanner.Moment(NOW, NOON.minus(MINUTE).minusMillis(1), Integer.MAX_VALUE));
            ItemPlan tolerable =
                    ItemPlanner.plan(own, items, new ItemPlanner.Moment(NOW, NOON.minus(MINUTE), Integer.MAX_VALUE));

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

            ItemPlan plan = plan(definition().failover(true).build(), orphan);

            assertThat(plan.orphans()).containsExactly(new ItemChange.Orphan(orphan, NOW, true));
            assertThat(plan.changes()).isEmpty();
            assertThat(plan(definition().build(), orphan).orphans().get(0).failover())
                    .isFalse();
        }

        @Test
        void withoutFailoverTheItemIsClaimableAndTheLossIsCounted() {
            ItemPlan plan = plan(definition().build(), item(0, orphaned(BEFORE)));

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
            assertThat(plan.gaps()).containsExactly(new Gap(0, new FiringsLost("orders", 0, NOON, 1)));
        }

        @Test
        void withoutFailoverNothingHappensBeforeTheNextFiring() {
            assertNothing(plan(definition().build(), item(0, orphaned(NOON))));
        }

        @Test
        void withFailoverTheOldFiringIsTakenBeforeANewOneIsClaimed() {
            ItemView lost = waiting(0, orphaned(BEFORE));

            ItemPlan plan = plan(definition().failover(true).build(), lost);

            assertThat(plan.changes())
                    .containsExactly(new Take(lost, lost.current().taken(US, NOW)));
            assertThat(plan.changes().get(0).next().scheduledAt()).isEqualTo(BEFORE);
            assertThat(plan.changes().get(0).next().attempt()).isEqualTo(2);
            assertThat(plan.gaps()).isEmpty();
        }

        @Test
        void aTakeNeedsNoFailoverItem() {
            ItemPlan plan = plan(definition().failover(true).build(), item(0, orphaned(BEFORE)));

            assertThat(plan.changes()).singleElement().isInstanceOf(Take.class);
        }

        @Test
        void aDisabledItemIsNotTakenNorDoesItSkip() {
            ItemPlan plan = plan(definition().failover(true).build(), waiting(0, orphaned(BEFORE), "disabled"));

            assertThat(plan.changes()).isEmpty();
            assertThat(plan.gaps()).isEmpty();
            assertThat(plan.disabled()).as("looked at again when it is enabled").containsExactly(0);
        }

        @Test
        void afterTheLastCrashTheFiringIsGivenUpAndTheLossIsTold() {
            ItemView crashed = waiting(0, orphaned(BEFORE));

            ItemPlan plan = plan(definition().failover(true).maxFailovers(1).build(), crashed);

            assertThat(plan.changes()).containsExactly(Drop.by(US, crashed, "given up after 1 crashes"));
            assertThat(plan.gaps()).containsExactly(new Gap(0, new FiringsLost("orders", 0, BEFORE, 1)));
        }

        @Test
        void whatHasCrashedTwiceRestsAWhileByTheClockOfTheRegistry() {
            ItemRecord again = orphaned(BEFORE).taken(US, BEFORE.plusSeconds(6)).orphaned(NOON);
            ItemRecord aheadByALittle = again.taken(US, NOON)
                    .ended(ItemState.INTERRUPTED, NOON.plusSeconds(25), NOON.plusSeconds(25), "cut off");
            JobDefinition failover = definition().failover(true).build();

            for (ItemRecord crashed : List.of(again, aheadByALittle)) {
                ItemPlan lately = plan(failover, recorded(NOW.minusSeconds(4), item(0, crashed)));
                ItemPlan enough = plan(failover, recorded(NOW.minusSeconds(5), item(0, crashed)));

                assertThat(lately.changes()).isEmpty();
                assertThat(lately.later()).containsExactly(Map.entry(0, SECOND));
                assertThat(enough.changes()).singleElement().isInstanceOf(Take.class);
                assertThat(enough.later()).isEmpty();
            }
        }

        @Test
        void nobodyWaitsForAClockThatWasAYearAhead() {
            ItemRecord again = orphaned(BEFORE).taken(US, BEFORE.plusSeconds(6)).orphaned(NOON);

            ItemPlan plan =
                    plan(definition().failover(true).build(), recorded(NOW.plus(Duration.ofDays(365)), item(0, again)));

            assertThat(plan.changes()).singleElement().isInstanceOf(Take.class);
            assertThat(plan.later()).isEmpty();
        }

        @Test
        void aGracefulReleaseIsNoCrash() {
            ItemRecord released = running(BEFORE).ended(ItemState.INTERRUPTED, BEFORE, NOON, "cut off");

            ItemPlan plan = plan(definition().failover(true).maxFailovers(1).build(), item(0, released));

            assertThat(plan.changes()).singleElement().isInstanceOf(Take.class);
        }
    }

    @Nested
    class Late {
        private static final Duration THREE_FIRINGS = Duration.ofMinutes(4);

        @Test
        void missedFiringsAreFoldedIntoTheLatestAndCounted() {
            ItemView late = item(0, completed(NOON.minus(THREE_FIRINGS), SECOND));

            ItemPlan plan = plan(definition().misfire(true).build(), late);

            assertThat(plan.changes())
                    .containsExactly(new Claim(late, late.current().claimed(NOON, US, NOW)));
            assertThat(plan.gaps())
                    .containsExactly(new Gap(0, new FiringsFolded("orders", 0, NOON.minusSeconds(180), NOON, 3)));
        }

        @Test
        void firingsBeforeSinceAreNotCounted() {
            Ownership own = ownership(definition().build(), NOON.minusSeconds(90));

            ItemPlan plan = plan(own, item(0, completed(NOON.minus(THREE_FIRINGS), SECOND)));

            assertThat(plan.gaps())
                    .containsExactly(new Gap(0, new FiringsFolded("orders", 0, NOON.minusSeconds(60), NOON, 1)));
        }

        @Test
        void withoutMisfireALateFiringIsNobodys() {
            Ownership own = ownership(daily().misfire(false).build(), NOON.minus(Duration.ofDays(3)));
            ItemView yesterday = item(0, completed(NOON.minus(Duration.ofDays(1)), SECOND));

            ItemPlan justInTime = ItemPlanner.plan(
                    own,
                    List.of(yesterday),
                    new ItemPlanner.Moment(NOON.plus(MINUTE), NOON.plus(MINUTE), Integer.MAX_VALUE));
            ItemPlan late = ItemPlanner.plan(
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

            ItemPlan plan = ItemPlanner.plan(
                    own,
                    List.of(item(0, completed(NOON.minus(Duration.ofDays(1)), SECOND))),
                    new ItemPlanner.Moment(evening, evening, Integer.MAX_VALUE));

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
            assertThat(plan.gaps()).isEmpty();
        }

        @Test
        void withoutMisfireTheNextClaimSaysWhatWasLostOnce() {
            ItemView late = item(0, completed(NOON.minus(THREE_FIRINGS), SECOND));

            ItemPlan plan = plan(definition().misfire(false).build(), late);

            assertThat(plan.changes()).singleElement().isInstanceOf(Claim.class);
            assertThat(plan.gaps()).containsExactly(new Gap(0, new FiringsLost("orders", 0, NOON, 3)));
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

            ItemPlan plan = plan(definition().misfire(true).build(), overrun);

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
            ItemPlan plan = plan(definition().misfire(true).build(), item(0, orphaned(NOON.minus(THREE_FIRINGS))));

            assertThat(plan.gaps())
                    .containsExactlyInAnyOrder(
                            new Gap(0, new FiringsFolded("orders", 0, NOON.minusSeconds(180), NOON, 3)),
                            new Gap(0, new FiringsLost("orders", 0, NOON, 1)));
        }

        @Test
        void countingStopsAtAThousand() {
            Ownership own = ownership(definition().build(), NOON.minus(Duration.ofDays(30)));
            Instant twentyDaysAgo = NOON.minus(Duration.ofDays(20));

            ItemPlan plan = plan(own, item(0, completed(twentyDaysAgo, SECOND)));

            assertThat(plan.gaps())
                    .containsExactly(
                            new Gap(0, new FiringsFolded("orders", 0, twentyDaysAgo.plusSeconds(60), NOON, 1_000)));
        }

        private static JobDefinition.Builder daily() {
            return definition().cron("0 0 12 * * ?");
        }
    }

    private static ItemPlan plan(JobDefinition definition, ItemView... items) {
        return plan(ownership(definition), items);
    }

    private static ItemPlan plan(Ownership own, ItemView... items) {
        return ItemPlanner.plan(own, List.of(items), new ItemPlanner.Moment(NOW, NOW, Integer.MAX_VALUE));
    }

    private static void assertNothing(ItemPlan plan) {
        assertThat(plan)
                .isEqualTo(new ItemPlan(
                        List.of(), List.of(), List.of(), List.of(), List.of(), Map.of(), false, false, List.of()));
    }
}
