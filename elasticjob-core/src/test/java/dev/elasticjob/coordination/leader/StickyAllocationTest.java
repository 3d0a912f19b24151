package dev.elasticjob.coordination.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ShardingStrategy.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StickyAllocationTest {
    private final StickyAllocation sticky = new StickyAllocation();

    @Test
    void instanceThatJoinsGetsOnlyWhatBalanceAsksFor() {
        Map<Integer, String> owners = Map.of(0, "C", 1, "C", 2, "C", 3, "B", 4, "B", 5, "B");

        assertThat(sticky.shard(new Request("jobB", 6, List.of("C", "B", "A"), owners)))
                .isEqualTo(Map.of("C", List.of(0, 1), "B", List.of(3, 4), "A", List.of(2, 5)));
    }

    @Test
    void itemsOfAnInstanceThatLeftAreSharedOut() {
        Map<Integer, String> owners = Map.of(0, "C", 1, "C", 3, "B", 4, "B", 2, "A", 5, "A");

        assertThat(sticky.shard(new Request("jobB", 6, List.of("C", "A"), owners)))
                .isEqualTo(Map.of("C", List.of(0, 1, 4), "A", List.of(2, 5, 3)));
    }

    @Test
    void nothingMovesWhereNothingChanged() {
        Map<Integer, String> owners = Map.of(0, "A", 1, "C", 2, "B", 3, "A");

        assertThat(sticky.shard(new Request("job", 4, List.of("C", "B", "A"), owners)))
                .isEqualTo(Map.of("A", List.of(0, 3), "C", List.of(1), "B", List.of(2)));
    }

    @Test
    void newJobsWithOneItemAreSpreadOverTheInstances() {
        var used = IntStream.range(0, 30)
                .mapToObj(i -> new Request("job" + i, 1, List.of("C", "B", "A"), Map.of()))
                .map(request -> ShardingStrategies.checkedOwners("STICKY", request, sticky.shard(request))
                        .get(0))
                .distinct();

        assertThat(used).containsExactlyInAnyOrder("A", "B", "C");
    }

    @Test
    void everyAnswerIsBalancedAndMovesAsFewItemsAsPossible() {
        var random = new Random(7);
        Map<Integer, String> owners = new HashMap<>();

        for (int round = 0; round < 5_000; round++) {
            Request request = nextRequest(random, owners);

            Map<String, List<Integer>> answer = sticky.shard(request);

            Map<Integer, String> assigned = ShardingStrategies.checkedOwners("STICKY", request, answer);
            IntStream sizes = answer.values().stream().mapToInt(List::size);
            var statistics = sizes.summaryStatistics();
            assertThat(answer).hasSize(request.instances().size());
            assertThat(statistics.getMax() - statistics.getMin()).isLessThanOrEqualTo(1);
            assertThat(kept(request, assigned)).isEqualTo(mostThatCanBeKept(request));
            assertThat(sticky.shard(request)).isEqualTo(answer);
            owners = new HashMap<>(assigned);
        }
    }

    /** Members come and go, the count changes, and now and then somebody has meddled with the owners. */
    private static Request nextRequest(Random random, Map<Integer, String> owners) {
        List<String> instances = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            if (random.nextInt(3) > 0) {
                instances.add("10.0.0." + i + "@-@1");
            }
        }
        if (instances.isEmpty()) {
            instances.add("10.0.0.9@-@1");
        }
        instances.sort(Comparator.reverseOrder());
        if (random.nextInt(4) == 0) {
            owners.replaceAll((item, owner) -> "10.0.0." + random.nextInt(10) + "@-@1");
        }
        return new Request("job" + random.nextInt(5), 1 + random.nextInt(40), instances, owners);
    }

    private static long kept(Request request, Map<Integer, String> assigned) {
        return assigned.entrySet().stream()
                .filter(entry -> entry.getValue().equals(request.currentOwners().get(entry.getKey())))
                .count();
    }

    /** The best split of the larger shares, found by sorting: whoever owns most has the most to gain. */
    private static long mostThatCanBeKept(Request request) {
        int small = request.shardingTotalCount() / request.instances().size();
        int large = request.shardingTotalCount() % request.instances().size();
        List<Long> owned = request.instances().stream()
                .map(instance -> IntStream.range(0, request.shardingTotalCount())
                        .filter(item -> instance.equals(request.currentOwners().get(item)))
                        .count())
                .sorted(Comparator.reverseOrder())
                .toList();
        return IntStream.range(0, owned.size())
                .mapToLong(place -> Math.min(owned.get(place), place < large ? small + 1 : small))
                .sum();
    }
}
