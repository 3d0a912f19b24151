package dev.elasticjob.coordination.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.ShardingStrategy.Request;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WeightedAllocationTest {
    private static final ShardingStrategy WEIGHTED =
            ShardingStrategies.builtIn().find("WEIGHTED").orElseThrow();

    /** What is asked, for a seed. All items fit everywhere. */
    private record Sample(Map<String, Integer> capacities, Map<Integer, Integer> weights) {
        static Sample of(int seed) {
            Random random = new Random(seed);
            Map<String, Integer> capacities = new TreeMap<>();
            int instances = 1 + random.nextInt(8);
            for (int instance = 0; instance < instances; instance++) {
                capacities.put("i" + instance, 10 + random.nextInt(30));
            }
            Map<Integer, Integer> weights = new TreeMap<>();
            int items = 1 + random.nextInt(60);
            for (int item = 0; item < items; item++) {
                weights.put(item, 1 + random.nextInt(random.nextBoolean() ? 1 : 10));
            }
            return new Sample(capacities, weights);
        }

        Sample with(String instance, int capacity) {
            Map<String, Integer> more = new TreeMap<>(capacities);
            more.put(instance, capacity);
            return new Sample(more, weights);
        }

        Sample without(String instance) {
            Map<String, Integer> less = new TreeMap<>(capacities);
            less.remove(instance);
            return new Sample(less, weights);
        }

        Map<Integer, String> divided(Map<Integer, String> current) {
            Request request = new Request(
                    "orders",
                    weights.size(),
                    capacities.keySet().stream()
                            .sorted(Comparator.reverseOrder())
                            .toList(),
                    current,
                    Map.of(),
                    capacities,
                    weights);
            return ShardingStrategies.checkedOwners("WEIGHTED", request, WEIGHTED.shard(request));
        }

        double ideal() {
            return (double) sum(weights) / sum(capacities);
        }

        int heaviest() {
            return weights.values().stream().max(Comparator.naturalOrder()).orElseThrow();
        }

        int load(Map<Integer, String> owners, String instance) {
            return owners.entrySet().stream()
                    .filter(item -> item.getValue().equals(instance))
                    .mapToInt(item -> weights.get(item.getKey()))
                    .sum();
        }

        private static int sum(Map<?, Integer> values) {
            return values.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyHasMoreThanItsShareAndOneItem(int seed) {
        Sample sample = Sample.of(seed);
        Map<Integer, String> anything = new HashMap<>();
        Random random = new Random(seed + 1);
        sample.weights().keySet().forEach(item -> anything.put(item, "i" + random.nextInt(10)));

        for (Map<Integer, String> before : List.of(Map.<Integer, String>of(), anything)) {
            Map<Integer, String> owners = sample.divided(before);

            sample.capacities()
                    .forEach((instance, capacity) -> assertThat((double) sample.load(owners, instance))
                            .as("what %s has", instance)
                            .isLessThanOrEqualTo(sample.ideal() * capacity + sample.heaviest() + 1e-6));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingMovesWithoutAChange(int seed) {
        Sample sample = Sample.of(seed);
        Map<Integer, String> owners = sample.divided(Map.of());

        assertThat(sample.divided(owners)).isEqualTo(owners);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onlyItsOwnItemsMoveWhenAnInstanceLeaves(int seed) {
        Sample sample = Sample.of(seed).with("leaver", 20);
        Map<Integer, String> before = sample.divided(Map.of());

        Map<Integer, String> after = sample.without("leaver").divided(before);

        before.forEach((item, owner) -> {
            if (!owner.equals("leaver")) {
                assertThat(after).containsEntry(item, owner);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatMovesWhenAnInstanceJoinsIsItsShareAndAtMostOneItemOfEachOther(int seed) {
        Sample sample = Sample.of(seed);
        Map<Integer, String> before = sample.divided(Map.of());
        Sample more = sample.with("joiner", 20);

        Map<Integer, String> after = more.divided(before);

        double moved = before.entrySet().stream()
                .filter(item -> !item.getValue().equals(after.get(item.getKey())))
                .mapToInt(item -> sample.weights().get(item.getKey()))
                .sum();
        assertThat(moved)
                .isLessThanOrEqualTo(more.ideal() * 20
                        + sample.heaviest() * (double) sample.capacities().size()
                        + 1e-6);
    }

    @Test
    void anItemThatIsTooHeavyForAnInstanceGoesToOneThatCanCarryIt() {
        Sample sample = new Sample(Map.of("large", 8, "small", 2), Map.of(0, 5, 1, 1, 2, 1));

        assertThat(sample.divided(Map.of(0, "small", 1, "large", 2, "large"))).containsEntry(0, "large");
    }

    @Test
    void withoutCapacitiesAllInstancesAreEqual() {
        Request request = new Request("orders", 4, List.of("b", "a"), Map.of());

        assertThat(WEIGHTED.shard(request).values())
                .allSatisfy(items -> assertThat(items).hasSize(2));
    }
}
