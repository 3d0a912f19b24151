package dev.elasticjob.coordination.leader;

import dev.elasticjob.job.ShardingStrategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The three strategies of Elastic-Job 2.1.5. Each instance gets S/N consecutive items. The S%N remaining items, the
 * last ones, go one each to the first instances. The strategies differ in the order of the instances.
 *
 * <p>For instances C, B, A (descending order): 10 items make C=0,1,2,9 B=3,4,5 A=6,7,8; 8 items make C=0,1,6 B=2,3,7
 * A=4,5; a single item goes to C.
 */
final class AverageAllocation implements ShardingStrategy {
    private final Order order;

    AverageAllocation(Order order) {
        this.order = order;
    }

    @Override
    public Map<String, List<Integer>> shard(Request request) {
        List<String> instances = order.of(request.instances(), request.jobName());
        int each = request.shardingTotalCount() / instances.size();
        int leftOver = request.shardingTotalCount() % instances.size();
        int firstLeftOver = each * instances.size();
        Map<String, List<Integer>> shares = new LinkedHashMap<>();
        for (int place = 0; place < instances.size(); place++) {
            List<Integer> items = new ArrayList<>(each + 1);
            for (int item = place * each; item < (place + 1) * each; item++) {
                items.add(item);
            }
            if (place < leftOver) {
                items.add(firstLeftOver + place);
            }
            shares.put(instances.get(place), items);
        }
        return shares;
    }

    enum Order {
        /** Descending: a job with a single item always runs on the last address. */
        AS_GIVEN,

        /**
         * Ascending when the hash of the job's name is even. For instances C, B, A and two items: {@code jobA}, whose
         * hash is 3267620, makes A=0 B=1; {@code jobB}, one more, makes C=0 B=1.
         */
        ASCENDING_IF_NAME_IS_EVEN,

        /**
         * Rotated left by the hash of the job's name, without its sign. For instances C, B, A: {@code jobA} makes
         * A, C, B, {@code jobB} leaves the order alone, {@code jobC} makes B, A, C. (2.1.5 fails for a name whose hash
         * is the smallest integer; here it rotates like any other.)
         */
        ROTATED_BY_NAME;

        List<String> of(List<String> instances, String jobName) {
            List<String> ordered = new ArrayList<>(instances);
            int hash = jobName.hashCode();
            if (this == ASCENDING_IF_NAME_IS_EVEN && hash % 2 == 0) {
                Collections.reverse(ordered);
            } else if (this == ROTATED_BY_NAME) {
                Collections.rotate(ordered, -(int) (Math.abs((long) hash) % ordered.size()));
            }
            return ordered;
        }
    }
}
