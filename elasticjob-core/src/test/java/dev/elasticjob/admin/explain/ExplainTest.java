package dev.elasticjob.admin.explain;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport.Lock;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.RegistryJobInspector.Here;
import dev.elasticjob.admin.explain.Explanation.Certainty;
import dev.elasticjob.admin.explain.Explanation.Condition;
import dev.elasticjob.admin.explain.Explanation.Reason;
import dev.elasticjob.admin.explain.Explanation.Verdict;
import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.Cancellation;
import dev.elasticjob.coordination.state.FiringPlan;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemRecordCodec;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.view.PauseSwitch;
import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The job fires each minute, has three items, and two instances, of which the first leads it and owns item 0. It is half a
 * minute past noon, and item 0 has run at noon.
 */
class ExplainTest {
    private static final JobTree TREE = Samples.TREE;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final JobDefinition DEFINITION =
            Samples.definition().failover(true).build();

    private final ManualTime time = new ManualTime(NOON.plusSeconds(30));
    private final InMemoryRegistry registry = new InMemoryRegistry(new InMemoryEnsemble(time), Runnable::run);
    private final SortedMap<String, Here> here = new TreeMap<>();
    private final JobInspector inspector = new RegistryJobInspector(registry, time, time, time::instant, () -> here);

    @BeforeEach
    void writeJob() {
        JobDefinitionCodec codec = new JobDefinitionCodec();
        RegistryCommit.Builder job = RegistryCommit.builder().create(TREE.root());
        TREE.parents().forEach(job::create);
        job.create(TREE.config(), codec.config(DEFINITION, Optional.empty()))
                .create(TREE.extension(), codec.extension(DEFINITION, Optional.empty()))
                .create(TREE.server("10.0.0.1"))
                .create(TREE.server("10.0.0.2"))
                .createEphemeral(
                        TREE.instance(US),
                        NodeCodec.instance(US, "10.0.0.1", InstanceLabels.NONE, OptionalInt.empty(), false))
                .createEphemeral(
                        TREE.instance(THEM),
                        NodeCodec.instance(THEM, "10.0.0.2", InstanceLabels.NONE, OptionalInt.empty(), false))
                .createEphemeral(TREE.leader(), US)
                .create(TREE.sharding(), NodeCodec.write(plan()))
                .create(TREE.item(0), ItemRecordCodec.write(Samples.completed(NOON, Duration.ofSeconds(1))));
        write(job);
    }

    private static Assignment plan() {
        return Samples.assignment(DEFINITION, NOON.minus(Duration.ofHours(1)));
    }

    @Test
    void itemThatIsNotDueSaysWhenItIs() {
        Condition condition = only(Verdict.WAITS, Reason.NOT_DUE);

        assertThat(condition.until()).contains(NOON.plus(MINUTE));
        assertThat(condition.node()).contains("/orders/sharding/0");
        assertThat(condition.version()).contains(0);
    }

    /** A firing of a whole cluster begins when the registry's clock has reached it, which is known with a small delay. */
    @Test
    void aRegistryWhoseTimeIsKnownWithADelayIsNoProblemOfTheClock() {
        Assignment opening = plan().withFirings(new FiringPlan(false, NOON, new TreeMap<>()));
        write(RegistryCommit.builder().set(TREE.sharding(), NodeCodec.write(opening), 0));
        var delayed = new RegistryJobInspector(
                registry, time, time, () -> time.instant().minusMillis(29), () -> here);

        Explanation notDue = explained(delayed);
        time.advance(Duration.ofSeconds(30));
        Explanation almost = explained(delayed);

        assertThat(notDue.verdict()).isEqualTo(Verdict.WAITS);
        assertThat(notDue.conditions()).extracting(Condition::reason).doesNotContain(Reason.CLOCK_DIFFERS);
        assertThat(almost.verdict()).isEqualTo(Verdict.WAITS);
        assertThat(almost.conditions().get(0).reason()).isEqualTo(Reason.NOT_DUE);
        assertThat(almost.conditions().get(0).until()).contains(NOON.plus(MINUTE));
    }

    private static Explanation explained(JobInspector by) {
        return by.explain("orders", 0).toCompletableFuture().join().orElseThrow();
    }

