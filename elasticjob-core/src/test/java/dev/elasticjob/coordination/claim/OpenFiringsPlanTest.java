package dev.elasticjob.coordination.claim;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.ownership;
import static dev.elasticjob.coordination.Samples.recorded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.claim.ItemDecision.Commit;
import dev.elasticjob.coordination.item.ItemChange;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemEnds;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.coordination.state.OpenFiring.Hook;
import dev.elasticjob.coordination.state.OpenFiring.Phase;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.CatchUp;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.Overlap;
import dev.elasticjob.definition.schedule.CountedSchedule;
import dev.elasticjob.job.cluster.FiringOutcomes.End;
import dev.elasticjob.job.cluster.FiringOutcomes.Outcome;
import dev.elasticjob.job.event.JobEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an owner decides in a job whose firings are opened in the whole cluster. */
class OpenFiringsPlanTest {
    private static final Instant NOW = NOON.plusMillis(20);
    private static final Instant BEFORE = NOON.minus(Duration.ofMinutes(1));
    private static final Instant FROM = NOON.minus(Duration.ofHours(1));
    private static final Outcome DONE = new Outcome(End.COMPLETED, 1, US);

    @Test
    void firstClaimOpensTheFiring() {
        Commit commit = commit(plan(OpenFirings.NONE, done(BEFORE)));

        assertThat(commit.opens()).contains(NOON);
        assertThat(commit.change().next().ends().opened()).isTrue();
    }

    @Test
    void claimOfAnOpenFiringKeepsTheEndsOfThoseThatAreOpen() {
        OpenFirings open = OpenFirings.NONE.with(firing(BEFORE)).with(firing(NOON));

        Commit commit = commit(plan(open, done(BEFORE)));

        assertThat(commit.opens()).isEmpty();
        assertThat(commit.change().next().ends().of(BEFORE)).contains(DONE);
    }

    @Test
    void firingInBetweenIsFoldedAndStaysSoWhenTheClaimIsUndone() {
        OpenFirings open = OpenFirings.NONE.with(firing(BEFORE)).with(firing(NOON));

        Commit commit = commit(plan(open, done(BEFORE.minusSeconds(60))));

        assertThat(commit.change().next().ends().of(BEFORE)).contains(Outcome.notBegun(End.FOLDED));
        ItemRecord undone = ((ItemChange.Claim) commit.change()).undone();
        assertThat(undone.scheduledAt()).isEqualTo(BEFORE);
        assertThat(undone.endOf(BEFORE, true)).contains(Outcome.notBegun(End.FOLDED));
    }

    @Test
    void firingThatIsOverIsNotClaimed() {
        OpenFirings over = OpenFirings.NONE.with(firing(NOON)).without(OpenFiring.idOf(NOON));

        assertThat(plan(over, done(BEFORE))).isEqualTo(ItemDecision.NOTHING);
    }

    @Test
    void itemThatJoinedLaterDoesNotBelongToTheFiring() {
        OpenFiring without = OpenFiring.scheduled(NOON, new TreeSet<>(List.of(5)), Phase.ITEMS, Hook.NONE, NOON);

        assertThat(plan(OpenFirings.NONE.with(without), done(BEFORE))).isEqualTo(ItemDecision.NOTHING);
    }

    @Test
    void lostFiringIsPassedSoThatItDoesNotStayOpen() {
        JobDefinition without = definition().misfire(false).build();
        ItemRecord busyUntilNow = record(BEFORE, NOW);

        Commit commit = commit(plan(own(without, false), OpenFirings.NONE, item(0, busyUntilNow), NOW));

        assertThat(commit.change()).isInstanceOf(ItemChange.Skip.class);
        assertThat(commit.change().next().endOf(NOON, true)).contains(new Outcome(End.LOST, 0, US));
        assertThat(commit.losses()).hasSize(1);
    }

    @Test
    void firingAfterAnEndThatWasWrittenByAClockAheadIsNotLost() {
        JobDefinition without = definition().misfire(false).build();
        ItemView ended = recorded(NOON.minusSeconds(1), item(0, record(BEFORE, NOW)));

        Commit commit = commit(plan(own(without, false), OpenFirings.NONE, ended, NOW));

        assertThat(commit.opens()).contains(NOON);
        assertThat(commit.losses()).isEmpty();
    }

    @Test
    void firingThatMetItsExecutionIsPassedAsSkipped() {
        JobDefinition skipping = definition().overlap(Overlap.SKIP).build();

        Commit commit = commit(plan(own(skipping, false), OpenFirings.NONE, item(0, record(BEFORE, NOW)), NOW));

        assertThat(commit.change()).isInstanceOf(ItemChange.Skip.class);
        assertThat(commit.change().next().endOf(NOON, true)).contains(new Outcome(End.SKIPPED, 0, US));
        assertThat(commit.losses())
                .containsExactly(
                        new JobEvent.FiringsSkipped(definition().build().jobName(), 0, NOON, NOON, 1));
    }

