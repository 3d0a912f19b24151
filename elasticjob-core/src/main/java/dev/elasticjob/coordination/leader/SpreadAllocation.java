package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.Places.Place;
import dev.elasticjob.job.ShardingStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Gives items to the instances that have the least, the items of other jobs included, in proportion to the capacities: so
 * that many jobs of few items share the instances evenly. An instance without a limit counts as the largest of the others; if
 * none has a limit, all are equal. Too heavy items are given away as by {@link WeightedAllocation}.
 *
 * <p>What has no owner goes, the heaviest first, to the one that has the least with it. After that, an item moves only if its
 * owner has more than the other one will have with it. So nothing moves while the loads differ by no more than the item weighs.
 *
 * <p>If jobs are planned one after the other, each once and in any order, all their items weigh the same, all capacities
 * are equal and all jobs choose the same instances, then no instance has more than another one and one item, apart from
 * what other strategies have given it: the least load never falls, since a move leaves its former owner with at least as
 * much; and when the last item that an instance has in the end was placed or left there, the instance had no more than the
 * least and one item. This is greedy load balancing (Graham, "Bounds on Multiprocessing Timing Anomalies", 1969). Takes time in
 * proportion to items times instances.
 */
final class SpreadAllocation implements ShardingStrategy {
    @Override
    public boolean needsLoads() {
        return true;
    }

    @Override
    public Map<String, List<Integer>> shard(Request request) {
        Places places = new Places(request);
        List<Integer> homeless = new ArrayList<>();
        List<Integer> owned = new ArrayList<>();
        for (int item : places.heaviestFirst()) {
            Place owner = places.ownerOf(item);
            if (owner == null) {
                homeless.add(item);
            } else {
                owned.add(item);
                owner.add(item);
            }
        }
        for (int item : homeless) {
            places.leastWith(item).add(item);
        }
        for (int item : owned) {
            Place owner = places.ownerOf(item);
            Place other = places.leastWith(item);
            if (owner != null && other.shareWith(item) < owner.share()) {
                owner.remove(item);
                other.add(item);
            }
        }
        return places.shares();
    }
}
