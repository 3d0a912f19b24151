package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobReport;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.JobEvent.ItemFinished;
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

/** A stream of numbers with an end, on two instances, of which the first goes away in the middle. */
class CheckpointIT {
    private static final int NUMBERS = 600;
    private static final JobDefinition COUNTING = JobDefinition.builder("orders")
            .jobType(JobType.DATAFLOW)
            .cron("* * * * * ?")
            .shardingTotalCount(1)
            .streamingProcess(true)
            .failover(true)
            .build();

    @RegisterExtension
    final Opened opened = new Opened();

    private final TestZooKeeper server = opened.add(TestZooKeeper.start());
    private final EventLog events = new EventLog();
    private final Heard<Integer> first = new Heard<>();
    private final Heard<Integer> second = new Heard<>();
    private final Semaphore never = new Semaphore(0);

    @Test
    void whoTakesOverGoesOnFromWhatWasStored() {
        Registry dying = connect();
        start("a@-@1", dying, first);
        first.await("some numbers", all -> all.size() > 150);
        // Its last word is not written yet, so the other has something to do again.
        dying.close();

        start("b@-@1", connect(), second);

        second.await("the rest", all -> all.contains(NUMBERS));
        int from = second.all().get(0);
        assertThat(from).as("where the other goes on").isGreaterThan(1).isLessThanOrEqualTo(last(first) + 1);
        assertThat(second.all()).startsWith(from, from + 1, from + 2);
        assertThat(first.all()).startsWith(1, 2, 3);
    }

    @Test
    void whoLeavesInGoodOrderLeavesHisLastWord() {
        ElasticJobEngine engine = start("a@-@1", connect(), first);
        first.await("some numbers", all -> all.size() > 150);

        engine.close();
        ElasticJobEngine other = start("b@-@1", connect(), second);

        second.await("the rest", all -> all.contains(NUMBERS));
        assertThat(second.all().get(0)).as("nothing is done twice").isEqualTo(last(first) + 1);
        events.await(ItemFinished.class, end -> end.instance().equals("b@-@1"));
        JobReport report = other.inspector()
                .job("orders")
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join()
                .orElseThrow();
        assertThat(report.items().get(0).checkpoint()).contains(String.valueOf(NUMBERS));
    }

    private static int last(Heard<Integer> numbers) {
        return numbers.all().get(numbers.all().size() - 1);
    }

    private Registry connect() {
        Registry registry = CuratorRegistry.connect(RegistrySettings.of(server.connectString(), "checkpoints"));
        opened.add(registry);
        return registry;
    }

    private ElasticJobEngine start(String instance, Registry registry, Heard<Integer> numbers) {
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .ip("10.0.0." + (instance.charAt(0) - 'a' + 1))
                .shutdownTimeout(Duration.ofSeconds(10))
                .listener(events)
                .build();
        opened.add(engine);
        engine.register(COUNTING, new Counting(numbers));
        engine.start().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
        return engine;
    }

    private final class Counting implements DataflowJob<Integer> {
        private final Heard<Integer> numbers;

        Counting(Heard<Integer> numbers) {
            this.numbers = numbers;
        }

        @Override
        public List<Integer> fetchData(ShardingContext context) {
            int next = context.getLastCheckpoint().map(Integer::valueOf).orElse(0) + 1;
            return next > NUMBERS ? List.of() : List.of(next);
        }

        @Override
        public void processData(ShardingContext context, List<Integer> data) throws InterruptedException {
            never.tryAcquire(5, TimeUnit.MILLISECONDS);
            numbers.add(data.get(0));
            context.checkpoint(String.valueOf(data.get(0)));
        }
    }
}
