package dev.elasticjob.coordination.leader;

import static dev.elasticjob.coordination.Samples.unlabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.ShardingStrategy.Measured;
import dev.elasticjob.job.ShardingStrategy.Request;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardingStrategiesTest {
    private static final List<String> C_B_A = List.of("C", "B", "A");
    private static final ShardingStrategies STRATEGIES = ShardingStrategies.builtIn();

    @Test
    void averageAllocationGivesTheLastItemsOneEachToTheFirstInstances() {
        assertThat(shard("AVG_ALLOCATION", "job", 10))
                .isEqualTo(Map.of("C", List.of(0, 1, 2, 9), "B", List.of(3, 4, 5), "A", List.of(6, 7, 8)));
        assertThat(shard("AVG_ALLOCATION", "job", 8))
                .isEqualTo(Map.of("C", List.of(0, 1, 6), "B", List.of(2, 3, 7), "A", List.of(4, 5)));
        assertThat(shard("AVG_ALLOCATION", "job", 1))
                .isEqualTo(Map.of("C", List.of(0), "B", List.of(), "A", List.of()));
    }

    @Test
    void aStrategyThatCantSayWhatItNeedsIsNamed() {
        ShardingStrategy broken = new ShardingStrategy() {
            @Override
            public Map<String, List<Integer>> shard(Request request) {
                return Map.of();
            }

            @Override
            public boolean needsLoads() {
                throw new StackOverflowError("provoked by this test");
            }
        };

        assertThatIllegalArgumentException()
                .isThrownBy(() -> STRATEGIES.withCustom(Map.of("mine", broken)))
                .withMessageContaining("\"mine\"")
                .withMessageContaining("needsLoads")
                .withMessageContaining("provoked by this test");
    }

    @Test
    void odevityReversesTheOrderForAnEvenName() {
        assertThat(shard("ODEVITY", "jobA", 2)).isEqualTo(Map.of("A", List.of(0), "B", List.of(1), "C", List.of()));
        assertThat(shard("ODEVITY", "jobB", 2)).isEqualTo(Map.of("C", List.of(0), "B", List.of(1), "A", List.of()));
    }

    @ParameterizedTest
    @CsvSource({"jobA,A", "jobB,C", "jobC,B"})
    void roundRobinRotatesByName(String jobName, String first) {
        assertThat(shard("ROUND_ROBIN", jobName, 1).get(first)).containsExactly(0);
    }

    @Test
    void roundRobinKeepsTheOrderWhenItRotates() {
        assertThat(shard("ROUND_ROBIN", "jobA", 3))
                .isEqualTo(Map.of("A", List.of(0), "C", List.of(1), "B", List.of(2)));
    }

    @Test
    void nameWhoseHashHasNoAbsoluteValueIsRotatedLikeAnyOther() {
        assertThat("polygenelubricants".hashCode()).isEqualTo(Integer.MIN_VALUE);

        // 2^31 is 2 modulo 3
        assertThat(shard("ROUND_ROBIN", "polygenelubricants", 1).get("A")).containsExactly(0);
        assertThat(shard("ODEVITY", "polygenelubricants", 1).get("A")).containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource({
        "AverageAllocationJobShardingStrategy,AVG_ALLOCATION",
        "OdevitySortByNameJobShardingStrategy,ODEVITY",
        "RotateServerByNameJobShardingStrategy,ROUND_ROBIN"
    })
    void strategyAnswersToTheClassNameOf215(String className, String name) {
        assertThat(STRATEGIES.find("com.dangdang.ddframe.job.lite.api.strategy.impl." + className))
                .isPresent()
                .isEqualTo(STRATEGIES.find(name));
    }

    @Test
    void withoutANameTheNumberOfItemsDecides() {
        JobDefinition.Builder job = JobDefinition.builder("job").cron("0 0 0 1 1 ?");

        assertThat(ShardingStrategies.nameFor(job.shardingTotalCount(1).build()))
                .isEqualTo("SPREAD");
        assertThat(ShardingStrategies.nameFor(job.shardingTotalCount(2).build()))
                .isEqualTo("AVG_ALLOCATION");
        assertThat(ShardingStrategies.nameFor(job.shardingTotalCount(1)
                        .jobShardingStrategyClass(" AVG_ALLOCATION ")
                        .build()))
                .isEqualTo("AVG_ALLOCATION");
    }

    @Test
    void anUnknownNameIsNotFound() {
        assertThat(STRATEGIES.find("com.example.Unknown")).isEmpty();
        assertThat(STRATEGIES.names())
                .containsExactly(
                        "AVG_ALLOCATION", "ODEVITY", "ROUND_ROBIN", "STICKY", "ZONE", "WEIGHTED", "SPREAD", "MEASURED");
    }

    @Test
    void theSettingNamesAllOfThem() {
        assertThat(JobSettings.JOB_SHARDING_STRATEGY_CLASS.description()).contains(STRATEGIES.names());
    }

    @Test
    void customStrategyIsFoundByItsName() {
        ShardingStrategy allToOne = request -> Map.of(request.instances().get(0), List.of(0));

        ShardingStrategies strategies = STRATEGIES.withCustom(Map.of("allToOne", allToOne));

        assertThat(strategies.find("allToOne")).hasValue(allToOne);
        assertThat(strategies.names()).endsWith("allToOne");
        assertThat(STRATEGIES.find("allToOne")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"STICKY", "com.dangdang.ddframe.job.lite.api.strategy.impl.OdevitySortByNameJobShardingStrategy", "''"})
    void customStrategyCannotTakeANameInUse(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> STRATEGIES.withCustom(Map.of(name, request -> Map.of())))
                .withMessageContaining("\"" + name + "\"")
                .withMessageContaining("ROUND_ROBIN");
    }

    // ------------------------------------------------------------------ zones

    @Test
    void zonesGetTheSameNumberOfItemsWhateverTheNumberOfTheirInstances() {
        Map<String, List<Integer>> shares = zone(8, Map.of(), "a A1", "a A2", "a A3", "b B1");

        assertThat(shares.get("B1")).hasSize(4);
        assertThat(List.of(
                        shares.get("A1").size(),
                        shares.get("A2").size(),
                        shares.get("A3").size()))
                .containsExactlyInAnyOrder(1, 1, 2);
    }

    @Test
    void whatAZoneHadIsDividedAmongTheOthersWhenItFails() {
        Map<Integer, String> before = owners(zone(9, Map.of(), "a A1", "a A2", "b B1", "b B2", "c C1"));

        Map<Integer, String> after = owners(zone(9, before, "a A1", "a A2", "c C1"));

        assertThat(after.values().stream().filter(owner -> owner.startsWith("A")))
                .hasSizeBetween(4, 5);
        before.forEach((item, owner) -> {
            if (!owner.startsWith("B")) {
                assertThat(after.get(item)).as("item %d", item).isEqualTo(owner);
            }
        });
    }

    @Test
    void anInstanceThatJoinsGetsItemsOfItsOwnZoneOnly() {
        Map<Integer, String> before = owners(zone(12, Map.of(), "a A1", "b B1", "b B2"));

        Map<Integer, String> after = owners(zone(12, before, "a A1", "a A2", "b B1", "b B2"));

        before.forEach((item, owner) -> {
            String now = after.getOrDefault(item, "");
            assertThat(now.equals(owner) || (owner.equals("A1") && now.equals("A2")))
                    .as("item %d from %s to %s", item, owner, now)
                    .isTrue();
        });
        assertThat(after.values().stream().filter("A2"::equals)).hasSize(3);
    }

    @Test
    void theFirstInstanceOfAZoneTakesFromThoseThatHaveMostSoThatNothingElseMoves() {
        Map<Integer, String> before = owners(zone(12, Map.of(), "a A1", "a A2", "a A3"));

        Map<Integer, String> after = owners(zone(12, before, "a A1", "a A2", "a A3", "b B1"));

        assertThat(after.values())
                .containsExactlyInAnyOrder("A1", "A1", "A2", "A2", "A3", "A3", "B1", "B1", "B1", "B1", "B1", "B1");
        before.forEach(
                (item, owner) -> assertThat(after.get(item)).as("item %d", item).isIn(owner, "B1"));
    }

    @Test
    void instancesWithoutAZoneAreAZone() {
        Map<String, List<Integer>> shares = zone(6, Map.of(), "a A1", " X", " Y");

        assertThat(shares.get("A1")).hasSize(3);
    }

    /** @param instances zone and id of each, with a space between them */
    private static Map<String, List<Integer>> zone(int items, Map<Integer, String> owners, String... instances) {
        Map<String, Map<String, String>> labels = new HashMap<>();
        for (String instance : instances) {
            String[] words = instance.split(" ");
            labels.put(words[1], words[0].isEmpty() ? Map.of() : Map.of("zone", words[0]));
        }
        List<String> ids =
                labels.keySet().stream().sorted(Comparator.reverseOrder()).toList();
        Request request = new Request("jobA", items, ids, owners, labels);
        Map<String, List<Integer>> shares =
                STRATEGIES.find("ZONE").orElseThrow().shard(request);
        ShardingStrategies.checkedOwners("ZONE", request, shares);
        return shares;
    }

    private static Map<Integer, String> owners(Map<String, List<Integer>> shares) {
        Map<Integer, String> owners = new TreeMap<>();
        shares.forEach((instance, items) -> items.forEach(item -> owners.put(item, instance)));
        return owners;
    }

    @Test
    void checkedAnswerIsTheOwnerOfEachItem() {
        assertThat(ShardingStrategies.checkedOwners(
                        "mine", request("job", 3), Map.of("A", List.of(2, 0), "C", List.of(1))))
                .containsExactly(Map.entry(0, "A"), Map.entry(1, "C"), Map.entry(2, "A"));
    }

    @Test
    void itemsAreDividedByTheStrategyThatTheDefinitionNames() {
        assertThat(STRATEGIES.divide(job("ODEVITY"), unlabelled("C", "B", "A"), Map.of(), Map.of(), Measured.NOTHING))
                .isEqualTo(Map.of(0, "A", 1, "B"));
        assertThat(STRATEGIES.divide(job(""), unlabelled("C", "B", "A"), Map.of(), Map.of(), Measured.NOTHING))
                .isEqualTo(Map.of(0, "C", 1, "B"));
        assertThat(STRATEGIES.divide(
                        job("STICKY"), unlabelled("C", "B", "A"), Map.of(0, "B", 1, "A"), Map.of(), Measured.NOTHING))
                .isEqualTo(Map.of(0, "B", 1, "A"));
    }

    @Test
    void strategyThatIsUnknownOrThrowsIsNamed() {
        ShardingStrategies strategies = STRATEGIES.withCustom(Map.of("broken", request -> {
            throw new UnsupportedOperationException("not today");
        }));

        assertThatIllegalStateException()
                .isThrownBy(() -> strategies.divide(
                        job("missing"), unlabelled("C", "B", "A"), Map.of(), Map.of(), Measured.NOTHING))
                .withMessageContainingAll(
                        "\"jobA\"", "\"missing\"", "STICKY, ZONE, WEIGHTED, SPREAD, MEASURED, broken");
        assertThatIllegalStateException()
                .isThrownBy(() -> strategies.divide(
                        job("broken"), unlabelled("C", "B", "A"), Map.of(), Map.of(), Measured.NOTHING))
                .withMessageContainingAll("\"jobA\"", "\"broken\"", "not today")
                .withCauseInstanceOf(UnsupportedOperationException.class);
    }

    private static JobDefinition job(String strategy) {
        return JobDefinition.builder("jobA")
                .cron("0 0 9 * * ?")
                .shardingTotalCount(2)
                .jobShardingStrategyClass(strategy)
                .build();
    }

    @Test
    void firstFaultOfAnAnswerIsNamed() {
        assertFault(Map.of("A", List.of(0, 2)), "item 1 was not assigned");
        assertFault(Map.of("A", List.of(0, 1, 1, 2)), "item 1 was assigned to \"A\" and to \"A\"");
        assertFault(Map.of("A", List.of(0, 1, 2, 3)), "there is no item 3");
        assertFault(Map.of("A", List.of(-1)), "there is no item -1");
        assertFault(Map.of("X", List.of(0, 1, 2)), "it assigned [0, 1, 2] to \"X\"; the instances are [C, B, A]");
        assertThatIllegalStateException()
                .isThrownBy(() -> ShardingStrategies.checkedOwners("mine", request("job", 3), null))
                .withMessageEndingWith("it returned null");
    }

    private static void assertFault(Map<String, List<Integer>> answer, String fault) {
        assertThatIllegalStateException()
                .isThrownBy(() -> ShardingStrategies.checkedOwners("mine", request("job", 3), answer))
                .withMessageStartingWith("Sharding strategy \"mine\" must assign each of the 3 items of job \"job\"")
                .withMessageEndingWith(fault);
    }

    private static Map<String, List<Integer>> shard(String strategy, String jobName, int items) {
        return STRATEGIES.find(strategy).orElseThrow().shard(request(jobName, items));
    }

    private static Request request(String jobName, int items) {
        return new Request(jobName, items, C_B_A, Map.of());
    }
}
