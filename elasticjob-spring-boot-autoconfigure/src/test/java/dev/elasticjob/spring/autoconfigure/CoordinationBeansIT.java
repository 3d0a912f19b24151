package dev.elasticjob.spring.autoconfigure;

import static dev.elasticjob.spring.autoconfigure.OnZooKeeper.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.coordination.FailoverLatch;
import dev.elasticjob.coordination.LeaderElection;
import dev.elasticjob.coordination.ReshardingFlags;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.Registry.WatchScope;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a user's bean does with the coordination that is injected into it, on a real ZooKeeper. */
class CoordinationBeansIT {
    private static final JobTree ORDERS = new JobTree("orders");

    private final OnZooKeeper zooKeeper = new OnZooKeeper();

    @AfterEach
    void close() {
        zooKeeper.close();
    }

    @Test
    void oneOfTwoInstancesLeadsAndBothKnowWhich() {
        Operator first = operator("a");
        zooKeeper.await(AssignmentChanged.class, any -> true);
        Operator second = operator("b");
        zooKeeper.await(AssignmentChanged.class, now -> now.instance().equals("b"));

        assertThat(first.leaders.isLeader("orders")).isTrue();
        assertThat(second.leaders.isLeader("orders")).isFalse();
        assertThat(first.leaders.leader("orders")).contains("a");
        assertThat(second.leaders.leader("orders")).contains("a");
    }

    @Test
    void leadershipPassesToTheOtherWhenTheLeaderLeaves() {
        ConfigurableApplicationContext leader = zooKeeper.start("a", Shop.class);
        zooKeeper.await(AssignmentChanged.class, any -> true);
        Operator other = operator("b");

        leader.close();
        zooKeeper.await(
                AssignmentChanged.class,
                now -> now.instance().equals("b") && now.items().size() == 4);

        assertThat(other.leaders.leader("orders")).contains("b");
        assertThat(other.leaders.isLeader("orders")).isTrue();
    }

    @Test
    void raisedFlagIsSeenAndAnsweredAndAPlanThatDiffersInNothingLeavesTheEpoch() {
        Operator operator = operator("a");
        zooKeeper.await(AssignmentChanged.class, any -> true);
        int epoch = get(operator.flags.status("orders")).epoch();
        var bell = new Heard<String>();
        operator.registry.watch(ORDERS.necessary(), WatchScope.NODE, () -> bell.add("changed"));

        get(operator.flags.raise("orders"));

        bell.await("the bell rung and answered", changes -> changes.size() >= 2);
        get(operator.registry.awaitAbsence(ORDERS.necessary()));
        assertThat(get(operator.flags.status("orders"))).isEqualTo(new ReshardingFlags.Status(false, false, epoch));
    }

    @Test
    void raisedFlagBringsANewPlanWhereTheStrategyHasChangedItsMind() {
        Operator operator = operator("a", "--elasticjob.jobs.orders.job-sharding-strategy-class=allToOne");
        operator("b");
        zooKeeper.await(AssignmentChanged.class, now -> now.items().size() == 4 && now.epoch() == 2);
        operator.strategy.owner.set("b");

        get(operator.flags.raise("orders"));

        AssignmentChanged moved = zooKeeper.await(
                AssignmentChanged.class,
                now -> now.instance().equals("b") && now.items().size() == 4);
        assertThat(get(operator.flags.status("orders")).epoch())
                .isEqualTo(moved.epoch())
                .isEqualTo(3);
    }

    /** Of items that nobody owns: those of others are taken over, or silenced, at once. */
    @Test
    void interruptedItemsAreShownWaiting() {
        Operator operator = operator("a", "--elasticjob.jobs.orders.failover=true");
        zooKeeper.await(AssignmentChanged.class, any -> true);
        assertThat(get(operator.failover.waitingItems("orders"))).isEmpty();

        get(operator.registry.commit(
                operator.registry.session().orElseThrow(),
                RegistryCommit.builder()
                        .create(ORDERS.failoverItem(9))
                        .create(ORDERS.failoverItem(7))
                        .build()));

        assertThat(get(operator.failover.waitingItems("orders"))).containsExactly(7, 9);
    }

    @Test
    void everythingAboutTheJobCanBeAskedFor() {
        Operator operator = operator("a");
        zooKeeper.await(AssignmentChanged.class, any -> true);

        var report = get(operator.inspector.job("orders")).orElseThrow();

        assertThat(report.leader()).contains("a");
        assertThat(report.instances()).containsExactly("a");
        assertThat(report.items())
                .hasSize(4)
                .allSatisfy(item -> assertThat(item.owner()).contains("a"));
        assertThat(get(operator.inspector.jobs())).hasSize(1);
    }

    private Operator operator(String instance, String... properties) {
        return zooKeeper.start(instance, Shop.class, properties).getBean(Operator.class);
    }

    /** A bean of the user's. */
    record Operator(
            LeaderElection leaders,
            ReshardingFlags flags,
            FailoverLatch failover,
            JobInspector inspector,
            Registry registry,
            AllToOne strategy) {}

    static final class AllToOne implements ShardingStrategy {
        private final AtomicReference<String> owner = new AtomicReference<>("a");

        @Override
        public Map<String, List<Integer>> shard(Request request) {
            return Map.of(
                    owner.get(),
                    IntStream.range(0, request.shardingTotalCount()).boxed().toList());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        @ElasticJob(name = "orders", cron = "0 0 0 1 1 ?", shardingTotalCount = 4)
        SimpleJob orders() {
            return context -> {};
        }

        @Bean
        AllToOne allToOne() {
            return new AllToOne();
        }

        @Bean
        Operator operator(
                LeaderElection leaders,
                ReshardingFlags flags,
                FailoverLatch failover,
                JobInspector inspector,
                Registry registry,
                AllToOne strategy) {
            return new Operator(leaders, flags, failover, inspector, registry, strategy);
        }
    }
}
