package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.engine.SimulatedCluster.Execution;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A follower whose clock differs learns that operators tolerate it from now on. */
class ToleratedDifferenceTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final Duration AHEAD = Duration.ofSeconds(40);

    private final SimulatedCluster cluster = new SimulatedCluster(7);

    @Test
    void onceTheDifferenceIsToleratedItsItemsRun() {
        InstantSource ahead = () -> cluster.now().plus(AHEAD);
        UnaryOperator<ElasticJobEngineBuilder> fast = builder -> builder.clock(ahead.withZone(ZoneOffset.UTC));
        cluster.start("a@-@1", hourly(5));
        cluster.pass(Duration.ofSeconds(5));
        int[] begun = new int[1];
        cluster.start("b@-@1", hourly(5), context -> begun[0]++, fast);
        cluster.pass(Duration.ofHours(1).plusMinutes(5));
        assertThat(begun[0]).as("refused").isZero();
        assertThat(cluster.executions()).extracting(Execution::instance).containsOnly("a@-@1");

        RegistryNode config = cluster.read(TREE.config()).orElseThrow();
        byte[] relaxed = new JobDefinitionCodec().config(hourly(-1), Optional.of(config.data()));
        cluster.commit(RegistryCommit.builder().set(TREE.config(), relaxed, config.version()));
        cluster.pass(Duration.ofSeconds(5));

        assertThat(begun[0]).isEqualTo(1);
    }

    private static JobDefinition hourly(int maxTimeDiffSeconds) {
        return JobDefinition.builder("orders")
                .cron("0 0 * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .maxTimeDiffSeconds(maxTimeDiffSeconds)
                .reconcileIntervalMinutes(0)
                .build();
    }
}