    @Test
    void whatOnlyTheOwnerKnowsIsUnknownFromElsewhere() {
        Condition unknown = last();

        assertThat(unknown.reason()).isEqualTo(Reason.INSIDE_THE_INSTANCE);
        assertThat(unknown.certainty()).isEqualTo(Certainty.UNKNOWN);
        assertThat(unknown.fact().text()).contains(US).contains("concurrency");
    }

    @Test
    void ownerKnowsItself() {
        here.put("orders", new Here(JobState.ACTIVE, Optional.of(US), 4));

        assertThat(reasons()).containsExactly(Reason.NOT_DUE);

        here.put("orders", new Here(JobState.SUSPENDED, Optional.of(US), 4));

        assertThat(reasons()).containsExactly(Reason.INSTANCE_NOT_ACTIVE, Reason.NOT_DUE);
    }

    @Test
    void itemThatIsDueHasNoConditionsButTheUnknown() {
        record(Samples.completed(NOON.minus(MINUTE), Duration.ofSeconds(1)));

        Explanation due = explain(0);

        assertThat(due.verdict()).isEqualTo(Verdict.DUE_NOW);
        assertThat(due.owner()).contains(US);
        assertThat(due.conditions()).extracting(Condition::certainty).containsExactly(Certainty.UNKNOWN);
    }

    @Test
    void runningItemNamesTheInstanceAndSinceWhen() {
        record(Samples.running(NOON));
        write(RegistryCommit.builder().createEphemeral(TREE.running(0), THEM));

        Explanation running = explain(0);

        assertThat(running.verdict()).isEqualTo(Verdict.RUNNING);
        Condition lock = running.conditions().get(0);
        assertThat(lock.reason()).isEqualTo(Reason.RUNS);
        assertThat(lock.fact().text()).contains(THEM);
        assertThat(lock.since()).contains(time.instant());
        assertThat(lock.node()).contains("/orders/sharding/0/running");
        assertThat(running.conditions()).extracting(Condition::reason).contains(Reason.NOT_DUE);
    }

    @Test
    void runningItemSaysThatItIsStuck() {
        JobDefinition watched = DEFINITION.toBuilder().stuckAfter(MINUTE).build();
        write(RegistryCommit.builder()
                .set(TREE.extension(), new JobDefinitionCodec().extension(watched, Optional.empty()), 0));
        record(Samples.running(NOON));
        write(RegistryCommit.builder().createEphemeral(TREE.running(0), THEM));

        time.advance(MINUTE);
        String inTime = explain(0).conditions().get(0).fact().text();
        time.advance(Duration.ofSeconds(1));

        assertThat(inTime).endsWith("attempt 1");
        assertThat(explain(0).conditions().get(0).fact().text())
                .endsWith("attempt 1, for longer than its stuckAfter of 1 min");
        assertThat(inspector
                        .job("orders")
                        .toCompletableFuture()
                        .join()
                        .orElseThrow()
                        .items()
                        .get(0)
                        .lock())
                .get()
                .extracting(Lock::stuck)
                .isEqualTo(true);
    }

    @Test
    void cancelledItemThatIgnoresItsInterruptionStaysLockedAndSaysSo() {
        record(Samples.running(NOON).cancelledBy(Cancellation.of("alice", "wrong data")));
        write(RegistryCommit.builder().createEphemeral(TREE.running(0), THEM));

        Explanation running = explain(0);

        assertThat(running.verdict()).isEqualTo(Verdict.RUNNING);
        Condition lock = running.conditions().get(0);
        assertThat(lock.reason()).isEqualTo(Reason.RUNS);
        assertThat(lock.fact().text())
                .isEqualTo("The item is running on \"%s\", attempt 1, cancelled by alice: wrong data".formatted(THEM));
        assertThat(lock.remedy().text()).isEqualTo("It ends when its code responds to the interruption");
    }

    @Test
    void pausedJobSaysByWhomAndSinceWhenBeforeAnythingElse() {
        record(Samples.completed(NOON.minus(MINUTE), Duration.ofSeconds(1)));
        write(RegistryCommit.builder().create(TREE.paused(), PauseSwitch.begun(Optional.empty(), "alice", "INC-7")));

        Condition paused = only(Verdict.BLOCKED, Reason.PAUSED);

        assertThat(paused.fact().text()).isEqualTo("\"alice\" paused the job: INC-7");
        assertThat(paused.node()).contains("/orders/paused");
        assertThat(paused.since()).contains(time.instant());
        assertThat(paused.remedy().text()).contains("Resume the job");
    }

