package dev.elasticjob.admin.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.explain.ReshardPreview.Present;
import dev.elasticjob.admin.explain.ReshardPreview.Share;
import dev.elasticjob.coordination.leader.Candidates;
import dev.elasticjob.coordination.view.Members.Shown;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.job.ShardingStrategy.Measured;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each question about a job of six items, of which a and b own three each. */
class ReshardPreviewTest {
    private static final Map<Integer, String> OWNERS = Map.of(0, "b", 1, "b", 2, "b", 3, "a", 4, "a", 5, "a");
    private static final Present TWO = new Present(
            job("").build(), Set.of("a", "b"), Candidates.of(eligible("a", "b")), OWNERS, Map.of(), Measured.NOTHING);

    static Stream<Arguments> questions() {
        return Stream.of(
                row("nothing", TWO, WhatIf.nothing(), "a=[3, 4, 5] b=[0, 1, 2]", "moved []"),
                row(
                        "one gone",
                        TWO,
                        WhatIf.nothing().without("b"),
                        "a=[0, 1, 2, 3, 4, 5] b=[] LEAVES",
                        "moved [0, 1, 2]"),
                row("one more", TWO, WhatIf.nothing().more(1), "+1=[4, 5] JOINS a=[2, 3] b=[0, 1]", "moved [2, 4, 5]"),
                row(
                        "one more, with as few moves as balance allows",
                        TWO,
                        WhatIf.nothing().more(1).strategy("STICKY"),
                        "+1=[2, 5] JOINS a=[3, 4] b=[0, 1]",
                        "moved [2, 5]"),
                row(
                        "one replaced",
                        TWO,
                        WhatIf.nothing().without("b").more(1).strategy("STICKY"),
                        "+1=[0, 1, 2] JOINS a=[3, 4, 5] b=[] LEAVES",
                        "moved [0, 1, 2]"),
                row(
                        "all gone",
                        TWO,
                        WhatIf.nothing().without("a", "b"),
                        "a=[] LEAVES b=[] LEAVES",
                        "unowned [0, 1, 2, 3, 4, 5]"),
                row("fewer items", TWO, WhatIf.nothing().total(4), "a=[2, 3] b=[0, 1]", "moved [2] removed [4, 5]"),
                row(
                        "more items",
                        TWO,
                        WhatIf.nothing().total(8),
                        "a=[4, 5, 6, 7] b=[0, 1, 2, 3]",
                        "moved [3] assigned [6, 7]"),
                row(
                        "by the name of Elastic-Job 2.1.5",
                        TWO,
                        WhatIf.nothing()
                                .strategy(
                                        "com.dangdang.ddframe.job.lite.api.strategy.impl.OdevitySortByNameJobShardingStrategy"),
                        "a=[0, 1, 2] b=[3, 4, 5]",
                        "moved [0, 1, 2, 3, 4, 5]"),
                row(
                        "an instance that drains, or is disabled, gets none",
                        new Present(
                                TWO.definition(),
                                Set.of("a", "b"),
                                Candidates.of(eligible("a")),
                                OWNERS,
                                Map.of(),
                                Measured.NOTHING),
                        WhatIf.nothing(),
                        "a=[0, 1, 2, 3, 4, 5] b=[]",
                        "moved [0, 1, 2]"),
                row(
                        "an owner that has died",
                        new Present(
                                TWO.definition(),
                                Set.of("a"),
                                Candidates.of(eligible("a")),
                                OWNERS,
                                Map.of(),
                                Measured.NOTHING),
                        WhatIf.nothing(),
                        "a=[0, 1, 2, 3, 4, 5] b=[] LEAVES",
                        "moved [0, 1, 2]"),
                row(
                        "nothing assigned yet, or paused",
                        new Present(
                                TWO.definition(),
                                Set.of("a", "b"),
                                Candidates.of(eligible("a", "b")),
                                Map.of(),
                                Map.of(),
                                Measured.NOTHING),
                        WhatIf.nothing(),
                        "a=[3, 4, 5] b=[0, 1, 2]",
                        "assigned [0, 1, 2, 3, 4, 5]"),
                row(
                        "another strategy than the application's own",
                        new Present(
                                job("byRegion").build(),
                                Set.of("a", "b"),
                                Candidates.of(eligible("a", "b")),
                                OWNERS,
                                Map.of(),
                                Measured.NOTHING),
                        WhatIf.nothing().strategy("AVG_ALLOCATION"),
                        "a=[3, 4, 5] b=[0, 1, 2]",
                        "moved []"));
    }

    private static Arguments row(String name, Present present, WhatIf question, String shares, String items) {
        return Arguments.of(name, present, question, shares, items);
    }

