package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.JobEvent.AssignmentChanged;
import dev.elasticjob.job.JobEvent.ItemFinished;
import dev.elasticjob.job.JobEvent.ItemStarted;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.Opened;
import dev.elasticjob.testing.TestZooKeeper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A stream without an end, shared by two instances on a real ZooKeeper. */
class StreamingIT {
    private static final JobDefinition ENDLESS = JobDefinition.builder("orders")
            .jobType(JobType.DATAFLOW)
            .cron("* * * * * ?")
            .shardingTotalCount(2)
            .streamingProcess(true)
            .build();

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());
    private final EventLog events = new EventLog();
    private final Heard<Integer> batches = new Heard<>();
    private final Semaphore never = new Semaphore(0);

    private final DataflowJob<Integer> source = new DataflowJob<>() {
        @Override
        public List<Integer> fetchData(ShardingContext context) {
            return List.of(context.getShardingItem());
        }

        @Override
        public void processData(ShardingContext context, List<Integer> data) throws InterruptedException {
            batches.add(data.get(0));
            never.tryAcquire(10, TimeUnit.MILLISECONDS);
        }
    };

    @Test
    void anInstanceThatJoinsGetsItsItemThoughItsStreamHasNoEnd() {
        start("a@-@1");
        events.awaitAll(ItemStarted.class, any -> true, 2);

        start("b@-@1");
        AssignmentChanged share = events.await(
                AssignmentChanged.class,
                change -> change.instance().equals("b@-@1") && change.items().size() == 1);

        ItemStarted there =
                events.await(ItemStarted.class, run -> run.instance().equals("b@-@1"));
        assertThat(share.items()).contains(there.item());
        assertThat(events.all(ItemFinished.class))
                .as("the stream that was given away ended well")
                .anySatisfy(end -> {
                    assertThat(end.instance()).isEqualTo("a@-@1");
                    assertThat(end.item()).isEqualTo(there.item());
                    assertThat(end.failure()).isEmpty();
                });
    }

    @Test
    void betweenItsBatchesAStreamAsksNothingOfTheServer() {
        start("a@-@1");
        batches.await("the first batches", all -> all.size() > 20);
        long before = server.packetsReceived();
        int known = batches.all().size();

        batches.await("200 batches more", all -> all.size() > known + 200);
        long packets = server.packetsReceived() - before;

        // The session's pings, and its process's sign that it lives: by time, not by batch.
        assertThat(packets).isLessThanOrEqualTo(20);
    }

    private void start(String instance) {
        Registry registry = CuratorRegistry.connect(RegistrySettings.of(server.connectString(), "streams"));
        opened.add(registry);
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .ip("10.0.0." + (instance.charAt(0) - 'a' + 1))
                .shutdownTimeout(Duration.ofSeconds(10))
                .listener(events)
                .build();
        opened.add(engine);
        engine.register(ENDLESS, source);
        engine.start().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