    @Test
    void pauseOfTheNamespaceBlocksTheItemsOfAPlanWithoutOwners() {
        write(RegistryCommit.builder()
                .create(JobTree.namespacePaused(), PauseSwitch.begun(Optional.empty(), "bob", ""))
                .set(TREE.sharding(), NodeCodec.write(plan().withOwners(new TreeMap<>(), "")), 0));

        Explanation paused = explain(0);

        assertThat(paused.verdict()).isEqualTo(Verdict.BLOCKED);
        assertThat(paused.owner()).isEmpty();
        assertThat(paused.conditions()).extracting(Condition::reason).containsExactly(Reason.PAUSED, Reason.NOT_DUE);
        assertThat(paused.conditions().get(0).fact().text())
                .contains("\"bob\" paused")
                .contains("namespace");
        assertThat(paused.conditions().get(0).node()).contains("/.paused");
    }

    @Test
    void pauseOfTheJobIsNamedBeforeThatOfTheNamespaceAndOneThatIsOverIsNot() {
        String begun = PauseSwitch.begun(Optional.empty(), "alice", "");
        write(RegistryCommit.builder().create(TREE.paused(), begun).create(JobTree.namespacePaused(), begun));

        List<Reason> both = reasons();
        Optional<String> first = explain(0).conditions().get(0).node();
        set(TREE.paused(), "{\"paused\":false}");
        Optional<String> second = explain(0).conditions().get(0).node();
        set(JobTree.namespacePaused(), "{\"paused\":false}");

        assertThat(both).containsOnlyOnce(Reason.PAUSED);
        assertThat(first).contains("/orders/paused");
        assertThat(second).contains("/.paused");
        assertThat(reasons()).doesNotContain(Reason.PAUSED);
    }

    @Test
    void disabledItemIsBlockedAlsoWhileItIsNotDue() {
        write(RegistryCommit.builder().create(TREE.disabled(0)));

        Explanation disabled = explain(0);

        assertThat(disabled.verdict()).isEqualTo(Verdict.BLOCKED);
        assertThat(disabled.conditions())
                .extracting(Condition::reason)
                .containsExactly(Reason.ITEM_DISABLED, Reason.NOT_DUE);
        assertThat(disabled.conditions().get(0).since()).contains(time.instant());
    }

    @Test
    void interruptedItemRestsUntilItsPauseIsOver() {
        record(crashed(2));

        Condition rests = explain(0).conditions().get(0);

        assertThat(rests.reason()).isEqualTo(Reason.RESTS);
        assertThat(rests.until()).contains(time.instant().plusSeconds(5));
        assertThat(inspector
                        .job("orders")
                        .toCompletableFuture()
                        .join()
                        .orElseThrow()
                        .items()
                        .get(0)
                        .pauseEnds())
                .isEqualTo(rests.until());
    }

    @Test
    void interruptedItemThatHasUsedUpItsCrashesIsGivenUp() {
        record(crashed(3));

        assertThat(reasons().get(0)).isEqualTo(Reason.GIVEN_UP);
        assertThat(explain(0).conditions().get(0).fact().text()).contains("3 crashes");
    }

    @Test
    void lockThatIsGoneIsSaidToBeFoundByTheNextReader() {
        record(Samples.running(NOON));

        assertThat(reasons().get(0)).isEqualTo(Reason.OWNER_DIED);
    }

    @Test
    void recordThatCannotBeReadBlocksItsItem() {
        set(TREE.item(0), "mend me");

        Condition unreadable = only(Verdict.BLOCKED, Reason.RECORD_UNREADABLE);

        assertThat(unreadable.fact().text()).contains("mend me");
        assertThat(unreadable.version()).contains(1);
    }

    @Test
    void definitionThatCannotBeReadBlocksTheJob() {
        set(TREE.extension(), "{\"timeZone\":\"Mars\"}");

        Condition unreadable = only(Verdict.BLOCKED, Reason.DEFINITION_UNREADABLE);

        assertThat(unreadable.fact().text()).contains("Mars");
        assertThat(unreadable.node()).contains("/orders/extension");
    }

