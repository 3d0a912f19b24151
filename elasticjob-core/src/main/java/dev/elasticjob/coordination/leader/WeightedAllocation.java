package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.Places.Place;
import dev.elasticjob.job.ShardingStrategy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
        Places places = new Places(request);
        double ideal = places.ideal();
        Set<Integer> homeless = new LinkedHashSet<>(places.heaviestFirst());
        for (int item : places.lightestFirst()) {
            Place owner = places.ownerOf(item);
            if (owner != null && owner.hasLessThan(ideal)) {
                owner.add(item);
                homeless.remove(item);
            }
        }
        for (int item : homeless) {
            places.least(item).add(item);
        }
        return places.shares();
    }
}
