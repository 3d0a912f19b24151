package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.AverageAllocation.Order;
import dev.elasticjob.job.ShardingStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Divides the items evenly among the zones, whatever the number of their instances, and those of a zone evenly among its
 * instances; at both levels as {@link StickyAllocation} does, so that as few items as possible change their zone, and as
 * few of the others their instance. The label {@code zone} says an instance's zone. Instances without it are a zone of
 * their own.
 *
 * <p>For zones a and b, 6 items, and instances A1, A2 (zone a) and B1 (zone b): each zone has 3 items, so B1 has 3. When
 * zone b fails, its 3 items are divided among A1 and A2. When B1 joins A1=0,1,2 A2=3,4,5, its zone gets three items of the
 * others, first those of the instances that have most.
 */
final class ZoneAllocation implements ShardingStrategy {
    private static final String ZONE = "zone";

    @Override
    public Map<String, List<Integer>> shard(Request request) {
        Map<String, List<String>> instances = new TreeMap<>(Comparator.reverseOrder());
        request.instances()
                .forEach(instance -> instances
                        .computeIfAbsent(request.label(instance, ZONE).orElse(""), zone -> new ArrayList<>())
                        .add(instance));
        Map<String, String> zones = new HashMap<>();
        instances.forEach((zone, there) -> there.forEach(instance -> zones.put(instance, zone)));
        Map<Integer, String> current = new HashMap<>();
        request.currentOwners().forEach((item, owner) -> {
            if (zones.containsKey(owner)) {
                current.put(item, zones.get(owner));
            }
        });

        List<Integer> items = firstOfEachFirst(request, zones.keySet());
        Map<String, List<Integer>> ofZones = StickyAllocation.shares(
                items, Order.ROTATED_BY_NAME.of(List.copyOf(instances.keySet()), request.jobName()), current);
        Map<String, List<Integer>> shares = new LinkedHashMap<>();
        ofZones.forEach((zone, share) -> shares.putAll(StickyAllocation.shares(
                share.stream().sorted().toList(),
                Order.ROTATED_BY_NAME.of(instances.getOrDefault(zone, List.of()), request.jobName()),
                request.currentOwners())));
        return shares;
    }

    /** What has no owner, then the first items of all owners, then their second ones, and so on: a zone keeps the first of its own. */
    private static List<Integer> firstOfEachFirst(Request request, Set<String> instances) {
        Map<String, Integer> counts = new HashMap<>();
        Map<Integer, Integer> turns = new HashMap<>();
        for (int item = 0; item < request.shardingTotalCount(); item++) {
            String owner = request.currentOwners().getOrDefault(item, "");
            turns.put(item, instances.contains(owner) ? counts.merge(owner, 1, Integer::sum) : 0);
        }
        return turns.keySet().stream()
                .sorted(Comparator.<Integer, Integer>comparing(turns::get).thenComparing(Comparator.naturalOrder()))
                .toList();
    }
}
