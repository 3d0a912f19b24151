package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.AverageAllocation.Order;
import dev.elasticjob.job.ShardingStrategy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Divides the weight of the items in proportion to the capacities of the instances, and leaves as many items where they
 * are as that allows. An instance without a limit counts as the largest of the others; if none has a limit, all are equal.
 *
 * <p>Let the ideal be the weight of all items, divided by the capacity of all instances. Each instance keeps its items, the
 * lightest first, as long as what it has weighs less than the ideal times its capacity. What is left, the heaviest first,
 * goes each to the instance that has the least in proportion to its capacity. If all instances have a limit, and each can carry
 * every item, then no instance has more than its ideal and one item, an instance that leaves moves its own items only, and
 * without a change nothing moves. With items that are too heavy for some, or instances without a limit, none of this is
 * guaranteed.
 *
 * <p>An item that is too heavy for an instance is not given to it, as long as another one can carry it. That comes before
 * balance. Takes time in proportion to the number of items that move, times that of instances.
 */
final class WeightedAllocation implements ShardingStrategy {
    @Override
    public Map<String, List<Integer>> shard(Request request) {
        Map<String, Place> places = places(request);
        List<Integer> items =
                IntStream.range(0, request.shardingTotalCount()).boxed().toList();
        double ideal = items.stream().mapToDouble(request::weight).sum()
                / places.values().stream().mapToDouble(place -> place.capacity).sum();
        List<Integer> homeless = new ArrayList<>();
        for (int item : sorted(items, Comparator.comparing(request::weight))) {
            Place place = places.get(request.currentOwners().getOrDefault(item, ""));
            if (place != null && place.keeps(request.weight(item), ideal, places.values())) {
                place.add(item, request.weight(item));
            } else {
                homeless.add(item);
            }
        }
        for (int item : sorted(homeless, Comparator.comparing(request::weight).reversed())) {
            least(places.values(), request.weight(item)).add(item, request.weight(item));
        }
        Map<String, List<Integer>> shares = new LinkedHashMap<>();
        places.forEach((instance, place) ->
                shares.put(instance, place.items.stream().sorted().toList()));
        return shares;
    }

    private static Map<String, Place> places(Request request) {
        int largest = request.capacities().values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
        Map<String, Place> places = new LinkedHashMap<>();
        Order.ROTATED_BY_NAME
                .of(request.instances(), request.jobName())
                .forEach(instance -> places.put(instance, new Place(request.capacity(instance), largest)));
        return places;
    }

    private static List<Integer> sorted(List<Integer> items, Comparator<Integer> byWeight) {
        return items.stream()
                .sorted(byWeight.thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static boolean nobodyCarries(Collection<Place> places, int weight) {
        return places.stream().noneMatch(place -> place.carries(weight));
    }

    /** The one with the least in proportion; of several, the largest; of several, the first. */
    private static Place least(Collection<Place> places, int weight) {
        Stream<Place> able = nobodyCarries(places, weight)
                ? places.stream()
                : places.stream().filter(place -> place.carries(weight));
        return able.min(Comparator.comparingDouble((Place place) -> place.load / place.capacity)
                        .thenComparing(place -> -place.capacity))
                .orElseThrow();
    }

    /** An instance, while items are given to it. */
    private static final class Place {
        private final OptionalInt limit;
        private final double capacity;
        private final List<Integer> items = new ArrayList<>();
        private double load;

        Place(OptionalInt limit, int withoutLimit) {
            this.limit = limit;
            this.capacity = limit.orElse(withoutLimit);
        }

        boolean carries(int weight) {
            return limit.isEmpty() || weight <= limit.getAsInt();
        }

        boolean keeps(int weight, double ideal, Collection<Place> all) {
            return load < ideal * capacity && (carries(weight) || nobodyCarries(all, weight));
        }

        void add(int item, int weight) {
            items.add(item);
            load += weight;
        }
    }
}
