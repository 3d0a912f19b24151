package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ElasticJobListener;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.ShardingContexts;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterFiring;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.cluster.FiringOutcomes;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine that ends its work after its first items. */
class FreshWorkerTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String EACH_MINUTE = "0 * * * * ?";

    private final List<String> ran = new ArrayList<>();
    private OneEngine one = new OneEngine(NOON, job("").build(), noting());
    private CompletionStage<Void> finished = one.engine.stop();

    @Test
    void itEndsAfterItsFirstItem() {
        start(job(EACH_MINUTE).build(), noting());

        one.passRunning(MINUTE.minusSeconds(1));
        assertThat(isFinished()).isFalse();
        one.passRunning(MINUTE.multipliedBy(3));

        assertThat(ran).containsExactly("orders 0");
        assertThat(isFinished()).isTrue();
    }

    @Test
    void itStaysAsLongAsThereIsNothingToDo() {
        start(job("0 0 0 1 1 ? 2099").build(), noting());

        one.passRunning(Duration.ofDays(2));

        assertThat(isFinished()).isFalse();
    }

    @Test
    void idleAfterEndsItToo() {
        start(job("0 0 0 1 1 ? 2099").build(), noting());
        CompletionStage<Void> idle = one.engine.finishWhenIdle(MINUTE);

        one.passRunning(MINUTE);

        assertThat(isDone(idle)).isTrue();
        assertThat(isFinished()).isFalse();
    }

    @Test
    void whatHasBegunBeforeTheFirstEndGoesOn() {
        List<Boolean> finishedMeanwhile = new ArrayList<>();
        start(job(EACH_MINUTE).shardingTotalCount(2).build(), context -> {
            if (context.getShardingItem() == 0) {
                one.passRunning(MINUTE.multipliedBy(3));
                finishedMeanwhile.add(isFinished());
            }
            note(context);
        });

        one.passRunning(MINUTE.plusSeconds(1));

        assertThat(ran).containsExactly("orders 1", "orders 0");
        assertThat(finishedMeanwhile).containsExactly(false);
        assertThat(isFinished()).isTrue();
    }

    @Test
    void meanwhileItsItemsAreForOthers() {
        List<Integer> owned = new ArrayList<>();
        start(job(EACH_MINUTE).shardingTotalCount(2).build(), context -> {
            if (context.getShardingItem() == 0) {
                owned.add(one.engine.figures().itemsOwned("orders"));
                one.passRunning(MINUTE);
                owned.add(one.engine.figures().itemsOwned("orders"));
            }
        });

        one.passRunning(MINUTE.plusSeconds(1));

        assertThat(owned).containsExactly(2, 0);
    }

    /** By the first round that finds them still owned. */
    @Test
    void itsItemsAreForOthersAlsoIfTheConnectionIsLostWhenTheFirstEnds() {
        ownsNothingOnceTheFirstHasEnded("orders", () -> {
            one.registry.disconnect();
            one.returnItems();
            one.settle();
            one.registry.reconnect();
            one.pass(Duration.ofSeconds(10));
        });
    }

    /** Also what gets the thread of the one that has ended. */
    @Test
    void whatIsClaimedAndHasNotBegunIsGivenBack() {
        start(job(EACH_MINUTE).shardingTotalCount(2).build(), noting(), engine -> engine.maxThreads(1));

        one.pass(MINUTE);
        assertThat(one.read(OneEngine.TREE.running(1))).isPresent();
        one.runItems();

        assertThat(ran).containsExactly("orders 0");
        assertThat(isFinished()).isTrue();
        assertThat(one.read(OneEngine.TREE.running(1))).isEmpty();
        assertThat(one.inspector()
                        .demand("orders")
                        .toCompletableFuture()
                        .join()
                        .orElseThrow()
                        .open())
                .isOne();
    }

    @Test
    void whatIsGivenBackBeforeItHasBegunDoesNotCount() {
        start(job(EACH_MINUTE).build(), noting());
        one.pass(MINUTE);
        assertThat(one.read(OneEngine.TREE.running(0))).isPresent();
        one.admin().drain("orders", "a@-@1");
        one.settle();
        assertThat(one.read(OneEngine.TREE.running(0))).isEmpty();

        one.admin().undrain("orders", "a@-@1");
        one.passRunning(MINUTE);

        assertThat(ran).containsExactly("orders 0");
        assertThat(isFinished()).isTrue();
    }

    @Test
    void whatWaitsForRoomIsLeftToOthers() {
        start(job(EACH_MINUTE).shardingTotalCount(2).build(), noting(), engine -> engine.capacity(1));

        one.passRunning(MINUTE.plusSeconds(10));

        assertThat(ran).hasSize(1);
        assertThat(isFinished()).isTrue();
    }

    @Test
    void firstItemsAreThoseOfAllJobs() {
        start(job(EACH_MINUTE).build(), noting());
        one.engine.register(job("bills", "30 * * * * ?").build(), noting());
        one.settle();

        one.passRunning(MINUTE.multipliedBy(2));

        assertThat(ran).containsExactly("bills 0");
        assertThat(isFinished()).isTrue();
    }

    @Test
    void aRetryBelongsToItsExecution() {
        List<Boolean> finishedMeanwhile = new ArrayList<>();
        start(job(EACH_MINUTE).shardingTotalCount(2).retry(RETRY).build(), context -> {
            note(context);
            if (context.getShardingItem() == 0 && ran.size() < 3) {
                throw new IllegalStateException("fails at first");
            }
            finishedMeanwhile.add(isFinished());
        });

        one.passRunning(MINUTE.multipliedBy(5));

        assertThat(ran).containsExactly("orders 0", "orders 1", "orders 0");
        assertThat(finishedMeanwhile).containsExactly(false, false);
        assertThat(isFinished()).isTrue();
    }

    /** Not with one thread: what pauses has none. */
    @Test
    void withRoomForOneItIsOneItemAlsoWhileThatPauses() {
        start(
                job(EACH_MINUTE).shardingTotalCount(2).retry(RETRY).build(),
                context -> {
                    note(context);
                    if (ran.size() < 3) {
                        throw new IllegalStateException("fails at first");
                    }
                },
                engine -> engine.capacity(1));

        one.passRunning(MINUTE.multipliedBy(5));

        assertThat(ran).hasSize(3).containsOnly(ran.get(0));
        assertThat(isFinished()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ifAListenerFailsBeforeTheItemsAllOfThemFail(boolean monitored) {
        ElasticJobListener failing = new ElasticJobListener() {
            @Override
            public void beforeJobExecuted(ShardingContexts contexts) {
                throw new IllegalStateException("a listener's failure");
            }
        };
        start(
                job(EACH_MINUTE)
                        .shardingTotalCount(3)
                        .monitorExecution(monitored)
                        .build(),
                noting(),
                engine -> engine.jobListeners(List.of(failing)));

        one.passRunning(MINUTE.plusSeconds(1));

        assertThat(one.events)
                .filteredOn(JobEvent.ItemFinished.class::isInstance)
                .hasSize(3);
        assertThat(isFinished()).isTrue();
    }

    @Test
    void anExecutionWithoutMonitoringCounts() {
        start(job(EACH_MINUTE).monitorExecution(false).build(), noting());

        one.passRunning(MINUTE.multipliedBy(3));

        assertThat(ran).hasSize(1);
        assertThat(isFinished()).isTrue();
    }

    @Test
    void aCallOfClusterListenersDoesNotCount() {
        ClusterJobListener listener = new ClusterJobListener() {
            @Override
            public void beforeFirstItem(ClusterFiring firing) {
                ran.add("before");
            }

            @Override
            public void afterLastItem(ClusterFiring firing, FiringOutcomes outcomes) {
                ran.add("after");
            }
        };
        start(job(EACH_MINUTE).build(), noting(), engine -> engine.clusterListeners(List.of(listener)));

        one.passRunning(MINUTE.multipliedBy(3));

        assertThat(ran).containsExactly("before", "orders 0");
        assertThat(isFinished()).isTrue();
    }

    /** At once: its instance need not know yet that its items are given away. */
    @Test
    void aStreamEndsAfterItsBatch() {
        OneEngine streaming = new OneEngine(
                NOON,
                job(EACH_MINUTE)
                        .jobType(JobType.DATAFLOW)
                        .streamingProcess(true)
                        .build(),
                new Stream());
        one = streaming;
        finished = one.engine.finishAfterFirstItems();
        one.engine.register(job("stock", EACH_MINUTE).build(), noting());
        one.started();

        one.passRunning(MINUTE.plusSeconds(1));

        assertThat(ran).containsExactly("batch", "stock 0");
        assertThat(isFinished()).isTrue();
    }

    @Test
    void aJobThatIsRegisteredLaterDoesNotJoin() {
        start(job(EACH_MINUTE).build(), noting());
        one.passRunning(MINUTE.plusSeconds(1));

        CompletionStage<Void> registered =
                one.engine.register(job("bills", EACH_MINUTE).build(), noting());
        one.passRunning(MINUTE.multipliedBy(2));

        assertThat(registered).isCompleted();
        assertThat(ran).containsExactly("orders 0");
        assertThat(one.read(new JobTree("bills").instance("a@-@1"))).isEmpty();
    }

    /** For as many steps of the engine as the registration takes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 9, 13, 17, 21})
    void aJobWhoseRegistrationIsUnderWayOwnsNothing(int steps) {
        ownsNothingOnceTheFirstHasEnded("stock", () -> {
            one.engine.register(job("stock", "0 0 0 1 1 ? 2099").build(), noting());
            for (int step = 0; step < steps; step++) {
                one.runOne();
            }
            one.passRunning(MINUTE);
        });
    }

    /** @param meanwhile happens while the first of two items executes; the other one ends in it */
    private void ownsNothingOnceTheFirstHasEnded(String jobName, Runnable meanwhile) {
        List<Integer> owned = new ArrayList<>();
        start(job(EACH_MINUTE).shardingTotalCount(2).build(), context -> {
            if (context.getShardingItem() == 0) {
                meanwhile.run();
                owned.add(one.engine.figures().itemsOwned(jobName));
            }
            note(context);
        });

        one.passRunning(MINUTE.plusSeconds(1));

        assertThat(ran).containsExactly("orders 1", "orders 0");
        assertThat(owned).containsExactly(0);
        assertThat(isFinished()).isTrue();
    }

    @Test
    void afterAStopItLeavesAndAfterANewStartItHasFirstItemsAgain() {
        start(job(EACH_MINUTE).build(), noting());
        one.passRunning(MINUTE.plusSeconds(1));

        one.engine.stop();
        one.settle();
        assertThat(one.read(OneEngine.TREE.instance("a@-@1"))).isEmpty();
        assertThat(one.read(OneEngine.TREE.drain("a@-@1"))).isEmpty();
        one.started();
        assertThat(one.engine.state("orders")).isEqualTo(JobState.ACTIVE);
        one.passRunning(MINUTE.multipliedBy(3));

        assertThat(ran).hasSize(2);
    }

    @Test
    void whatEndsBecauseOfAStopIsNoFirstItem() {
        List<Boolean> finishedMeanwhile = new ArrayList<>();
        start(job(EACH_MINUTE).build(), context -> {
            if (ran.isEmpty()) {
                one.engine.stop();
                one.settle();
                one.engine.start();
                one.settle();
            } else {
                finishedMeanwhile.add(isFinished());
            }
            note(context);
        });

        one.passRunning(MINUTE.plusSeconds(1));
        assertThat(ran).hasSize(1);
        assertThat(isFinished()).isFalse();
        one.passRunning(MINUTE.multipliedBy(2));

        assertThat(ran).hasSize(2);
        assertThat(finishedMeanwhile).containsExactly(false);
        assertThat(isFinished()).isTrue();
    }

    @Test
    void afterANewStartItsEndIsThatOfTheNewFirstItems() {
        start(job(EACH_MINUTE).build(), noting());
        one.passRunning(MINUTE.plusSeconds(1));
        one.engine.stop();
        one.settle();
        one.started();

        CompletionStage<Void> again = one.engine.finishAfterFirstItems();
        assertThat(isDone(again)).isFalse();
        one.passRunning(MINUTE.multipliedBy(2));

        assertThat(isDone(again)).isTrue();
    }

    private static final int MANY = 10;
    private static final RetrySettings RETRY = RetrySettings.of(5, MINUTE);

    private final class Stream implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return ran.size() < MANY ? List.of("one more") : List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {
            ran.add("batch");
            one.returnItems();
        }
    }

    private void start(JobDefinition definition, SimpleJob job) {
        start(definition, job, UnaryOperator.identity());
    }

    private void start(JobDefinition definition, SimpleJob job, UnaryOperator<ElasticJobEngineBuilder> settings) {
        one = new OneEngine(NOON, definition, job, settings);
        finished = one.engine.finishAfterFirstItems();
        one.started();
    }

    private SimpleJob noting() {
        return this::note;
    }

    private void note(ShardingContext context) {
        ran.add(context.getJobName() + " " + context.getShardingItem());
    }

    private boolean isFinished() {
        return isDone(finished);
    }

    private static boolean isDone(CompletionStage<Void> stage) {
        return stage.toCompletableFuture().isDone();
    }

    private static JobDefinition.Builder job(String cron) {
        return job("orders", cron);
    }

    private static JobDefinition.Builder job(String name, String cron) {
        return JobDefinition.builder(name).cron(cron).timeZone(ZoneOffset.UTC).shardingTotalCount(1);
    }
}
