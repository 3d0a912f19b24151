package dev.elasticjob.coordination.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.ShardingStrategy.Measured;
import dev.elasticjob.job.ShardingStrategy.Request;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeasuredAllocationTest {
    private static final ShardingStrategy MEASURED =
            ShardingStrategies.builtIn().find("MEASURED").orElseThrow();

    private static List<String> instances(int count) {
        return IntStream.range(0, count).mapToObj(i -> "i" + (char) ('z' - i)).toList();
    }

    private static Map<Integer, Duration> durations(int items, IntToDoubleFunction millis) {
        Map<Integer, Duration> durations = new HashMap<>();
        IntStream.range(0, items)
                .forEach(item -> durations.put(item, Duration.ofNanos((long) (millis.applyAsDouble(item) * 1e6))));
        return durations;
    }

    private static IntToDoubleFunction zipf(double exponent) {
        return item -> 100_000 / Math.pow(item + 1, exponent);
    }

    private static Map<Integer, String> divided(
            List<String> instances,
            int items,
            Map<Integer, String> owners,
            Map<Integer, Duration> durations,
            int moves) {
        return divided(new Request(
                "orders",
                items,
                instances,
                owners,
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                new Measured(durations, moves)));
    }

    private static Map<Integer, String> divided(Request request) {
        return ShardingStrategies.checkedOwners("MEASURED", request, MEASURED.shard(request));
    }

    private static int moved(Map<Integer, String> before, Map<Integer, String> after) {
        return (int) after.entrySet().stream()
                .filter(item -> before.containsKey(item.getKey())
                        && !before.get(item.getKey()).equals(item.getValue()))
                .count();
    }

    private static Map<String, Double> shares(Map<Integer, String> owners, Map<Integer, Duration> durations) {
        Map<String, Double> shares = new TreeMap<>();
        owners.forEach((item, owner) ->
                shares.merge(owner, (double) durations.get(item).toNanos(), Double::sum));
        return shares;
    }

    private static double most(Map<Integer, String> owners, Map<Integer, Duration> durations, int instances) {
        double all = durations.values().stream().mapToDouble(Duration::toNanos).sum();
        return shares(owners, durations).values().stream()
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElseThrow()
                / (all / instances);
    }

    @ParameterizedTest(name = "{0} items, exponent {1}")
    @CsvSource({"1000, 0.8", "3000, 1.0", "500, 0.9", "200, 0.7"})
    void itemsOfZipfsLawAreEvenAfterOneHour(int items, double exponent) {
        Map<Integer, Duration> durations = durations(items, zipf(exponent));
        Map<Integer, String> unknown = divided(instances(10), items, Map.of(), Map.of(), 0);

        Map<Integer, String> balanced = divided(instances(10), items, unknown, durations, items / 20);

        assertThat(most(unknown, durations, 10)).as("before").isGreaterThan(1.3);
        assertThat(most(balanced, durations, 10)).as("after an hour").isLessThanOrEqualTo(1.3);
        assertThat(moved(unknown, balanced)).isBetween(1, items / 20);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void noMoreMovesThanAreAllowedAndNoneThatMakesItWorse(long seed) {
        Random random = new Random(seed);
        int items = 1 + random.nextInt(80);
        List<String> instances = instances(1 + random.nextInt(8));
        Map<Integer, Duration> durations = durations(items, item -> 1 + random.nextInt(1_000));
        Map<Integer, String> owners = new HashMap<>();
        IntStream.range(0, items).forEach(item -> owners.put(item, instances.get(random.nextInt(instances.size()))));
        int limit = 1 + random.nextInt(5);

        Map<Integer, String> after = divided(instances, items, owners, durations, limit);

        assertThat(moved(owners, after)).isLessThanOrEqualTo(limit);
        assertThat(most(after, durations, instances.size()))
                .isLessThanOrEqualTo(most(owners, durations, instances.size()) + 1e-9);
    }

    @Test
    void durationsThatVaryALittleMoveNothing() {
        Random random = new Random(1);
        Map<Integer, String> owners = divided(instances(10), 200, Map.of(), Map.of(), 0);
        Map<Integer, Duration> durations = durations(200, item -> 100 + random.nextInt(10));

        assertThat(divided(instances(10), 200, owners, durations, 10)).isEqualTo(owners);
    }

    @Test
    void withoutALimitNothingMovesButWhatMust() {
        Map<Integer, Duration> durations = durations(100, zipf(1));
        Map<Integer, String> owners = divided(instances(5), 100, Map.of(), Map.of(), 0);

        assertThat(divided(instances(5), 100, owners, durations, 0)).isEqualTo(owners);
        Map<Integer, String> withoutOne = divided(instances(4), 100, owners, durations, 0);
        assertThat(moved(owners, withoutOne)).isEqualTo((int)
                owners.values().stream().filter(instances(5).get(4)::equals).count());
    }

    @Test
    void aNewcomerGetsItsShareAndNothingElseMoves() {
        Map<Integer, Duration> durations = durations(100, item -> 50 + item % 7);
        Map<Integer, String> owners = divided(instances(4), 100, Map.of(), durations, 0);
        String newcomer = instances(5).get(4);

        Map<Integer, String> after = divided(instances(5), 100, owners, durations, 0);

        long gets = after.values().stream().filter(newcomer::equals).count();
        assertThat(gets).isBetween(18L, 22L);
        assertThat((long) moved(owners, after)).isEqualTo(gets);
    }

    @Test
    void aNewcomerGetsItsShareAlsoIfAnotherHasLeft() {
        Map<Integer, Duration> durations = durations(90, item -> 100);
        Map<Integer, String> owners = new HashMap<>();
        IntStream.range(0, 90).forEach(item -> owners.put(item, item == 0 ? "gone" : item % 2 == 0 ? "ib" : "ia"));

        Map<Integer, String> after = divided(List.of("ic", "ib", "ia"), 90, owners, durations, 0);

        assertThat(after.values().stream().filter("ic"::equals)).hasSizeBetween(29, 31);
    }

    @Test
    void anItemThatTakesLongerThanAllOthersKeepsNoneOfThemFromBeingBalanced() {
        Map<Integer, Duration> durations = durations(41, item -> item == 0 ? 10_000_000 : 10_000);
        Map<Integer, String> owners = new HashMap<>();
        IntStream.range(0, 41).forEach(item -> owners.put(item, item == 0 ? "ia" : "ib"));

        Map<Integer, String> filled = divided(List.of("ic", "ib", "ia"), 41, owners, durations, 0);
        Map<Integer, String> balanced = divided(List.of("ic", "ib", "ia"), 41, owners, durations, 2);

        assertThat(filled.get(0)).isEqualTo("ia");
        assertThat(filled.values().stream().filter("ic"::equals)).hasSize(20);
        assertThat(balanced.values().stream().filter("ic"::equals)).hasSize(2);
    }

    @Test
    void aSmallInstanceKeepsNoOtherFromGettingItems() {
        Map<Integer, Duration> durations = durations(9, item -> 5_000);
        Map<Integer, String> owners = new HashMap<>();
        IntStream.range(0, 9).forEach(item -> owners.put(item, item == 0 ? "ib" : "ia"));

        Map<Integer, String> after = divided(new Request(
                "orders",
                9,
                List.of("ic", "ib", "ia"),
                owners,
                Map.of(),
                Map.of("ia", 10, "ib", 1, "ic", 10),
                Map.of(),
                Map.of(),
                new Measured(durations, 3)));

        assertThat(after.values().stream().filter("ic"::equals)).hasSize(3);
    }

    @Test
    void capacitiesAndWeightsCount() {
        Map<Integer, Duration> durations = durations(40, item -> 100);
        Request request = new Request(
                "orders",
                40,
                List.of("ib", "ia"),
                Map.of(),
                Map.of(),
                Map.of("ia", 3, "ib", 1),
                Map.of(7, 3),
                Map.of(),
                new Measured(durations, 0));

        Map<Integer, String> owners = divided(request);

        assertThat(owners.get(7)).as("too heavy for the other one").isEqualTo("ia");
        assertThat(owners.values().stream().filter("ib"::equals)).hasSizeBetween(9, 12);
    }
}