    @Test
    void whoMakesUpForEachOpensTheOldestFirst() {
        Commit commit =
                commit(plan(own(each(), false), OpenFirings.NONE, item(0, done(BEFORE.minusSeconds(120))), NOW));

        assertThat(commit.opens()).contains(BEFORE.minusSeconds(60));
        assertThat(commit.losses()).isEmpty();
    }

    @Test
    void whoIsBehindBeginsTheOldestThatOthersHaveOpened() {
        OpenFirings open = OpenFirings.NONE.with(firing(BEFORE)).with(firing(NOON));

        Commit commit = commit(plan(own(each(), false), open, item(0, done(BEFORE.minusSeconds(60))), NOW));

        assertThat(commit.opens()).isEmpty();
        assertThat(commit.change().next().scheduledAt()).isEqualTo(BEFORE);
    }

    @Test
    void whatEndedWithoutTheItemIsLostAndSaysSo() {
        OpenFirings over = OpenFirings.NONE.with(firing(BEFORE)).without(OpenFiring.idOf(BEFORE));

        Commit commit = commit(plan(own(each(), false), over, item(0, done(BEFORE.minusSeconds(60))), NOW));

        assertThat(commit.opens()).contains(NOON);
        assertThat(commit.losses())
                .containsExactly(new JobEvent.FiringsLost(
                        definition().build().jobName(), 0, BEFORE, NOON, 1, "their firings have ended without it"));
    }

    private static JobDefinition each() {
        return definition().catchUp(CatchUp.EACH).build();
    }

    @Test
    void skipSaysTheTruthOfAFiringThatIsOpenedLater() {
        Commit commit = commit(
                plan(own(definition().build(), false), OpenFirings.NONE, item(0, done(BEFORE), "disabled"), NOW));

        assertThat(commit.change().next().endOf(NOON, true)).contains(Outcome.notBegun(End.SKIPPED));
    }

    @Test
    void listenersAreCalledBeforeTheFirstItem() {
        Ownership own = own(definition().build(), true);
        OpenFirings before = OpenFirings.NONE.with(in(Phase.BEFORE));

        assertThat(plan(own, OpenFirings.NONE, item(0, done(BEFORE)), NOW))
                .isEqualTo(new ItemDecision.CallBefore(NOON));
        assertThat(plan(own, before, item(0, done(BEFORE)), NOW))
                .isEqualTo(new ItemDecision.AwaitFiring(Duration.ZERO));
        assertThat(plan(own, OpenFirings.NONE.with(in(Phase.AFTER)), item(0, done(BEFORE)), NOW))
                .isEqualTo(ItemDecision.NOTHING);
    }

    @Test
    void whatTheListenersWereCalledForGoesBeforeALaterFiring() {
        OpenFirings open = OpenFirings.NONE.with(firing(BEFORE));

        Commit commit =
                commit(plan(own(definition().build(), true), open, item(0, done(BEFORE.minusSeconds(60))), NOW));

        assertThat(commit.change().next().scheduledAt()).isEqualTo(BEFORE);
    }

