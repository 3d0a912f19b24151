package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.testing.Heard;
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
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();
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
        long before = engines.server().packetsReceived();
        int known = batches.all().size();

        batches.await("200 batches more", all -> all.size() > known + 200);
        long packets = engines.server().packetsReceived() - before;

        // The session's pings, and its process's sign that it lives: by time, not by batch.
        assertThat(packets).isLessThanOrEqualTo(20);
    }

    private void start(String instance) {
        ElasticJobEngine engine =
                engines.engine(instance, settings -> settings.shutdownTimeout(Duration.ofSeconds(10)));
        engine.register(ENDLESS, source);
        get(engine.start());
    }
}