    private static JobDefinition.Builder job(String strategy) {
        return JobDefinition.builder("even")
                .cron("0 0 4 * * ?")
                .shardingTotalCount(6)
                .jobShardingStrategyClass(strategy);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("questions")
    void theStrategyOfTheJobDividesTheItems(
            String name, Present present, WhatIf question, String shares, String items) {
        ReshardPreview preview = ReshardPreview.of(present, question);

        assertThat(preview.instances().stream().map(ReshardPreviewTest::text).collect(Collectors.joining(" ")))
                .isEqualTo(shares);
        assertThat(items(preview)).isEqualTo(items);
    }

    private static String text(Share share) {
        String change = share.change() == ReshardPreview.Change.STAYS ? "" : " " + share.change();
        return share.instance() + "=" + share.after() + change;
    }

    private static String items(ReshardPreview preview) {
        Map<String, Object> found = new TreeMap<>();
        found.put("1moved", preview.moved());
        found.put("2assigned", preview.assigned());
        found.put("3unowned", preview.unowned());
        found.put("4removed", preview.removed());
        String text = found.entrySet().stream()
                .filter(entry -> !entry.getValue().toString().equals("[]"))
                .map(entry -> entry.getKey().substring(1) + " " + entry.getValue())
                .collect(Collectors.joining(" "));
        return text.isEmpty() ? "moved []" : text;
    }

    @Test
    void aStrategyThatIsABeanElsewhereIsRefusedByName() {
        Present own = new Present(
                job("byRegion").build(), Set.of("a"), Candidates.of(eligible("a")), OWNERS, Map.of(), Measured.NOTHING);

        assertThatThrownBy(() -> ReshardPreview.of(own, WhatIf.nothing()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"byRegion\"")
                .hasMessageContaining("may be a bean of the application")
                .hasMessageContaining("STICKY");
        assertThatThrownBy(() -> ReshardPreview.of(TWO, WhatIf.nothing().strategy("weigthed")))
                .hasMessageContaining("Did you mean \"WEIGHTED\"?");
        assertThatThrownBy(() -> ReshardPreview.of(TWO, WhatIf.nothing().strategy("byRegion")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("\"byRegion\"");
    }

    @Test
    void instancesThatWouldJoinHaveTheCapacityOfThePresentOnesInTurns() {
        JobDefinition definition = job("WEIGHTED").shardingTotalCount(17).build();
        Map<String, Shown> eligible = Map.of("a", carrying(1), "b", carrying(5));
        Present present = new Present(
                definition, eligible.keySet(), Candidates.of(eligible), Map.of(), Map.of(), Measured.NOTHING);

        ReshardPreview preview = ReshardPreview.of(present, WhatIf.nothing().more(3));

        assertThat(counts(preview)).isEqualTo(Map.of("a", 1, "b", 5, "+1", 5, "+2", 1, "+3", 5));
    }

    /** Two instances of zone a have three items each, and the one of zone b has none. */
    @Test
    void zonesAreFilledEvenlyAndOneThatFailsLeavesItsItemsToTheOthers() {
        Map<String, Shown> eligible = Map.of("a1", in("a"), "a2", in("a"), "b1", in("b"));
        Map<Integer, String> owners = Map.of(0, "a1", 1, "a1", 2, "a1", 3, "a2", 4, "a2", 5, "a2");
        Present present = new Present(
                job("ZONE").build(), eligible.keySet(), Candidates.of(eligible), owners, Map.of(), Measured.NOTHING);

        ReshardPreview even = ReshardPreview.of(present, WhatIf.nothing());
        ReshardPreview failed = ReshardPreview.of(present, WhatIf.nothing().without("a1", "a2"));
        ReshardPreview joined = ReshardPreview.of(present, WhatIf.nothing().more(3));

        assertThat(even.strategy()).isEqualTo("ZONE");
        assertThat(counts(even)).isEqualTo(Map.of("a1", 2, "a2", 1, "b1", 3));
        assertThat(even.moved()).hasSize(3);
        assertThat(counts(failed)).isEqualTo(Map.of("a1", 0, "a2", 0, "b1", 6));
        assertThat(counts(joined))
                .as("of the zones a, a and b")
                .isEqualTo(Map.of("a1", 1, "a2", 1, "+1", 1, "+2", 0, "b1", 2, "+3", 1));
    }

    private static Map<String, Integer> counts(ReshardPreview preview) {
        return preview.instances().stream()
                .collect(
                        Collectors.toMap(Share::instance, share -> share.after().size()));
    }

    private static Shown in(String zone) {
        return new Shown(InstanceLabels.of(Map.of("zone", zone)), OptionalInt.empty());
    }

    @Test
    void anInstanceThatIsNotThereIsRefusedByName() {
        assertThatThrownBy(() -> ReshardPreview.of(TWO, WhatIf.nothing().without("b", "c")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Job \"even\" has no instance [c]; its instances are [a, b]");
    }

    @Test
    void numbersOutOfTheirRangeAreRefused() {
        assertThatThrownBy(() -> WhatIf.nothing().more(1_001)).hasMessageContaining("\"more\"");
        assertThatThrownBy(() -> WhatIf.nothing().more(-1)).hasMessageContaining("\"more\"");
        assertThatThrownBy(() -> WhatIf.nothing().total(0)).hasMessageContaining("\"total\"");
        assertThatThrownBy(() -> WhatIf.nothing().total(100_001)).hasMessageContaining("\"total\"");
    }

    private static Shown carrying(int capacity) {
        return new Shown(InstanceLabels.NONE, OptionalInt.of(capacity));
    }

    private static Map<String, Shown> eligible(String... instances) {
        return Stream.of(instances).collect(Collectors.toMap(id -> id, id -> Shown.NOTHING));
    }
}
