package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** An instance that gets another id with its next session, because another one has taken its former one meanwhile. */
class AnotherIdTest {
    private static final JobTree TREE = new JobTree("orders");
    private static final JobDefinition ORDERS = JobDefinition.builder("orders")
            .cron("0 0 3 * * ?")
            .shardingTotalCount(3)
            .build();

    private final SimulatedCluster cluster = new SimulatedCluster(7);
    private final List<Integer> began = new ArrayList<>();

    @Test
    void itSeesWhatOperatorsAskOfItUnderThatId() {
        AtomicReference<InMemoryRegistry> its = new AtomicReference<>();
        cluster.start("a@-@1", ORDERS);
        cluster.pass(Duration.ofSeconds(1));
        cluster.start(
                "b@-@1",
                jobs -> jobs.register(ORDERS, context -> began.add(context.getShardingItem())),
                UnaryOperator.identity(),
                registry -> {
                    its.set((InMemoryRegistry) registry);
                    return registry;
                });
        cluster.pass(Duration.ofSeconds(1));
        its.get().disconnect();
        cluster.expire("b@-@1");
        cluster.start("another", ORDERS, engine -> engine.instanceId("b@-@1"));
        cluster.pass(Duration.ofSeconds(1));
        its.get().reconnect();
        cluster.pass(Duration.ofSeconds(5));

        cluster.commit(RegistryCommit.builder().set(TREE.instance("b@-@1-2"), "TRIGGER", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofSeconds(1));

        assertThat(began).hasSize(1);
        assertThat(cluster.executions()).as("those of the others").hasSize(2);
    }
}
