package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.AverageAllocation.Order;
import dev.elasticjob.job.ShardingStrategy.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The instances of a request while its items are given to them, in an order that is rotated by the job's name. What they
 * have is measured in proportion to their capacities; an instance without a limit counts as the largest of the others, and
 * if none has a limit, all are equal. An item that is too heavy for an instance is not given to it, as long as another one
 * can carry it. Not thread-safe.
 */
final class Places {
    private final Request request;
    /** What each item counts with. */
    private final double[] sizes;

    private final Map<String, Place> places = new LinkedHashMap<>();

    /** Where an item counts with its weight. */
    Places(Request request) {
        this(request, request::weight);
    }

    /** @param size what an item counts with */
    Places(Request request, IntToDoubleFunction size) {
        this.request = request;
        this.sizes = IntStream.range(0, request.shardingTotalCount())
                .mapToDouble(size)
                .toArray();
        int largest = request.capacities().values().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
        Order.ROTATED_BY_NAME
                .of(request.instances(), request.jobName())
                .forEach(instance ->
                        places.put(instance, new Place(request.capacity(instance), largest, request.load(instance))));
    }

    /** What all items count with, divided by all capacity. */
    double ideal() {
        return Arrays.stream(sizes).sum() / capacity();
    }

    private double capacity() {
        return all().stream().mapToDouble(place -> place.capacity).sum();
    }

    /**
     * The same without items that are larger than that on an instance of average capacity, and without an instance for each
     * of them.
     */
    double idealWithoutGiants() {
        double[] ascending = Arrays.stream(sizes).sorted().toArray();
        double each = capacity() / places.size();
        double rest = Arrays.stream(sizes).sum();
        int instances = places.size();
        for (int last = ascending.length - 1; last >= 0 && instances > 1; last--) {
            if (ascending[last] <= rest / instances) {
                break;
            }
            rest -= ascending[last];
            instances--;
        }
        return rest / (instances * each);
    }

    /** The present owner of an item, if the item may stay there; otherwise null. */
    @Nullable
    Place ownerOf(int item) {
        Place owner = places.get(request.currentOwners().getOrDefault(item, ""));
        return owner == null || !mayHave(owner, item) ? null : owner;
    }

    /** Whether it can carry the item, or nobody can. */
    boolean mayHave(Place place, int item) {
        int weight = request.weight(item);
        return place.carries(weight) || all().stream().noneMatch(other -> other.carries(weight));
    }

    private Stream<Place> thatMayHave(int item) {
        int weight = request.weight(item);
        boolean somebody = all().stream().anyMatch(place -> place.carries(weight));
        return all().stream().filter(place -> !somebody || place.carries(weight));
    }

    /** The one with the least in proportion; of several, the largest; of several, the first. */
    Place least(int item) {
        return thatMayHave(item)
                .min(Comparator.comparingDouble(Place::share).thenComparing(place -> -place.capacity))
                .orElseThrow();
    }

    /** The one that would have the least with one more item; of several, the largest; of several, the first. */
    Place leastWith(int item) {
        return thatMayHave(item)
                .min(Comparator.comparingDouble((Place place) -> place.shareWith(item))
                        .thenComparing(place -> -place.capacity))
                .orElseThrow();
    }

    /** Who carries an item, and who has the least with it, depends on the capacity. */
    Collection<Place> leastOfEachCapacity() {
        Map<OptionalInt, Place> least = new LinkedHashMap<>();
        all().forEach(place ->
                least.merge(place.limit, place, (one, other) -> other.share() < one.share() ? other : one));
        return least.values();
    }

    List<Integer> lightestFirst() {
        return sorted(Comparator.comparingDouble(item -> sizes[item]));
    }

    List<Integer> heaviestFirst() {
        return sorted(Comparator.comparingDouble((Integer item) -> sizes[item]).reversed());
    }

    private List<Integer> sorted(Comparator<Integer> bySize) {
        return IntStream.range(0, request.shardingTotalCount())
                .boxed()
                .sorted(bySize.thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    Map<String, List<Integer>> shares() {
        Map<String, List<Integer>> shares = new LinkedHashMap<>();
        places.forEach((instance, place) ->
                shares.put(instance, place.items.stream().sorted().toList()));
        return shares;
    }

    Collection<Place> all() {
        return places.values();
    }

    /** An instance, while items are given to it. Compared by identity. */
    final class Place {
        private final OptionalInt limit;
        private final double capacity;
        private final List<Integer> items = new ArrayList<>();
        private double load;

        private Place(OptionalInt limit, int withoutLimit, double load) {
            this.limit = limit;
            this.capacity = limit.orElse(withoutLimit);
            this.load = load;
        }

        private boolean carries(int weight) {
            return limit.isEmpty() || weight <= limit.getAsInt();
        }

        boolean hasLessThan(double proportion) {
            return load < proportion * capacity;
        }

        /** What it has, in proportion to its capacity. */
        double share() {
            return load / capacity;
        }

        /** What it would have with one more item. */
        double shareWith(int item) {
            return (load + sizes[item]) / capacity;
        }

        /** What it would have without one of its items. */
        double shareWithout(int item) {
            return (load - sizes[item]) / capacity;
        }

        List<Integer> items() {
            return Collections.unmodifiableList(items);
        }

        void add(int item) {
            items.add(item);
            load += sizes[item];
        }

        void remove(int item) {
            items.remove(Integer.valueOf(item));
            load -= sizes[item];
        }
    }
}
