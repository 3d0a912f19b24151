package dev.elasticjob.spring.metrics;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.engine.SimulatedCluster;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.trace.UnwrittenTrace;
import dev.elasticjob.testing.ChangedRegistry;
import dev.elasticjob.testing.prometheus.Promtool;
import dev.elasticjob.testing.prometheus.Recording.Alert;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** In each incident, the alert that it is for fires, and no other one that isn't true as well. */
@EnabledIf("hasPromtool")
class AlertsInIncidentsTest {
    private static final Duration A_WHILE = Duration.ofMinutes(3);
    private static final JobTree TREE = new JobTree("orders");
    private static final SimpleJob NOTHING = context -> {};

    private final MeteredCluster cluster = new MeteredCluster();

    static boolean hasPromtool() {
        return Promtool.find().isPresent();
    }

    @Test
    void anItemFails() {
        startTwo(orders(everyMinute(), context -> {
            if (context.getShardingItem() == 2) {
                throw new IllegalStateException("no stock");
            }
        }));

        cluster.pass(A_WHILE);

        cluster.assertFired(ofOrders("ElasticJobExecutionsFail"));
    }

    @Test
    void clusterListenersFail() {
        startTwo(orders(everyMinute(), NOTHING), listener(() -> {
            throw new IllegalStateException("no database");
        }));

        cluster.pass(A_WHILE);

        cluster.assertFired(ofOrders("ElasticJobListenersFail"));
    }

    @Test
    void clusterListenersHang() {
        startTwo(orders(hourly(), NOTHING), listener(() -> cluster.pass(Duration.ofMinutes(3))));

        cluster.pass(Duration.ofMinutes(20));

        cluster.assertFired(ofOrders("ElasticJobListenersTakeLong"));
    }

    @Test
    void firingsAreLostWhileNobodyIsThere() {
        JobDefinition.Builder withoutMisfire = everyMinute().misfire(false);
        cluster.start("a", orders(withoutMisfire, NOTHING));
        cluster.pass(Duration.ofMinutes(10));
        cluster.stop("a");
        // The one that comes counts the loss five seconds after its start, before it is scraped.
        cluster.pass(Duration.ofMinutes(8).minusSeconds(5));

        cluster.start("b", orders(withoutMisfire, NOTHING));
        cluster.pass(A_WHILE);

        cluster.assertFired(ofOrders("ElasticJobFiringsLost"));
    }

    @Test
    void anItemIsStuck() {
        startTwo(orders(hourly().stuckAfter(Duration.ofMinutes(1)), context -> {
            if (context.getShardingItem() == 0) {
                cluster.pass(A_WHILE);
            }
        }));

        cluster.pass(Duration.ofMinutes(20));

        cluster.assertFired(ofOrders("ElasticJobIsStuck"));
    }

    @Test
    void nobodyBeginsAFiringInTime() {
        JobDefinition.Builder tooHeavy = hourly().weight(5).expectWithin(Duration.ofMinutes(1));
        cluster.start("a", orders(tooHeavy, NOTHING), builder -> builder.capacity(2));

        cluster.pass(Duration.ofMinutes(15));

        cluster.assertFired(ofOrders("ElasticJobIsOverdue"));
    }

    @Test
    void itemsAlwaysBeginLate() {
        Instant end = SimulatedCluster.START.plus(Duration.ofMinutes(15));
        cluster.start("a", orders(everyMinute().concurrency(1), context -> {
            if (cluster.cluster().now().isBefore(end)) {
                cluster.pass(Duration.ofSeconds(50));
            }
        }));

        cluster.pass(Duration.ofMinutes(15));

        cluster.assertFired(ofOrders("ElasticJobIsLate"));
    }

    @Test
    void allThreadsAreBlocked() {
        cluster.start(
                "a",
                both(
                        orders(everyMinute(), NOTHING),
                        job("imports", "30 10 0 * * ?", context -> cluster.pass(Duration.ofMinutes(15)))),
                oneThread());

        cluster.pass(Duration.ofMinutes(30));

        cluster.assertFired(of("a", "ElasticJobThreadsAreExhausted"), ofOrders("ElasticJobItemsWaitLong"));
    }

    @Test
    void anInstanceDoesNotReachZooKeeper() {
        startTwo(orders(everyMinute(), NOTHING));
        cluster.pass(A_WHILE);

        cluster.cluster().disconnect("a");
        cluster.pass(A_WHILE);
        cluster.cluster().reconnect("a");
        cluster.pass(A_WHILE);

        cluster.assertFired(of("a", "ElasticJobRegistryIsDisconnected"));
    }

