package dev.elasticjob.coordination.leader;

import dev.elasticjob.job.ShardingStrategy;
import java.util.List;
import java.util.Map;

/** A built-in strategy that doesn't know who owns what, so that it moves more than it must. */
public final class ForgetfulStrategy implements ShardingStrategy {
    private final ShardingStrategy strategy;

    private ForgetfulStrategy(ShardingStrategy strategy) {
        this.strategy = strategy;
    }

    public static ShardingStrategy of(String name) {
        return new ForgetfulStrategy(
                switch (name) {
                    case "STICKY" -> new StickyAllocation();
                    case "ZONE" -> new ZoneAllocation();
                    case "WEIGHTED" -> new WeightedAllocation();
                    case "MEASURED" -> new MeasuredAllocation();
                    default ->
                        throw new IllegalArgumentException(
                                "expected a strategy that bounds moves but was \"%s\"".formatted(name));
                });
    }

    @Override
    public boolean needsDurations() {
        return strategy.needsDurations();
    }

    @Override
    public Map<String, List<Integer>> shard(Request request) {
        return strategy.shard(new Request(
                request.jobName(),
                request.shardingTotalCount(),
                request.instances(),
                Map.of(),
                request.labels(),
                request.capacities(),
                request.weights(),
                request.loads(),
                request.measured()));
    }
}
