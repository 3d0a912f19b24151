package dev.elasticjob.engine;

import static dev.elasticjob.engine.RealEngines.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ItemTimeoutException;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.AssignmentChanged;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemRetried;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.testing.Heard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Timeouts and retries of two instances on a real ZooKeeper. */
class PoliciesIT {
    private static final JobDefinition ONCE_A_YEAR = JobDefinition.builder("orders")
            .cron("0 0 0 1 1 ?")
            .shardingTotalCount(2)
            .failover(true)
            .build();

    @RegisterExtension
    final RealEngines engines = new RealEngines();

    private final EventLog events = engines.events();

    @Test
    void whatHangsHasFailedAfterItsTimeoutAndNobodyTakesItOver() {
        JobDefinition timed =
                ONCE_A_YEAR.toBuilder().timeout(Duration.ofMillis(300)).build();
        SimpleJob hanging = context -> new CompletableFuture<Void>().get(60, TimeUnit.SECONDS);
        ElasticJobEngine one = twoInstances(timed, hanging, hanging);

        get(one.admin().trigger("orders"));
        List<ItemFinished> finished = events.awaitAll(ItemFinished.class, any -> true, 2);

        assertThat(finished)
                .allSatisfy(end -> assertThat(end.failure()).get().isInstanceOf(ItemTimeoutException.class));
        events.clear();
        get(one.admin().trigger("orders"));
        assertThat(events.awaitAll(ItemStarted.class, any -> true, 2))
                .as("a first attempt, on an item that is free again")
                .extracting(ItemStarted::attempt)
                .containsOnly(1);
    }

    @Test
    void aRetryStaysWithTheInstanceAndCountsApartFromFailover() {
        AtomicInteger failures = new AtomicInteger();
        SimpleJob failsTwice = context -> {
            if (context.getShardingItem() == 0 && failures.getAndIncrement() < 2) {
                throw new IllegalStateException("provoked by this test");
            }
        };
        JobDefinition retried = ONCE_A_YEAR.toBuilder()
                .retry(RetrySettings.of(3, Duration.ofMillis(200)))
                .build();
        ElasticJobEngine one = twoInstances(retried, failsTwice, failsTwice);

        get(one.admin().trigger("orders"));
        ItemFinished finished = events.await(ItemFinished.class, end -> end.item() == 0);

        assertThat(finished.failure()).isEmpty();
        assertThat(finished.attempt()).isEqualTo(1);
        assertThat(events.all(ItemRetried.class))
                .hasSize(2)
                .allSatisfy(retry -> assertThat(retry.instance()).isEqualTo(finished.instance()));
        assertThat(events.all(ItemStarted.class)).extracting(ItemStarted::item).containsOnlyOnce(0);
    }

    @Test
    void whatWaitsForItsRetryWhenItsInstanceLeavesRunsOnTheOtherAtOnce() {
        JobDefinition patient = ONCE_A_YEAR.toBuilder()
                .retry(RetrySettings.of(3, Duration.ofHours(1)))
                .build();
        ElasticJobEngine leaving = start("b@-@1", patient, context -> {
            throw new IllegalStateException("provoked by this test");
        });
        ElasticJobEngine staying = start("a@-@1", patient, context -> {});
        awaitShared();
        get(staying.admin().trigger("orders"));
        ItemRetried waiting = events.await(ItemRetried.class, any -> true);

        get(leaving.stop());

        ItemStarted again = events.await(ItemStarted.class, next -> next.attempt() == 2);
        assertThat(again.item()).isEqualTo(waiting.item());
        assertThat(again.instance()).isEqualTo("a@-@1");
        events.await(
                ItemFinished.class, end -> end.attempt() == 2 && end.failure().isEmpty());
        assertThat(get(staying.inspector().job("orders")).orElseThrow().items())
                .extracting(item -> item.itemRecord().state())
                .doesNotContain(ItemState.FAILED);
    }

    @Test
    void onEachInstanceSoManyItemsRunAtATime() {
        Map<String, AtomicInteger> atWork = Map.of("a@-@1", new AtomicInteger(), "b@-@1", new AtomicInteger());
        Heard<Integer> most = new Heard<>();
        Function<String, SimpleJob> body = instance -> context -> {
            most.add(atWork.get(instance).incrementAndGet());
            new Semaphore(0).tryAcquire(50, TimeUnit.MILLISECONDS);
            atWork.get(instance).decrementAndGet();
        };
        JobDefinition bounded =
                ONCE_A_YEAR.toBuilder().shardingTotalCount(8).concurrency(2).build();
        ElasticJobEngine one = start("a@-@1", bounded, body.apply("a@-@1"));
        start("b@-@1", bounded, body.apply("b@-@1"));
        awaitShared(4);

        get(one.admin().trigger("orders"));
        events.awaitAll(ItemFinished.class, any -> true, 8);

        assertThat(most.all()).hasSize(8).contains(2).allMatch(items -> items <= 2);
    }

    @Test
    void aListenerThatFailsBeforeAFiringStopsItOnItsInstanceAloneAndIsReported() {
        Heard<String> reported = new Heard<>();
        ElasticJobListener guard = new ElasticJobListener() {
            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                throw new IllegalStateException("not here");
            }
        };
        JobDefinition reporting =
                ONCE_A_YEAR.toBuilder().jobExceptionHandler("mailing").build();
        Map<String, JobErrorHandler> mailing =
                Map.of("mailing", (job, cause) -> reported.add(job + ": " + cause.getMessage()));
        start(
                "a@-@1",
                reporting,
                context -> {},
                engine -> engine.jobListeners(List.of(guard)).errorHandlers(mailing));
        ElasticJobEngine other = start("b@-@1", reporting, context -> {}, engine -> engine.errorHandlers(mailing));
        awaitShared(1);

        get(other.admin().trigger("orders"));

        List<ItemFinished> ends = events.awaitAll(ItemFinished.class, any -> true, 2);
        assertThat(ends)
                .allSatisfy(end -> assertThat(end.failure().isPresent())
                        .isEqualTo(end.instance().equals("a@-@1")));
        reported.await("the report", lines -> !lines.isEmpty());
        assertThat(reported.all()).containsExactly("orders: not here");
    }

    private ElasticJobEngine twoInstances(JobDefinition definition, SimpleJob first, SimpleJob second) {
        ElasticJobEngine one = start("a@-@1", definition, first);
        start("b@-@1", definition, second);
        awaitShared();
        return one;
    }

    private void awaitShared() {
        awaitShared(1);
    }

    private void awaitShared(int items) {
        for (String instance : List.of("a@-@1", "b@-@1")) {
            events.await(
                    AssignmentChanged.class,
                    now -> now.instance().equals(instance) && now.items().size() == items);
        }
    }

    private ElasticJobEngine start(String instance, JobDefinition definition, SimpleJob job) {
        return start(instance, definition, job, UnaryOperator.identity());
    }

    private ElasticJobEngine start(
            String instance, JobDefinition definition, SimpleJob job, UnaryOperator<ElasticJobEngineBuilder> settings) {
        ElasticJobEngine engine = engines.engine(instance, settings);
        engine.register(definition, job);
        get(engine.start());
        return engine;
    }
}