    @Test
    void zooKeeperHasLostItsData() {
        startTwo(orders(everyMinute(), NOTHING));
        cluster.pass(A_WHILE);

        cluster.cluster().ensemble().empty();
        cluster.pass(A_WHILE);

        cluster.assertFired(new Alert("ElasticJobRegistryLostData", ""));
    }

    @Test
    void aClockIsWrong() {
        InstantSource ahead = () -> cluster.cluster().now().plus(Duration.ofMinutes(5));
        Clock wrong = ahead.withZone(ZoneOffset.UTC);
        cluster.start("a", orders(everyMinute(), NOTHING));
        cluster.start("b", orders(everyMinute(), NOTHING), builder -> builder.clock(wrong));

        cluster.pass(Duration.ofMinutes(10));

        cluster.assertFired(of("b", "ElasticJobClockIsWrong"));
    }

    @Test
    void requestsFailNowAndThen() {
        JobDefinition.Builder everyTenSeconds = everyMinute().cron("*/10 * * * * ?");
        cluster.start("a", orders(everyTenSeconds, NOTHING));
        cluster.start("b", orders(everyTenSeconds, NOTHING), UnaryOperator.identity(), Unreliable::new, List.of());

        cluster.pass(Duration.ofMinutes(10));

        cluster.assertFired(of("b", "ElasticJobRequestsFail"));
    }

    @Test
    void noInstanceMayRunTheJob() {
        startTwo(orders(everyMinute().runOn("disk=ssd"), NOTHING));

        cluster.pass(Duration.ofMinutes(8));

        cluster.assertFired(ofOrders("ElasticJobHasNoOwner"));
    }

    @Test
    void aJobPausesItself() {
        startTwo(orders(everyMinute().pauseAfterFailures(2), context -> {
            throw new IllegalStateException("no stock");
        }));

        cluster.pass(Duration.ofMinutes(30));

        cluster.assertFired(ofOrders("ElasticJobPausedItself"), ofOrders("ElasticJobExecutionsFail"));
    }

    @Test
    void noInstanceIsLeft() {
        startTwo(orders(everyMinute(), NOTHING));
        cluster.pass(Duration.ofMinutes(61));

        cluster.kill("a");
        cluster.kill("b");
        cluster.pass(Duration.ofMinutes(15));

        cluster.assertFired(ofOrders("ElasticJobHasNoInstance"));
    }

    @Test
    void instancesCrashWhileTheyExecute() {
        Consumer<ElasticJobEngine> jobs = orders(everyMinute().failover(true), NOTHING);
        startTwo(jobs);
        cluster.pass(A_WHILE);

        for (String name : List.of("a", "b", "a")) {
            cluster.cluster().holdItems();
            cluster.pass(Duration.ofMinutes(1));
            cluster.kill(name);
            cluster.cluster().letItemsBegin();
            cluster.pass(Duration.ofSeconds(40));
            cluster.start(name, jobs);
            cluster.pass(A_WHILE);
        }

        cluster.assertFired(ofOrders("ElasticJobInstancesCrash"));
    }

    @Test
    void noInstanceHasRoomForTheJob() {
        cluster.start("a", orders(hourly().weight(5), NOTHING), builder -> builder.capacity(2));

        cluster.pass(Duration.ofMinutes(30));

        cluster.assertFired(ofOrders("ElasticJobWorkWaits"), ofOrders("ElasticJobItemsWaitLong"));
    }

    @Test
    void somebodyElseWritesToTheNodesOfTheJob() {
        startTwo(orders(everyMinute(), NOTHING));
        cluster.pass(A_WHILE);

        cluster.cluster().commit(RegistryCommit.builder().set(TREE.owner(1), "c", RegistryCommit.ANY_VERSION));
        cluster.pass(Duration.ofMinutes(20));

        cluster.assertFired(ofOrders("ElasticJobNodesAreRepaired"));
    }

    @Test
    void theDatabaseOfTheHistoryIsDown() {
        cluster.start(
                "a",
                orders(everyMinute(), NOTHING),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                List.of(UnwrittenTrace.of(1_000, cluster.cluster().clock())));

        cluster.pass(Duration.ofMinutes(8));

        cluster.assertFired(of("a", "ElasticJobHistoryIsNotWritten"));
    }