    @Test
    void afterARefusalItemsFailWithoutBeginning() {
        OpenFirings refused = OpenFirings.NONE.with(firing(NOON).refused("no table", NOON));

        Commit commit = commit(plan(own(definition().build(), true), refused, item(0, done(BEFORE)), NOW));

        ItemRecord next = commit.change().next();
        assertThat(commit.change()).isInstanceOf(ItemChange.Refuse.class);
        assertThat(next.endOf(NOON, true)).contains(new Outcome(End.FAILED, 0, US));
        assertThat(next.state()).isEqualTo(ItemState.FAILED);
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.failure()).isEqualTo("cluster listeners failed before the first item: no table");
        assertThat(next.isRefused()).isTrue();
        assertThat(next.letsRepeat(next.repeated())).isTrue();
        assertThat(commit.losses())
                .containsExactly(new JobEvent.ItemRefused(
                        own(definition().build(), true).definition().jobName(),
                        US,
                        0,
                        NOON,
                        next.firstRunIdOf(
                                own(definition().build(), true).definition().jobName()),
                        1,
                        "cluster listeners failed before the first item: no table"));
    }

    @Test
    void interruptedExecutionWhoseFiringHasEndedIsGivenUp() {
        ItemRecord interrupted = ItemRecord.NEW
                .claimed(NOON, THEM, NOON, ItemEnds.NONE.opened(true))
                .orphaned(NOON);
        OpenFirings open = OpenFirings.NONE.with(firing(NOON));

        assertThat(commit(plan(open, interrupted)).change()).isInstanceOf(ItemChange.Take.class);
        assertThat(commit(plan(open.without(OpenFiring.idOf(NOON)), interrupted))
                        .change())
                .isInstanceOf(ItemChange.Abandon.class);
    }

    @Test
    void interruptedExecutionFromBeforeFiringsWereOpenedIsTaken() {
        ItemRecord interrupted = ItemRecord.NEW.claimed(NOON, THEM, NOON).orphaned(NOON);

        assertThat(commit(plan(OpenFirings.NONE, interrupted)).change()).isInstanceOf(ItemChange.Take.class);
    }

    @Test
    void firingIsOpenedWhenTheRegistrysClockHasReachedIt() {
        ItemDecision decision = plan(
                own(definition().build(), false),
                OpenFirings.NONE.with(firing(BEFORE)).without(OpenFiring.idOf(BEFORE)),
                item(0, done(BEFORE)),
                NOON.minusSeconds(2));

        assertThat(decision).isEqualTo(new ItemDecision.AwaitFiring(Duration.ofSeconds(2)));
    }

    @Test
    void executionThatTheFiringMayCancelIsLookedAtAgainWhenTheRegistrysClockHasReachedIt() {
        JobDefinition cancelling = definition().overlap(Overlap.CANCEL_RUNNING).build();
        ItemView running = item(0, ItemRecord.NEW.claimed(BEFORE, THEM, BEFORE), "running");

        ItemDecision decision = plan(own(cancelling, false), OpenFirings.NONE, running, NOON.minusSeconds(2));

        assertThat(decision)
                .isEqualTo(new ItemDecision.AwaitUnlock(
                        running, false, Optional.of(Duration.ofSeconds(2)), Optional.empty()));
    }

    @Test
    void firingThatWasOpenedByAClockInTheFutureStopsNothing() {
        Instant future = NOON.plus(Duration.ofHours(5));
        OpenFirings open = OpenFirings.NONE.with(firing(future));

        Commit whileOpen = commit(plan(open, done(BEFORE)));
        Commit afterItsEnd = commit(plan(open.without(OpenFiring.idOf(future)), done(BEFORE)));

        assertThat(whileOpen.opens()).contains(NOON);
        assertThat(afterItsEnd.opens()).contains(NOON);
        assertThat(open.with(firing(NOON)).newest()).isEqualTo(NOON);
    }

    @Test
    void theScheduleIsAskedForAHundredItemsAsOftenAsForOne() {
        int forOne = asked(1);

        assertThat(forOne).isPositive();
        assertThat(asked(100)).isEqualTo(forOne);
    }

    private static int asked(int items) {
        JobDefinition counted = definition()
                .cron("counted 0 * * * * ?")
                .shardingTotalCount(items)
                .build();
        List<ItemView> views = IntStream.range(0, items)
                .mapToObj(number -> item(number, done(NOON)))
                .toList();
        var moment = new ItemPlanner.Moment(NOW.plusSeconds(60), NOW, Integer.MAX_VALUE, OpenFirings.NONE);
        CountedSchedule.asked();
        assertThat(ItemPlanner.plan(own(counted, false), views, moment))
                .hasSize(items)
                .allMatch(ItemDecision.AwaitFiring.class::isInstance);
        return CountedSchedule.asked();
    }

    private static ItemDecision plan(OpenFirings open, ItemRecord record) {
        return plan(own(definition().failover(true).build(), false), open, item(0, record), NOW);
    }

    private static ItemDecision plan(Ownership own, OpenFirings open, ItemView item, Instant registryNow) {
        var moment = new ItemPlanner.Moment(NOW, registryNow, Integer.MAX_VALUE, open);
        return ItemPlanner.plan(own, List.of(item), moment).get(0);
    }

    private static Commit commit(ItemDecision decision) {
        assertThat(decision).isInstanceOf(Commit.class);
        return (Commit) decision;
    }

    private static Ownership own(JobDefinition definition, boolean listener) {
        Ownership own = ownership(definition);
        FiringPlan plan = new FiringPlan(listener, FROM, new TreeMap<>());
        return new Ownership(
                own.session(),
                own.instance(),
                own.epoch(),
                own.assignment().withFirings(plan),
                own.definition(),
                own.definitionVersion(),
                own.items(),
                own.enabled(),
                own.pause());
    }

    private static OpenFiring firing(Instant scheduledAt) {
        return OpenFiring.scheduled(scheduledAt, new TreeSet<>(List.of(0, 1)), Phase.ITEMS, Hook.NONE, scheduledAt);
    }

    private static OpenFiring in(Phase phase) {
        return firing(NOON).in(phase, new Hook(THEM, 1, 0), NOON);
    }

    private static ItemRecord done(Instant firing) {
        return record(firing, firing.plusSeconds(1));
    }

    private static ItemRecord record(Instant firing, Instant finished) {
        return ItemRecord.NEW.claimed(firing, US, firing).ended(ItemState.COMPLETED, firing, finished, null);
    }
}
