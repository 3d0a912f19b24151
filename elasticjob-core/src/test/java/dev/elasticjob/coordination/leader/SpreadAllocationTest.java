package dev.elasticjob.coordination.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.ShardingStrategy.Request;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SpreadAllocationTest {
    private static final ShardingStrategy SPREAD =
            ShardingStrategies.builtIn().find("SPREAD").orElseThrow();

    /** Many jobs of one item, which are planned one after the other. */
    private static final class Namespace {
        private final Random random;
        private final List<String> instances = new ArrayList<>();
        private final Map<String, Integer> capacities = new HashMap<>();
        private final Map<String, Integer> weights = new TreeMap<>();
        private final Map<String, String> owners = new TreeMap<>();

        Namespace(int seed, int heaviest) {
            random = new Random(seed);
            IntStream.range(0, 2 + random.nextInt(9)).forEach(number -> instances.add("i" + number));
            IntStream.range(0, 5 + random.nextInt(100))
                    .forEach(number -> weights.put("job" + number, 1 + random.nextInt(heaviest)));
        }

        /** Each job owned by anybody, or by nobody. */
        Namespace inDisorder() {
            weights.keySet().stream()
                    .filter(job -> random.nextInt(4) > 0)
                    .forEach(job -> owners.put(job, "i" + random.nextInt(instances.size() + 2)));
            return this;
        }

        /** Plans all jobs once, in any order. */
        Namespace planned() {
            List<String> order = new ArrayList<>(weights.keySet());
            Collections.shuffle(order, random);
            order.forEach(this::plan);
            return this;
        }

        void plan(String job) {
            Map<String, Long> loads = new HashMap<>();
            owners.forEach((other, owner) -> {
                if (!other.equals(job)) {
                    loads.merge(owner, (long) weights.get(other), Long::sum);
                }
            });
            Request request = new Request(
                    job,
                    1,
                    instances.stream().sorted(Comparator.reverseOrder()).toList(),
                    owners.containsKey(job) ? Map.of(0, owners.get(job)) : Map.of(),
                    Map.of(),
                    capacities,
                    Map.of(0, weights.get(job)),
                    loads);
            owners.put(
                    job,
                    ShardingStrategies.checkedOwners("SPREAD", request, SPREAD.shard(request))
                            .get(0));
        }

        long load(String instance) {
            return owners.entrySet().stream()
                    .filter(owned -> owned.getValue().equals(instance))
                    .mapToLong(owned -> weights.get(owned.getKey()))
                    .sum();
        }

        long difference() {
            List<Long> loads = instances.stream().map(this::load).sorted().toList();
            return loads.get(loads.size() - 1) - loads.get(0);
        }

        List<String> movedSince(Map<String, String> before) {
            return owners.keySet().stream()
                    .filter(job -> !Objects.equals(owners.get(job), before.get(job)))
                    .toList();
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onePassOverTheJobsIsEnoughWhateverWasBefore(int seed) {
        assertThat(new Namespace(seed, 1).inDisorder().planned().difference()).isLessThanOrEqualTo(1);
        assertThat(new Namespace(seed, 10).inDisorder().planned().difference()).isLessThanOrEqualTo(10);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingMovesWithoutAChange(int seed) {
        Namespace jobs = new Namespace(seed, 1).planned();
        Map<String, String> before = Map.copyOf(jobs.owners);

        assertThat(jobs.planned().movedSince(before)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anInstanceThatLeavesMovesItsOwnItemsOnly(int seed) {
        Namespace jobs = new Namespace(seed, 1).planned();
        Map<String, String> before = Map.copyOf(jobs.owners);
        jobs.instances.remove("i0");

        assertThat(jobs.planned().movedSince(before))
                .allSatisfy(job -> assertThat(before).containsEntry(job, "i0"));
        assertThat(jobs.difference()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anInstanceThatJoinsMakesAtMostTwiceAsManyItemsMoveAsItGets(int seed) {
        Namespace jobs = new Namespace(seed, 1).planned();
        Map<String, String> before = Map.copyOf(jobs.owners);
        jobs.instances.add("newcomer");

        assertThat((long) jobs.planned().movedSince(before).size()).isLessThanOrEqualTo(2 * jobs.load("newcomer"));
        assertThat(jobs.difference()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aNewJobGoesToOneThatHasTheLeast(int seed) {
        Namespace jobs = new Namespace(seed, 1).planned();
        Map<String, String> before = Map.copyOf(jobs.owners);
        jobs.weights.put("new", 1);

        jobs.plan("new");

        assertThat(jobs.movedSince(before)).containsExactly("new");
        assertThat(jobs.difference()).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void loadsAreInProportionToCapacities(int seed) {
        Namespace jobs = new Namespace(seed, 1).inDisorder();
        jobs.instances.forEach(instance -> jobs.capacities.put(instance, 1 + jobs.random.nextInt(20)));

        jobs.planned();

        for (String one : jobs.instances) {
            for (String other : jobs.instances) {
                assertThat((double) jobs.load(one) / jobs.capacities.get(one))
                        .as("%s against %s", one, other)
                        .isLessThanOrEqualTo((jobs.load(other) + 1.0) / jobs.capacities.get(other) + 1e-9);
            }
        }
    }

    @Test
    void emptyInstancesGetJobsInAnOrderThatDependsOnTheirNames() {
        Map<String, Long> first = IntStream.range(0, 100)
                .mapToObj(number -> SPREAD.shard(new Request("job" + number, 1, List.of("c", "b", "a"), Map.of())))
                .flatMap(shares -> shares.entrySet().stream())
                .filter(share -> !share.getValue().isEmpty())
                .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.counting()));

        assertThat(first).containsOnlyKeys("a", "b", "c");
    }

    @Test
    void anItemThatIsTooHeavyGoesWhereItIsCarriedWhateverIsThere() {
        Request request = new Request(
                "job",
                1,
                List.of("small", "large"),
                Map.of(0, "small"),
                Map.of(),
                Map.of("small", 2, "large", 10),
                Map.of(0, 5),
                Map.of("large", 100L));

        assertThat(SPREAD.shard(request)).containsEntry("large", List.of(0));
    }

    @Test
    void severalItemsOfOneJobFillWhatOthersHaveLeft() {
        Request request =
                new Request("job", 6, List.of("b", "a"), Map.of(), Map.of(), Map.of(), Map.of(), Map.of("a", 4L));

        assertThat(SPREAD.shard(request).get("a")).hasSize(1);
        assertThat(SPREAD.shard(request).get("b")).hasSize(5);
    }
}
