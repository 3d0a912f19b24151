package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.CancelAnswer.Result;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.CommandHistory;
import dev.elasticjob.admin.command.CommandHistory.Entry;
import dev.elasticjob.admin.command.DisableAnswer;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operators cancel, disable and enable several items with one command. */
class SeveralItemsTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final String CORRUPT = "{\"state\":\"INTERRUPTED\"}";

    private final SimulatedCluster cluster = new SimulatedCluster(11);
    private final JobAdmin admin = new RegistryJobAdmin(cluster.operator());

    // ------------------------------------------------------------------ disabling

    @Test
    void whatIsDisabledLetsItsFiringsPassUntilItIsEnabled() {
        start(4);

        cluster.get(admin.disableItems("orders", Set.of(0, 2, 3)));
        cluster.pass(Duration.ofMinutes(1));
        List<Integer> whileDisabled = executed();
        cluster.get(admin.enableItems("orders", Set.of(2, 3)));
        cluster.forget();
        cluster.pass(Duration.ofMinutes(1));

        assertThat(whileDisabled).containsExactly(1);
        assertThat(executed()).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void theAnswerSaysWhatBecameOfEachItem() {
        start(4);
        cluster.get(admin.disableItem("orders", 2));

        DisableAnswer disabled = cluster.get(admin.disableItems("orders", Set.of(1, 2)));
        DisableAnswer enabled = cluster.get(admin.enableItems("orders", Set.of(0, 1, 2)));

        assertThat(disabled.items())
                .containsExactly(
                        Map.entry(1, DisableAnswer.Result.CHANGED), Map.entry(2, DisableAnswer.Result.ALREADY));
        assertThat(enabled.items())
                .containsExactly(
                        Map.entry(0, DisableAnswer.Result.ALREADY),
                        Map.entry(1, DisableAnswer.Result.CHANGED),
                        Map.entry(2, DisableAnswer.Result.CHANGED));
    }

    @Test
    void upToTwoHundredItemsAreOneTransaction() {
        start(450);

        cluster.get(admin.disableItems("orders", items(0, 200)));
        long transactions = transactions(0, 200);
        cluster.get(admin.disableItems("orders", items(200, 450)));

        assertThat(transactions).isEqualTo(1);
        assertThat(transactions(200, 450)).isEqualTo(2);
    }

    @Test
    void unknownItemsAreAllNamedAndNothingIsDisabled() {
        start(450);

        assertThatThrownBy(() -> cluster.get(admin.disableItems("orders", Set.of(0, 450, 451, 452, 900))))
                .hasRootCauseInstanceOf(UnknownTargetException.class)
                .hasMessageContaining("has no items [450-452,900]");
        assertThatThrownBy(() -> cluster.get(admin.disableItems("orders", items(1, 451))))
                .hasRootCauseInstanceOf(UnknownTargetException.class)
                .hasMessageContaining("has no item 450");
        assertThat(cluster.tree()).doesNotContain("/disabled");
    }

    @Test
    void anEnabledItemIsNoneOfTheUnknown() {
        start(2);
        cluster.get(admin.disableItems("orders", Set.of(0, 1)));

        assertThatThrownBy(() -> cluster.get(admin.enableItems("orders", Set.of(0, 1, 2))))
                .hasMessageContaining("has no item 2");
        assertThat(cluster.read(TREE.disabled(0))).isPresent();
        assertThat(cluster.read(TREE.disabled(1))).isPresent();
    }

    @Test
    void noItemsAreRefused() {
        start(1);

        assertThatThrownBy(() -> cluster.get(admin.disableItems("orders", Set.of())))
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one item");
        assertThatThrownBy(() -> cluster.get(admin.enableItems("orders", Set.of())))
                .hasMessageContaining("at least one item");
        assertThatThrownBy(() -> CancelRequest.items(List.of())).hasMessageContaining("items or a run id");
        assertThatThrownBy(() -> CancelRequest.run("r1").onItems(List.of())).hasMessageContaining("at least one item");
    }

    // ------------------------------------------------------------------ cancelling

    @Test
    void whatEachItemExecutesIsCancelledOfWhicheverRunItIs() {
        start(5);
        holding("one", 0, 1);
        holding("two", 2, 3);

        CancelAnswer answer = cluster.get(admin.cancel("orders", CancelRequest.items(List.of(0, 1, 2, 4))));
        letItemsBegin();

        assertThat(answer.items())
                .containsExactly(
                        Map.entry(0, Result.ASKED),
                        Map.entry(1, Result.ASKED),
                        Map.entry(2, Result.ASKED),
                        Map.entry(4, Result.NOTHING));
        assertThat(answer.runs()).containsExactly(Map.entry("one", sorted(0, 1)), Map.entry("two", sorted(2)));
        assertThat(answer.text()).isEqualTo("run one: items [0-1] ASKED; run two: items [2] ASKED; items [4] NOTHING");
        assertThatThrownBy(answer::runId).isInstanceOf(IllegalStateException.class);
        assertThat(executed()).containsExactly(3);
    }

    @Test
    void upToTwoHundredItemsOfSeveralRunsAreOneTransaction() {
        start(300);
        holding("one", IntStream.range(0, 100).toArray());
        holding("two", IntStream.range(100, 300).toArray());

        JobAdmin dying = new RegistryJobAdmin(new DyingAfterOneCommit(cluster.operator()));
        CancelAnswer answer = cluster.get(dying.cancel("orders", CancelRequest.items(items(0, 200))));

        assertThat(answer.items()).hasSize(200);
        assertThat(answer.items().values()).containsOnly(Result.ASKED);
        assertThat(answer.runs().get("two")).hasSize(100);
    }

    @Test
    void aCommandThatBrokeOffBetweenTwoTransactionsIsRepeated() {
        start(300);
        holding("one", IntStream.range(0, 300).toArray());
        JobAdmin dying = new RegistryJobAdmin(new DyingAfterOneCommit(cluster.operator()));

        assertThatThrownBy(() -> cluster.get(dying.cancel("orders", CancelRequest.items(items(0, 300)))))
                .hasRootCauseInstanceOf(RegistryUnavailableException.class);
        cluster.get(admin.cancel("orders", CancelRequest.run("one").onItems(items(0, 300))));
        letItemsBegin();
        JobAdmin another = new RegistryJobAdmin(new DyingAfterOneCommit(cluster.operator()));
        assertThatThrownBy(() -> cluster.get(another.disableItems("orders", items(0, 300))))
                .hasRootCauseInstanceOf(RegistryUnavailableException.class);
        DisableAnswer repeated = cluster.get(admin.disableItems("orders", items(0, 300)));

        assertThat(executed()).isEmpty();
        assertThat(repeated.items().values())
                .filteredOn(result -> result == DisableAnswer.Result.ALREADY)
                .hasSize(200);
    }

    @Test
    void aRunIsCancelledOnSomeItemsAndGoesOnOnTheOthers() {
        start(5);
        holding("first", 1, 2);
        cluster.get(admin.trigger("orders", new RunRequest("second", "", sorted(1, 2, 3))));
        cluster.pass(Duration.ofSeconds(1));

        CancelAnswer answer =
                cluster.get(admin.cancel("orders", CancelRequest.run("second").onItems(List.of(1, 3, 4))));
        letItemsBegin();

        assertThat(answer.items())
                .containsExactly(
                        Map.entry(1, Result.DROPPED), Map.entry(3, Result.ASKED), Map.entry(4, Result.NOTHING));
        assertThat(answer.runId()).isEqualTo("second");
        assertThat(cluster.executions())
                .extracting(Execution::runId, Execution::item)
                .containsExactlyInAnyOrder(tuple("first", 1), tuple("first", 2), tuple("second", 2));
    }

    @Test
    void whereNothingCanBeCancelledTheItemsAreNamed() {
        start(4);
        holding("one", 3);

        assertThatThrownBy(() -> cluster.get(admin.cancel("orders", CancelRequest.items(List.of(0, 1, 2)))))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Of items [0-2]", "none is executing");
        assertThatThrownBy(() -> cluster.get(
                        admin.cancel("orders", CancelRequest.run("one").onItems(List.of(0, 1)))))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("have nothing to do with it");
    }

    @Test
    void unknownItemsAreAllNamedAndNothingIsCancelled() {
        start(2);
        holding("one", 0, 1);

        assertThatThrownBy(() -> cluster.get(admin.cancel("orders", CancelRequest.items(List.of(0, 2, 3, 7)))))
                .hasRootCauseInstanceOf(UnknownTargetException.class)
                .hasMessageContaining("has no items [2-3,7]: it has 2 items");
        assertThatThrownBy(() -> cluster.get(
                        admin.cancel("orders", CancelRequest.run("one").onItems(List.of(0, 2)))))
                .hasRootCauseInstanceOf(UnknownTargetException.class)
                .hasMessageContaining("has no item 2");
        assertThat(cluster.read(TREE.item(0)).orElseThrow().text()).doesNotContain("cancelled");
        letItemsBegin();
        assertThat(executed()).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void anItemWhoseRecordCannotBeReadIsSaidAndTheOthersAreCancelled() {
        start(3);
        holding("one", 0);
        cluster.commit(RegistryCommit.builder().set(TREE.item(1), CORRUPT, RegistryCommit.ANY_VERSION));

        CancelAnswer answer = cluster.get(admin.cancel("orders", CancelRequest.items(List.of(0, 1))));

        assertThat(answer.items()).containsExactly(Map.entry(0, Result.ASKED), Map.entry(1, Result.UNREADABLE));
    }

    // ------------------------------------------------------------------ the last commands

    @Test
    void theHistoryShowsTheItemsAsRanges() {
        start(6);
        holding("one", 0, 1, 2);

        cluster.get(admin.disableItem("orders", 4));
        cluster.get(admin.disableItems("orders", Set.of(1, 3, 4, 5)));
        cluster.get(admin.cancel("orders", CancelRequest.items(List.of(0, 1, 2))));
        cluster.get(admin.cancel("orders", CancelRequest.run("one").onItems(List.of(0, 2))));
        List<Entry> shown = commands();

        assertThat(shown)
                .extracting(Entry::command)
                .startsWith(
                        "cancel run one on items [0,2]",
                        "cancel items [0-2]",
                        "disable items [1,3-5]",
                        "disable item 4");
        assertThat(shown.get(1).outcome()).isEqualTo("run one: items [0-2] ASKED");
        assertThat(shown.get(2).before()).isEqualTo("[4] disabled");
        assertThat(shown.get(2).outcome()).isEqualTo("3 items changed; [4] were so already");
    }

    @Test
    void ofManyRangesTheHistoryShowsTheFirstAndHowManyItemsThereAre() {
        start(400);
        Set<Integer> odd = items(0, 400).stream().filter(item -> item % 2 == 1).collect(Collectors.toSet());

        cluster.get(admin.disableItems("orders", odd));

        assertThat(commands().get(0).command())
                .startsWith("disable items [1,3,5,")
                .endsWith(",… (200 items)]")
                .hasSizeLessThan(100);
    }

    // ------------------------------------------------------------------ helpers

    private void start(int items) {
        cluster.start(
                "a@-@1",
                JobDefinition.builder("orders")
                        .cron("30 * * * * ?")
                        .timeZone(ZoneOffset.UTC)
                        .shardingTotalCount(items)
                        .build());
        cluster.pass(Duration.ofSeconds(5));
    }

    /** The items are claimed for a run, and don't begin yet. */
    private void holding(String runId, int... items) {
        cluster.holdItems();
        cluster.get(admin.trigger("orders", new RunRequest(runId, "", sorted(items))));
        cluster.pass(Duration.ofSeconds(1));
    }

    private void letItemsBegin() {
        cluster.letItemsBegin();
        cluster.pass(Duration.ofSeconds(10));
    }

    private List<Integer> executed() {
        return cluster.executions().stream().map(Execution::item).toList();
    }

    private long transactions(int from, int until) {
        return IntStream.range(from, until)
                .mapToObj(item -> cluster.read(TREE.disabled(item))
                        .map(RegistryNode::czxid)
                        .orElseThrow())
                .distinct()
                .count();
    }

    private List<Entry> commands() {
        return CommandHistory.read(cluster.read(TREE.commands()).orElseThrow());
    }

    private static Set<Integer> items(int from, int until) {
        return IntStream.range(from, until).boxed().collect(Collectors.toSet());
    }

    private static TreeSet<Integer> sorted(int... items) {
        return IntStream.of(items).boxed().collect(Collectors.toCollection(TreeSet::new));
    }
}