    @Test
    void cronThatCannotBeUsedBlocksNothingBecauseTheOneInForceStays() {
        set(TREE.config(), "{\"jobType\":\"SIMPLE\",\"cron\":\"every so often\",\"shardingTotalCount\":3}");

        assertThat(reasons()).startsWith(Reason.NOT_DUE);
    }

    @Test
    void assignmentThatCannotBeReadBlocksTheJob() {
        set(TREE.sharding(), "mend me");

        only(Verdict.BLOCKED, Reason.ASSIGNMENT_UNREADABLE);
    }

    @Test
    void removedJobSaysSo() {
        delete(TREE.config());
        delete(TREE.extension());

        only(Verdict.BLOCKED, Reason.JOB_REMOVED);
    }

    @Test
    void instancesOfOtherSoftwareBlockTheJob() {
        set(
                TREE.sharding(),
                new String(
                        NodeCodec.write(plan().held(new TreeSet<>(List.of("10.0.0.9@-@7")))), StandardCharsets.UTF_8));

        assertThat(explain(0).verdict()).isEqualTo(Verdict.BLOCKED);
        Condition foreign = explain(0).conditions().get(0);
        assertThat(foreign.reason()).isEqualTo(Reason.FOREIGN_INSTANCES);
        assertThat(foreign.fact().text()).contains("10.0.0.9@-@7");
    }

    @Test
    void jobWithoutInstancesSaysSoFirst() {
        delete(TREE.instance(US));
        delete(TREE.instance(THEM));

        assertThat(explain(0).verdict()).isEqualTo(Verdict.BLOCKED);
        assertThat(reasons()).startsWith(Reason.NO_INSTANCE);
    }

    @Test
    void jobWhoseServersAreAllDisabledSaysSinceWhen() {
        set(TREE.server("10.0.0.1"), "DISABLED");
        time.advance(MINUTE);
        set(TREE.server("10.0.0.2"), "DISABLED");

        Condition disabled = explain(0).conditions().get(0);

        assertThat(disabled.reason()).isEqualTo(Reason.ALL_SERVERS_DISABLED);
        assertThat(disabled.since()).contains(time.instant());
        assertThat(disabled.node()).contains("/orders/servers/10.0.0.2");
    }

    @Test
    void ownerOnADisabledServerGivesItsItemsAway() {
        set(TREE.server("10.0.0.1"), "DISABLED");

        assertThat(reasons()).startsWith(Reason.SERVER_DISABLED, Reason.NOT_DUE);
        assertThat(explain(0).verdict()).isEqualTo(Verdict.WAITS);
    }

    @Test
    void ownerThatDrainsGivesItsItemsAway() {
        long czxid = registry.read(List.of(RegistryRead.data(TREE.instance(US))))
                .toCompletableFuture()
                .join()
                .node(TREE.instance(US))
                .orElseThrow()
                .czxid();
        write(RegistryCommit.builder().create(TREE.drain(US), Long.toString(czxid)));

        assertThat(reasons()).startsWith(Reason.OWNER_DRAINS);
    }

    @Test
    void itemOfADeadOwnerWaitsForTheLeadersPlan() {
        delete(TREE.instance(US));

        assertThat(reasons()).startsWith(Reason.OWNER_GONE, Reason.WAITS_FOR_PLAN);

        delete(TREE.leader());

        assertThat(reasons()).startsWith(Reason.OWNER_GONE, Reason.NO_LEADER);
    }

    @Test
    void firingThatWasMissedWithoutMisfireHandlingIsNamed() {
        write(RegistryCommit.builder()
                .set(
                        TREE.config(),
                        new JobDefinitionCodec()
                                .config(Samples.definition().misfire(false).build(), Optional.empty()),
                        0));
        record(Samples.running(NOON.minus(MINUTE))
                .ended(ItemState.COMPLETED, NOON.minus(MINUTE), NOON.plusSeconds(5), null));

        Condition notDue = explain(0).conditions().get(0);

        assertThat(notDue.reason()).isEqualTo(Reason.NOT_DUE);
        assertThat(notDue.fact().text()).contains(NOON.toString()).contains("missed");
    }

    @Test
    void aFollowerWaitsForTheJobsBeforeIt() {
        writeFollower();
        writeParent("import", true);
        writeParent("prices", true);

        Condition waits = only(Verdict.WAITS, Reason.WAITS_FOR_OTHER_JOBS);

        assertThat(waits.fact().text())
                .contains("has ended in all of these jobs")
                .contains("\"import\", \"prices\"");
    }

