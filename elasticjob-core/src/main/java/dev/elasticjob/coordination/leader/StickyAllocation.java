package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.AverageAllocation.Order;
import dev.elasticjob.job.ShardingStrategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Leaves as many items where they are as balance allows: no instance has more than one item more than another, and no
 * balanced assignment moves fewer items.
 *
 * <p>With S items and N instances, S%N of them have room for S/N + 1 items and the others for S/N. An instance that owns more
 * than S/N now is given one of the larger rooms first, as only there is an item saved; each keeps its lowest items as
 * far as its room goes. What is left, items without an owner included, fills the rooms in order. The order is rotated
 * by the job's name, so that jobs with few items don't pile up on one instance. Takes time in proportion to S + N.
 *
 * <p>For job {@code jobB} and C=0,1,2 B=3,4,5: when A joins, C=0,1 B=3,4 A=2,5; when then B leaves, C=0,1,4 A=2,5,3.
 */
final class StickyAllocation implements ShardingStrategy {
    @Override
    public Map<String, List<Integer>> shard(Request request) {
        List<Integer> items =
                IntStream.range(0, request.shardingTotalCount()).boxed().toList();
        return shares(items, Order.ROTATED_BY_NAME.of(request.instances(), request.jobName()), request.currentOwners());
    }

    /**
     * @param items each place keeps the first ones of those that it has
     * @param places to choose from, in the order in which they are filled
     * @param current the present place of each item; others are no places to choose from
     */
    static Map<String, List<Integer>> shares(List<Integer> items, List<String> places, Map<Integer, String> current) {
        Map<String, List<Integer>> shares = new LinkedHashMap<>();
        places.forEach(place -> shares.put(place, new ArrayList<>()));
        List<Integer> homeless = new ArrayList<>();
        for (int item : items) {
            String owner = current.get(item);
            List<Integer> share = owner == null ? null : shares.get(owner);
            (share == null ? homeless : share).add(item);
        }

        Map<String, Integer> rooms = rooms(shares, items.size());
        shares.forEach((instance, share) -> {
            List<Integer> surplus =
                    share.subList(Math.min(rooms.getOrDefault(instance, 0), share.size()), share.size());
            homeless.addAll(surplus);
            surplus.clear();
        });
        int next = 0;
        for (Map.Entry<String, List<Integer>> share : shares.entrySet()) {
            int free = rooms.getOrDefault(share.getKey(), 0) - share.getValue().size();
            share.getValue().addAll(homeless.subList(next, next + free));
            next += free;
        }
        return shares;
    }

    /** How many items each instance may have: together exactly all of them. */
    private static Map<String, Integer> rooms(Map<String, List<Integer>> shares, int items) {
        int small = items / shares.size();
        int largeLeft = items % shares.size();
        Map<String, Integer> rooms = new LinkedHashMap<>();
        for (Map.Entry<String, List<Integer>> share : shares.entrySet()) {
            boolean saves = share.getValue().size() > small && largeLeft > 0;
            rooms.put(share.getKey(), saves ? small + 1 : small);
            largeLeft -= saves ? 1 : 0;
        }
        for (Map.Entry<String, Integer> room : rooms.entrySet()) {
            if (largeLeft > 0 && room.getValue() == small) {
                room.setValue(small + 1);
                largeLeft--;
            }
        }
        return rooms;
    }
}