    @Test
    void theBufferOfTheHistoryIsFull() {
        cluster.start(
                "a",
                orders(everyMinute(), NOTHING),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                List.of(UnwrittenTrace.of(20, cluster.cluster().clock())));

        cluster.pass(Duration.ofMinutes(8));

        cluster.assertFired(of("a", "ElasticJobHistoryIsNotWritten"), of("a", "ElasticJobEventsAreDropped"));
    }

    // ------------------------------------------------------------------ what waits on purpose

    @Test
    void aPausedJobWaitsOnPurpose() {
        cluster.start(
                "a",
                both(orders(hourly(), NOTHING), job("imports", "59 9 * * * ?", context -> {
                    cluster.pass(Duration.ofSeconds(30));
                    cluster.cluster().get(cluster.cluster().engine("a").admin().pause("orders"));
                    cluster.pass(Duration.ofMinutes(14));
                })),
                oneThread());

        cluster.pass(Duration.ofMinutes(30));

        cluster.assertFired(of("a", "ElasticJobThreadsAreExhausted"));
    }

    @Test
    void firingsThatAreNotMadeUpForDoNotWait() {
        cluster.start("a", orders(hourly().misfire(false).weight(5), NOTHING), builder -> builder.capacity(2));

        cluster.pass(Duration.ofMinutes(30));

        cluster.assertFired();
    }

    @Test
    void itemsThatOperatorsHaveDisabledDoNotWait() {
        cluster.start("a", orders(hourly(), NOTHING));
        cluster.pass(A_WHILE);
        cluster.cluster().get(cluster.cluster().engine("a").admin().disableItems("orders", Set.of(0, 1, 2, 3)));

        cluster.pass(Duration.ofMinutes(30));

        cluster.assertFired();
    }

    @Test
    void workForInstancesThatComeWithItDoesNotWaitWhileNoneIsThere() {
        cluster.start("a", orders(hourly(), NOTHING));
        cluster.pass(Duration.ofMinutes(5));
        cluster.stop("a");
        cluster.pass(Duration.ofMinutes(25));

        cluster.start("b", orders(hourly(), NOTHING));
        cluster.pass(A_WHILE);

        cluster.assertFired();
    }

    // ------------------------------------------------------------------ the cast

    private void startTwo(Consumer<ElasticJobEngine> jobs) {
        startTwo(jobs, UnaryOperator.identity());
    }

    private void startTwo(Consumer<ElasticJobEngine> jobs, UnaryOperator<ElasticJobEngineBuilder> settings) {
        cluster.start("a", jobs, settings);
        cluster.start("b", jobs, settings);
    }

    private static JobDefinition.Builder everyMinute() {
        return definition("orders", "0 * * * * ?").shardingTotalCount(4);
    }

    private static JobDefinition.Builder hourly() {
        return definition("orders", "0 10 * * * ?").shardingTotalCount(4);
    }

    private static JobDefinition.Builder definition(String name, String cron) {
        return JobDefinition.builder(name).cron(cron).timeZone(ZoneOffset.UTC);
    }

    private static Consumer<ElasticJobEngine> orders(JobDefinition.Builder definition, SimpleJob code) {
        return engine -> engine.register(definition.build(), code);
    }

    private static Consumer<ElasticJobEngine> job(String name, String cron, SimpleJob code) {
        return engine ->
                engine.register(definition(name, cron).shardingTotalCount(1).build(), code);
    }

    private static Consumer<ElasticJobEngine> both(Consumer<ElasticJobEngine> one, Consumer<ElasticJobEngine> other) {
        return one.andThen(other);
    }

    private static UnaryOperator<ElasticJobEngineBuilder> oneThread() {
        return builder -> builder.maxThreads(1);
    }

    private static UnaryOperator<ElasticJobEngineBuilder> listener(Runnable beforeFirstItem) {
        return builder -> builder.clusterListeners(List.of(new ClusterJobListener() {
            @Override
            public void beforeFirstItem(ClusterFiring firing) {
                beforeFirstItem.run();
            }
        }));
    }

    private static Alert ofOrders(String name) {
        return new Alert(name, "orders");
    }

    private static Alert of(String instance, String name) {
        return new Alert(name, instance + ":8080");
    }

    /** Every third request to read isn't answered. */
    private static final class Unreliable extends ChangedRegistry {
        private int asked;

        Unreliable(Registry registry) {
            super(registry);
        }

        @Override
        public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
            return ++asked % 3 == 0
                    ? CompletableFuture.failedFuture(new RegistryUnavailableException("The server is overloaded"))
                    : super.read(reads);
        }
    }
}