    @Test
    void aFollowerOfJobsThatCanNotBeFollowedSaysWhy() {
        writeFollower();
        writeParent("prices", false);

        List<Condition> conditions = explain(0).conditions();

        assertThat(explain(0).verdict()).isEqualTo(Verdict.BLOCKED);
        assertThat(reasons())
                .startsWith(Reason.PARENT_NOT_FOLLOWED, Reason.PARENT_NOT_FOLLOWED, Reason.WAITS_FOR_OTHER_JOBS);
        assertThat(conditions.get(0).fact().text()).contains("\"import\"").contains("no such job");
        assertThat(conditions.get(0).node()).contains("/import/followers/orders");
        assertThat(conditions.get(1).fact().text()).contains("\"prices\"").contains("not registered");
    }

    private void writeParent(String name, boolean lists) {
        JobTree tree = new JobTree(name);
        RegistryCommit.Builder parent = RegistryCommit.builder()
                .create(tree.root())
                .create(tree.root() + "/leader")
                .create(tree.flags());
        write(lists ? parent.create(tree.followers()).create(tree.follower("orders")) : parent);
    }

    private void writeFollower() {
        JobDefinition follower = Samples.definition()
                .cron("")
                .after(new AfterSettings(List.of("import", "prices"), AfterOutcome.ANY, Duration.ofHours(1)))
                .build();
        JobDefinitionCodec codec = new JobDefinitionCodec();
        write(RegistryCommit.builder()
                .delete(TREE.config(), 0)
                .set(TREE.extension(), codec.extension(follower, Optional.empty()), 0)
                .set(
                        TREE.sharding(),
                        NodeCodec.write(Samples.assignment(follower, NOON.minus(Duration.ofHours(1)))),
                        0));
    }

    @Test
    void itemWithoutANodeIsNamed() {
        assertThat(explain(1).conditions()).extracting(Condition::reason).containsExactly(Reason.ITEM_WITHOUT_NODE);
    }

    @Test
    void thereIsNoExplanationOfWhatIsNotThere() {
        assertThat(explained("orders", 3)).isEmpty();
        assertThat(explained("orders", -1)).isEmpty();
        assertThat(explained("unknown", 0)).isEmpty();
        assertThat(explained("", 0)).isEmpty();
        assertThat(explained("orders/sharding", 0)).isEmpty();
    }

    // ------------------------------------------------------------------ asking

    private Optional<Explanation> explained(String job, int item) {
        return inspector.explain(job, item).toCompletableFuture().join();
    }

    private Explanation explain(int item) {
        return explained("orders", item).orElseThrow();
    }

    private List<Reason> reasons() {
        return explain(0).conditions().stream().map(Condition::reason).toList();
    }

    private Condition last() {
        List<Condition> conditions = explain(0).conditions();
        return conditions.get(conditions.size() - 1);
    }

    /** The only one that holds. */
    private Condition only(Verdict verdict, Reason reason) {
        Explanation explanation = explain(0);
        assertThat(explanation.verdict()).isEqualTo(verdict);
        List<Condition> holding = explanation.conditions().stream()
                .filter(condition -> condition.certainty() == Certainty.HOLDS)
                .toList();
        assertThat(holding).extracting(Condition::reason).containsExactly(reason);
        return holding.get(0);
    }

    // ------------------------------------------------------------------ the tree

    private static ItemRecord crashed(int crashes) {
        ItemRecord record = Samples.orphaned(NOON);
        for (int crash = 1; crash < crashes; crash++) {
            record = record.taken(THEM, NOON).orphaned(Instant.EPOCH);
        }
        return record;
    }

    private void record(ItemRecord record) {
        write(RegistryCommit.builder().set(TREE.item(0), ItemRecordCodec.write(record), 0));
    }

    private void set(String path, String data) {
        write(RegistryCommit.builder().set(path, data, RegistryCommit.ANY_VERSION));
    }

    private void delete(String path) {
        write(RegistryCommit.builder().delete(path, RegistryCommit.ANY_VERSION));
    }

    private void write(RegistryCommit.Builder commit) {
        assertThat(registry.commit(registry.session().orElseThrow(), commit.build())
                        .toCompletableFuture()
                        .join()
                        .isCommitted())
                .isTrue();
    }
}
