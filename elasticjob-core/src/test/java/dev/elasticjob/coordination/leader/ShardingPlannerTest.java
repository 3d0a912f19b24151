package dev.elasticjob.coordination.leader;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.TREE;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static dev.elasticjob.coordination.Samples.item;
import static dev.elasticjob.coordination.Samples.owners;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.leader.DisplayedOwners.Comparison;
import dev.elasticjob.coordination.leader.Resharding.Display;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.FormerSchedule;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobView;
import dev.elasticjob.coordination.view.JobViewReader.LeaderView;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShardingPlannerTest {
    private static final Instant CREATED = NOON.minus(Duration.ofDays(2));
    private static final Instant SINCE = NOON.minus(Duration.ofDays(1));
    private static final Members.Server ENABLED = new Members.Server(false, CREATED);
    private static final Members MEMBERS = new Members(
            List.of(Samples.member(US, "10.0.0.1", 10), Samples.member(THEM, "10.0.0.2", 11)),
            Map.of("10.0.0.1", ENABLED, "10.0.0.2", ENABLED),
            Set.of(),
            CREATED);
    private static final JobDefinition JOB = definition().build();
    private static final PlanBasis BASIS = new PlanBasis(MEMBERS, JOB);
    private static final NavigableMap<Integer, String> ALL_OURS = owners(3, US);

    private Instant configSet = CREATED;
    private Instant extensionSet = CREATED;
    private Members members = MEMBERS;
    private Comparison shown = Comparison.EQUAL;
    private Instant read = NOON;

    // ------------------------------------------------------------------ the schedule in force

    @Test
    void theFirstPlanOwesNothingFromBeforeOurOwnNode() {
        Resharding plan = plan(Optional.empty(), JOB, ALL_OURS);

        assertThat(plan.next())
                .isEqualTo(
                        new Assignment(JOB.schedule(), CREATED, List.of(), null, true, null, BASIS.digest(), ALL_OURS));
        assertThat(plan.newItems())
                .containsOnlyKeys(0, 1, 2)
                .containsValue(ItemRecord.startingAt(CREATED))
                .allSatisfy((item, first) -> assertThat(first.scheduledAt()).isEqualTo(CREATED));
    }

    @Test
    void aNewCronCountsFromTheMomentItWasStored() {
        configSet = NOON.minusSeconds(30);

        Resharding plan = plan(
                Optional.of(inForce(ALL_OURS)), definition().cron("5 * * * * ?").build(), ALL_OURS);

        assertThat(plan.next().schedule().text()).isEqualTo("5 * * * * ?");
        assertThat(plan.next().since()).isEqualTo(configSet);
    }

    @Test
    void aNewZoneAndANewWayOfMonitoringAreCarriedOverToo() {
        extensionSet = NOON.minusSeconds(40);
        JobDefinition zone = definition().timeZone(ZoneId.of("Asia/Tokyo")).build();
        JobDefinition unmonitored = definition().monitorExecution(false).build();

        Assignment inTokyo =
                plan(Optional.of(inForce(ALL_OURS)), zone, ALL_OURS).next();
        Assignment unlocked =
                plan(Optional.of(inForce(ALL_OURS)), unmonitored, ALL_OURS).next();

        assertThat(inTokyo.schedule().zone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        assertThat(inTokyo.since()).isEqualTo(extensionSet);
        assertThat(unlocked.monitored()).isFalse();
        assertThat(unlocked.since()).isEqualTo(extensionSet);
    }

    @Test
    void sinceNeverGoesBack() {
        configSet = SINCE.minusSeconds(1);
        extensionSet = SINCE.minusSeconds(2);

        Resharding plan = plan(
                Optional.of(inForce(ALL_OURS)), definition().cron("5 * * * * ?").build(), ALL_OURS);

        assertThat(plan.next().since()).isEqualTo(SINCE);
    }

    @Test
    void whateverElseWasStoredLeavesTheScheduleAlone() {
        configSet = NOON;
        extensionSet = NOON;

        Resharding plan =
                plan(Optional.of(inForce(ALL_OURS)), definition().failover(true).build(), ALL_OURS);

        assertThat(plan.next().since()).isEqualTo(SINCE);
    }

    @Test
    void theEndOfAPauseSetsSinceToWhenTheFirstServerWasEnabled() {
        members = members(Map.of("10.0.0.1", enabledAt(NOON.minusSeconds(5)), "10.0.0.2", enabledAt(NOON)));

        Resharding plan = plan(Optional.of(paused(NOON.minusSeconds(60))), JOB, ALL_OURS);

        assertThat(plan.next().since()).isEqualTo(NOON.minusSeconds(5));
        assertThat(plan.next().pausedFrom()).isNull();
    }

    @Test
    void aPauseOfWhichNobodyKnowsWhenItEndedEndsNow() {
        members = members(Map.of());

        assertThat(plan(Optional.of(paused(NOON.minusSeconds(60))), JOB, ALL_OURS)
                        .next()
                        .since())
                .isEqualTo(NOON);
    }

    @Test
    void aPauseNeverEndsBeforeItBegan() {
        members = members(Map.of("10.0.0.1", enabledAt(CREATED), "10.0.0.2", enabledAt(CREATED)));

        assertThat(plan(Optional.of(paused(NOON.minusSeconds(60))), JOB, ALL_OURS)
                        .next()
                        .since())
                .isEqualTo(NOON.minusSeconds(60));
    }

    @Test
    void whatNobodyOwnedForAnotherReasonThanAPauseIsOwed() {
        Resharding plan = plan(Optional.of(inForce(new TreeMap<>())), JOB, ALL_OURS);

        assertThat(plan.next().since()).isEqualTo(SINCE);
    }

    @Test
    void allServersDisabledAreAPauseSinceTheLastOfThem() {
        members = members(Map.of("10.0.0.1", disabledAt(SINCE), "10.0.0.2", disabledAt(NOON.minusSeconds(9))));

        assertThat(pausedFrom(ALL_OURS)).isEqualTo(NOON.minusSeconds(9));
        assertThat(pausedFrom(new TreeMap<>())).isEqualTo(NOON.minusSeconds(9));
    }

    /** A late answer leaves what we know of the registry's time behind; a clock far ahead says nothing. */
    @Test
    void aPauseBeginsWhenItsServerWasDisabledThoughWeHaveNotHeardOfThatTimeYet() {
        members = members(Map.of("10.0.0.1", disabledAt(SINCE), "10.0.0.2", disabledAt(NOON.plusMillis(600))));
        assertThat(pausedFrom(ALL_OURS)).isEqualTo(NOON.plusMillis(600));

        members = members(Map.of("10.0.0.1", disabledAt(SINCE), "10.0.0.2", disabledAt(NOON.plusSeconds(61))));
        assertThat(pausedFrom(ALL_OURS)).isEqualTo(NOON);
    }

    @Test
    void theServersOfAllInstancesDisabledAreAPauseThoughOneWithoutInstanceIsEnabled() {
        members = members(Map.of(
                "10.0.0.1", disabledAt(CREATED), "10.0.0.2", disabledAt(NOON.minusSeconds(9)), "10.0.0.3", ENABLED));

        assertThat(pausedFrom(ALL_OURS)).isEqualTo(NOON.minusSeconds(9));
    }

    /** Its instance was to go on, and has died before anybody planned with it. */
    @Test
    void aServerEnabledSinceThePlanIsNoPauseThoughItsInstanceIsGone() {
        members = members(Map.of(
                "10.0.0.1",
                disabledAt(NOON.minusSeconds(10)),
                "10.0.0.2",
                disabledAt(NOON.minusSeconds(9)),
                "10.0.0.3",
                enabledAt(NOON.minusSeconds(12))));

        assertThat(pausedFrom(ALL_OURS)).isNull();
    }

    /** It was there when the others' servers were disabled, and has left before anybody planned with it. */
    @Test
    void anInstanceThatJoinedSinceThePlanMakesItNoPauseThoughItIsGone() {
        Map<String, Members.Server> servers = Map.of(
                "10.0.0.1",
                disabledAt(NOON.minusSeconds(10)),
                "10.0.0.2",
                disabledAt(NOON.minusSeconds(9)),
                "10.0.0.3",
                ENABLED);
        members = new Members(MEMBERS.all(), servers, Set.of(), NOON.minusSeconds(11));

        assertThat(pausedFrom(ALL_OURS)).isNull();
    }

    /** They went out of service in whatever order: the leader looks only now. */
    @Test
    void aServerDisabledWhileTheOtherInstanceDiesIsNoPause() {
        members = new Members(
                List.of(Samples.member(THEM, "10.0.0.2", 11)),
                Map.of("10.0.0.1", ENABLED, "10.0.0.2", disabledAt(NOON.minusSeconds(9))),
                Set.of(),
                CREATED);

        assertThat(pausedFrom(ALL_OURS)).isNull();
    }

    @Test
    void theEndOfTheOnlyEnabledInstanceIsNoPause() {
        members = new Members(
                List.of(Samples.member(THEM, "10.0.0.2", 11)),
                Map.of("10.0.0.1", ENABLED, "10.0.0.2", disabledAt(SINCE)),
                Set.of(),
                CREATED);

        assertThat(pausedFrom(ALL_OURS)).isNull();
    }

    @Test
    void instancesThatAllDrainAreNoPause() {
        members = new Members(MEMBERS.all(), MEMBERS.servers(), Set.of(10L, 11L), CREATED);

        assertThat(pausedFrom(ALL_OURS)).isNull();
    }

    @Test
    void onceAPauseItIsOneUntilSomebodyMayOwnItems() {
        members = new Members(MEMBERS.all(), MEMBERS.servers(), Set.of(10L, 11L), CREATED);

        Assignment next = plan(Optional.of(paused(SINCE)), JOB, new TreeMap<>()).next();

        assertThat(next.pausedFrom()).isEqualTo(SINCE);
    }

    @Test
    void whoseOwnersAllLeftIsPausedWhenAllServersAreDisabledLater() {
        Assignment left = inForce(new TreeMap<>()).withOwners(new TreeMap<>(), BASIS.digest());
        Members disabled = members(Map.of("10.0.0.1", disabledAt(SINCE), "10.0.0.2", disabledAt(SINCE)));
        PlanBasis basis = new PlanBasis(disabled, JOB);
        Assignment nobody = left.withOwners(new TreeMap<>(), basis.digest());

        assertThat(ShardingPlanner.isOutOfDate(Optional.of(nobody), basis)).isTrue();
        assertThat(ShardingPlanner.isOutOfDate(Optional.of(nobody.withPausedFrom(SINCE)), basis))
                .isFalse();
    }

    @Test
    void aPauseTakesAllOwnersAwayAndKeepsTheRest() {
        Resharding plan = plan(Optional.of(inForce(ALL_OURS)), JOB, new TreeMap<>(), shown(0, 1, 2));

        assertThat(plan.next()).isEqualTo(inForce(ALL_OURS).withOwners(new TreeMap<>(), BASIS.digest()));
        assertThat(plan.displays())
                .isEqualTo(Map.of(0, new Display.Remove(), 1, new Display.Remove(), 2, new Display.Remove()));
    }

    // ------------------------------------------------------------------ schedules before

    @Test
    void theScheduleBeforeIsKeptWhileAnItemHasNotSeenItsLastFiring() {
        configSet = NOON.minusSeconds(30);

        assertThat(formerAfter(completedAt(NOON.minusSeconds(120))))
                .containsExactly(new FormerSchedule(JOB.schedule(), SINCE, configSet));
        assertThat(formerAfter(completedAt(NOON.minusSeconds(60)))).isEmpty();
    }

    /** It may be unclaimed. */
    @Test
    void anItemThatIsClaimedForItsLastFiringHasNotSeenIt() {
        configSet = NOON.minusSeconds(30);
        ItemRecord claimed = completedAt(NOON.minusSeconds(120)).claimed(NOON.minusSeconds(60), US, NOON);

        assertThat(formerAfter(claimed)).hasSize(1);
    }

    @Test
    void withoutRecordsNobodyKnowsWhatIsOwed() {
        extensionSet = NOON.minusSeconds(30);
        JobDefinition unmonitored = definition().monitorExecution(false).build();

        assertThat(plan(Optional.of(inForce(ALL_OURS)), unmonitored, ALL_OURS, item(0, ItemRecord.NEW))
                        .next()
                        .former())
                .isEmpty();
    }

    @Test
    void ofAPauseWhatWasDueBeforeItIsKept() {
        members = members(Map.of("10.0.0.1", enabledAt(NOON), "10.0.0.2", enabledAt(NOON)));

        Assignment next = plan(
                        Optional.of(paused(NOON.minusSeconds(90))),
                        JOB,
                        ALL_OURS,
                        item(0, completedAt(NOON.minusSeconds(240))))
                .next();

        assertThat(next.former()).containsExactly(new FormerSchedule(JOB.schedule(), SINCE, NOON.minusSeconds(90)));
        assertThat(next.latestDue(NOON)).hasValue(NOON.minusSeconds(120));
        assertThat(next.countOwed(NOON.minusSeconds(240), NOON.plusSeconds(180), 100))
                .as("at 11:57 and 11:58, 12:01 and 12:02")
                .isEqualTo(4);
        assertThat(next.firstOwed(NOON.minusSeconds(240))).hasValue(NOON.minusSeconds(180));
    }

    @Test
    void whatWasDueBetweenTheEndOfAPauseAndAnotherScheduleIsKept() {
        members = members(Map.of("10.0.0.1", enabledAt(NOON.minusSeconds(90)), "10.0.0.2", enabledAt(NOON)));
        configSet = NOON.minusSeconds(30);
        JobDefinition changed = definition().cron("5 5 * * * ?").build();

        Assignment next = plan(
                        Optional.of(paused(NOON.minusSeconds(200))),
                        changed,
                        ALL_OURS,
                        item(0, completedAt(NOON.minusSeconds(240))))
                .next();

        assertThat(next.since()).isEqualTo(NOON.minusSeconds(30));
        assertThat(next.former())
                .containsExactly(new FormerSchedule(JOB.schedule(), NOON.minusSeconds(90), NOON.minusSeconds(30)));
    }

    @Test
    void aPauseIsOverWhenAServerIsEnabledThoughNobodyIsThere() {
        members = new Members(
                List.of(),
                Map.of("10.0.0.1", enabledAt(NOON.minusSeconds(90)), "10.0.0.2", disabledAt(CREATED)),
                Set.of(),
                CREATED);
        configSet = NOON.minusSeconds(30);
        JobDefinition changed = definition().cron("5 5 * * * ?").build();

        Assignment next = plan(
                        Optional.of(paused(NOON.minusSeconds(200))),
                        changed,
                        new TreeMap<>(),
                        item(0, completedAt(NOON.minusSeconds(240))))
                .next();

        assertThat(next.pausedFrom()).isNull();
        assertThat(next.former())
                .containsExactly(new FormerSchedule(JOB.schedule(), NOON.minusSeconds(90), NOON.minusSeconds(30)));
    }

    private List<FormerSchedule> formerAfter(ItemRecord record) {
        JobDefinition changed = definition().cron("5 5 * * * ?").build();
        return plan(Optional.of(inForce(ALL_OURS)), changed, ALL_OURS, item(0, record))
                .next()
                .former();
    }

    private static ItemRecord completedAt(Instant firing) {
        return Samples.completed(firing, Duration.ZERO);
    }

    // ------------------------------------------------------------------ new items

    @Test
    void aNewItemStartsBehindAllThatTheJobHasSeen() {
        Resharding plan = plan(
                Optional.of(inForce(ALL_OURS)),
                JOB,
                ALL_OURS,
                item(0, Samples.completed(NOON.minusSeconds(120), Duration.ZERO)),
                item(1, Samples.completed(NOON.minusSeconds(60), Duration.ZERO)));

        assertThat(plan.newItems()).isEqualTo(Map.of(2, ItemRecord.startingAt(NOON.minusSeconds(60))));
    }

    @Test
    void aRecordFromTheFutureDoesNotCount() {
        Resharding plan = plan(
                Optional.of(inForce(ALL_OURS)),
                JOB,
                ALL_OURS,
                item(0, Samples.completed(NOON.plusSeconds(61), Duration.ZERO)),
                item(1, Samples.completed(NOON.minusSeconds(60), Duration.ZERO)));

        assertThat(plan.newItems().get(2)).isEqualTo(ItemRecord.startingAt(NOON.minusSeconds(60)));
    }

    @Test
    void aNewItemStartsBehindWhatARetiredOneHasSeen() {
        Assignment floored = inForce(ALL_OURS).withFloor(NOON.minusSeconds(30));

        Resharding plan = plan(Optional.of(floored), JOB, ALL_OURS);

        assertThat(plan.newItems().get(0)).isEqualTo(ItemRecord.startingAt(NOON.minusSeconds(30)));
    }

    @Test
    void aFloorFromTheFutureDoesNotCount() {
        Assignment floored = inForce(ALL_OURS).withFloor(NOON.plus(Duration.ofDays(365)));

        Resharding plan = plan(Optional.of(floored), JOB, ALL_OURS);

        assertThat(plan.newItems().get(0)).isEqualTo(ItemRecord.startingAt(SINCE));
    }

    /** Within the tolerance of clocks an item may have run it before it was removed. */
    @Test
    void aFloorThatAFastClockMayHaveClaimedCounts() {
        Assignment floored = inForce(ALL_OURS).withFloor(NOON.plusSeconds(40));

        Resharding plan = plan(Optional.of(floored), JOB, ALL_OURS);

        assertThat(plan.newItems().get(0)).isEqualTo(ItemRecord.startingAt(NOON.plusSeconds(40)));
    }

    @Test
    void theFloorOnlyRises() {
        Assignment floored = inForce(ALL_OURS).withFloor(NOON);

        assertThat(floored.withFloor(NOON.minusSeconds(1)).floor()).isEqualTo(NOON);
        assertThat(floored.withFloor(null).floor()).isEqualTo(NOON);
        assertThat(floored.withFloor(NOON.plusSeconds(1)).floor()).isEqualTo(NOON.plusSeconds(1));
        assertThat(inForce(ALL_OURS).withFloor(null).floor()).isNull();
    }

    // ------------------------------------------------------------------ displays

    @Test
    void onlyWhatDiffersIsShownAnew() {
        NavigableMap<Integer, String> owners = owners(3, US);
        owners.put(1, THEM);
        owners.put(3, THEM);

        Resharding plan = plan(Optional.of(inForce(owners(5, US))), JOB, owners, shown(0, 1, 2, 4));

        assertThat(plan.displays())
                .isEqualTo(Map.of(1, new Display.Change(THEM), 3, new Display.Create(THEM), 4, new Display.Remove()));
    }

    @Test
    void aPlanThatDiffersInNothingChangesNothing() {
        Assignment before = inForce(ALL_OURS).withOwners(ALL_OURS, BASIS.digest());

        Resharding plan = plan(Optional.of(before), JOB, ALL_OURS, shown(0, 1, 2));

        assertThat(plan.changesNothing(Optional.of(before))).isTrue();
        assertThat(plan.changesNothing(Optional.empty())).isFalse();
    }

    @Test
    void movesAreCounted() {
        NavigableMap<Integer, String> owners = owners(4, US);
        owners.put(0, THEM);

        Resharding plan = plan(Optional.of(inForce(ALL_OURS)), JOB, owners);

        assertThat(plan.moves(Optional.of(inForce(ALL_OURS)))).isEqualTo(2);
        assertThat(plan.moves(Optional.empty())).isEqualTo(4);
    }

    @Test
    void whatAFormerLeaderHasNotShownIsShownNow() {
        shown = new Comparison(new TreeMap<>(Map.of(1, THEM)), false);

        Resharding plan = plan(Optional.of(inForce(ALL_OURS)), JOB, ALL_OURS, shown(0, 1, 2));

        assertThat(plan.displays()).isEqualTo(Map.of(1, new Display.Change(US)));
        assertThat(plan.next().since()).isEqualTo(SINCE);
    }

    /** The plan may have waited since for its turn, or for the strategy. */
    @Test
    void whereOtherSoftwareHasPlannedWhatIsDueSinceTheMembersWereReadIsOwed() {
        shown = new Comparison(new TreeMap<>(Map.of(1, "10.0.0.9@-@7")), true);
        read = NOON.minusSeconds(4);

        Resharding plan = plan(Optional.of(inForce(ALL_OURS)), JOB, ALL_OURS, shown(0, 1, 2));

        assertThat(plan.next().since()).isEqualTo(NOON.minusSeconds(4));
    }

    @Test
    void whereOtherSoftwareHasPlannedNothingIsOwedUntilNow() {
        shown = new Comparison(new TreeMap<>(Map.of(1, "10.0.0.9@-@7")), true);

        Resharding plan = plan(Optional.of(inForce(ALL_OURS)), JOB, ALL_OURS, shown(0, 1, 2));

        assertThat(plan.displays()).isEqualTo(Map.of(1, new Display.Change(US)));
        assertThat(plan.next().since()).isEqualTo(NOON);
    }

    // ------------------------------------------------------------------ what follows

    private Resharding plan(
            Optional<Assignment> before,
            JobDefinition definition,
            NavigableMap<Integer, String> owners,
            ItemView... items) {
        NavigableMap<Integer, ItemView> seen = new TreeMap<>();
        List.of(items).forEach(each -> seen.put(each.item(), each));
        Map<String, Optional<RegistryNode>> nodes = new HashMap<>();
        nodes.put(TREE.config(), Optional.of(node(configSet)));
        nodes.put(TREE.extension(), Optional.of(node(extensionSet)));
        nodes.put(TREE.sharding(), Optional.of(node(CREATED)));
        RegistryAnswer answer = new RegistryAnswer(nodes, Map.of());
        StoredDefinition stored = StoredDefinition.of(TREE, answer);
        JobView job = new JobView(TREE, answer, US, "10.0.0.1", stored, before, Optional.empty());
        return ShardingPlanner.plan(
                new LeaderView(job, members, seen), new PlanBasis(members, definition), owners, shown, read, NOON);
    }

    private @Nullable Instant pausedFrom(NavigableMap<Integer, String> before) {
        return plan(Optional.of(inForce(before).withOwners(before, BASIS.digest())), JOB, new TreeMap<>())
                .next()
                .pausedFrom();
    }

    private static Members members(Map<String, Members.Server> servers) {
        return new Members(MEMBERS.all(), servers, Set.of(), CREATED);
    }

    private static Members.Server enabledAt(Instant moment) {
        return new Members.Server(false, moment);
    }

    private static Members.Server disabledAt(Instant moment) {
        return new Members.Server(true, moment);
    }

    private static Assignment paused(Instant from) {
        return inForce(new TreeMap<>()).withPausedFrom(from);
    }

    private static RegistryNode node(Instant modified) {
        return new RegistryNode(new byte[0], 1, 1, 1, CREATED, modified, 0);
    }

    private static Assignment inForce(NavigableMap<Integer, String> owners) {
        return new Assignment(JOB.schedule(), SINCE, List.of(), null, true, null, "old", owners);
    }

    private static ItemView[] shown(int... items) {
        ItemView[] views = new ItemView[items.length];
        for (int i = 0; i < items.length; i++) {
            views[i] = item(items[i], ItemRecord.NEW, "instance");
        }
        return views;
    }
}
