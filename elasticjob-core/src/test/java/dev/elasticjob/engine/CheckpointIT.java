package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobReport;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.testing.Heard;
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
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();
    private final Heard<Integer> first = new Heard<>();
    private final Heard<Integer> second = new Heard<>();
    private final Semaphore never = new Semaphore(0);

    @Test
    void whoTakesOverGoesOnFromWhatWasStored() {
        start("a@-@1", first);
        first.await("some numbers", all -> all.size() > 150);
        // Its last word is not written yet, so the other has something to do again.
        engines.registryOf("a@-@1").close();

        start("b@-@1", second);

        second.await("the rest", all -> all.contains(NUMBERS));
        int from = second.all().get(0);
        assertThat(from).as("where the other goes on").isGreaterThan(1).isLessThanOrEqualTo(last(first) + 1);
        assertThat(second.all()).startsWith(from, from + 1, from + 2);
        assertThat(first.all()).startsWith(1, 2, 3);
    }

    @Test
    void whoLeavesInGoodOrderLeavesHisLastWord() {
        ElasticJobEngine engine = start("a@-@1", first);
        first.await("some numbers", all -> all.size() > 150);

        engine.close();
        ElasticJobEngine other = start("b@-@1", second);

        second.await("the rest", all -> all.contains(NUMBERS));
        assertThat(second.all().get(0)).as("nothing is done twice").isEqualTo(last(first) + 1);
        events.await(ItemFinished.class, end -> end.instance().equals("b@-@1"));
        JobReport report = get(other.inspector().job("orders")).orElseThrow();
        assertThat(report.items().get(0).checkpoint()).contains(String.valueOf(NUMBERS));
    }

    private static int last(Heard<Integer> numbers) {
        return numbers.all().get(numbers.all().size() - 1);
    }

    private ElasticJobEngine start(String instance, Heard<Integer> numbers) {
        ElasticJobEngine engine =
                engines.engine(instance, settings -> settings.shutdownTimeout(Duration.ofSeconds(10)));
        engine.register(COUNTING, new Counting(numbers));
        get(engine.start());
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
