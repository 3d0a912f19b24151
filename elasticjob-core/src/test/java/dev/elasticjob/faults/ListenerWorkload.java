package dev.elasticjob.faults;

import dev.elasticjob.definition.AfterSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.after.AfterOutcome;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One instance of a job with a cluster listener, and of one that runs after it, in a JVM of its own: it prints a line for
 * each begin and end of the listener's calls and of the items. It ends with the JVM that started it.
 */
final class ListenerWorkload implements ClusterJobListener {
    static final int ITEMS = 3;

    private static final String MARK = "LISTENER";

    private final Semaphore never = new Semaphore(0);

    /** What an instance has told. */
    enum Call {
        BEFORE,
        BEFORE_RETURNS,
        ITEM,
        ITEM_RETURNS,
        AFTER,
        AFTER_RETURNS,
        /** Of the job that runs after this one, under the run id of this one. */
        FOLLOWER,
        FOLLOWER_RETURNS
    }

    /** @param item -1 for a call of the listener */
    record Told(String process, Instant at, Call call, String runId, int item, int attempt) {
        static Optional<Told> parse(String process, String line) {
            String[] words = line.split(" ");
            return words[0].equals(MARK)
                    ? Optional.of(new Told(
                            process,
                            Instant.parse(words[1]),
                            Call.valueOf(words[2]),
                            words[3],
                            Integer.parseInt(words[4]),
                            Integer.parseInt(words[5])))
                    : Optional.empty();
        }
    }

    /** @param arguments the connect string and the instance's id */
    public static void main(String[] arguments) throws IOException {
        ListenerWorkload workload = new ListenerWorkload();
        Registry registry = CuratorRegistry.connect(
                RegistrySettings.of(arguments[0], Workload.NAMESPACE).withSessionTimeout(Duration.ofSeconds(4)));
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(arguments[1])
                .ip(arguments[1])
                .serverTick(TestZooKeeper.TICK)
                .clusterListeners(List.of(workload))
                .build();
        engine.register(
                JobDefinition.builder("orders")
                        .cron("0/3 * * * * *")
                        .timeZone(ZoneOffset.UTC)
                        .shardingTotalCount(ITEMS)
                        .failover(true)
                        .build(),
                workload::item);
        engine.register(
                JobDefinition.builder("reports")
                        .cron("")
                        .shardingTotalCount(1)
                        .failover(true)
                        .after(new AfterSettings(List.of("orders"), AfterOutcome.ANY, Duration.ofHours(1)))
                        .build(),
                workload::report);
        engine.start();
        HeartBeat.lastUntilTheInputEnds();
    }

    private void item(ShardingContext context) throws InterruptedException {
        print(Call.ITEM, context.getRunId(), context.getShardingItem(), context.getAttempt());
        last(300);
        print(Call.ITEM_RETURNS, context.getRunId(), context.getShardingItem(), context.getAttempt());
    }

    private void report(ShardingContext context) throws InterruptedException {
        String runId = context.getParents().get(0).runId();
        print(Call.FOLLOWER, runId, 0, context.getAttempt());
        last(300);
        print(Call.FOLLOWER_RETURNS, runId, 0, context.getAttempt());
    }

    @Override
    public boolean appliesTo(String jobName) {
        return jobName.equals("orders");
    }

    @Override
    public void beforeFirstItem(ClusterFiring firing) throws InterruptedException {
        print(Call.BEFORE, firing.runId(), -1, firing.attempt());
        last(500);
        print(Call.BEFORE_RETURNS, firing.runId(), -1, firing.attempt());
    }

    @Override
    public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) throws InterruptedException {
        print(Call.AFTER, firing.runId(), -1, firing.attempt());
        last(500);
        print(Call.AFTER_RETURNS, firing.runId(), -1, firing.attempt());
    }

    private void last(int millis) throws InterruptedException {
        never.tryAcquire(millis, TimeUnit.MILLISECONDS);
    }

    @SuppressWarnings("SystemOut")
    private static synchronized void print(Call call, String runId, int item, int attempt) {
        System.out.println("%s %s %s %s %d %d".formatted(MARK, Instant.now(), call, runId, item, attempt));
    }
}
