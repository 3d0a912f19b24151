package dev.elasticjob.simulation;

import dev.elasticjob.coordination.leader.ForgetfulStrategy;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.registry.Registry;
import java.util.Optional;

/** A rule of the strategies that move only what they must, taken out. */
enum StrategyMutation implements Flaw {
    PRESENT_OWNERS_IGNORED;

    @Override
    public Registry apply(Registry registry) {
        return registry;
    }

    @Override
    public Optional<ShardingStrategy> inPlaceOf(String strategy) {
        return Optional.of(ForgetfulStrategy.of(strategy));
    }
}
