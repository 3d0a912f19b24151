package dev.elasticjob.execution.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.OneRunner;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BulkheadTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final Deque<Runnable> own = new ArrayDeque<>();
    private final List<Integer> begun = new ArrayList<>();
    private final OneRunner one =
            new OneRunner(context -> begun.add(context.getShardingItem()), Map.of("own", own::add));

    @Test
    void noMoreItemsRunAtATimeThanTheBoundAndAllRun() {
        AtomicInteger active = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        OneRunner[] crowded = new OneRunner[1];
        crowded[0] = new OneRunner(context -> {
            seen.add(active.incrementAndGet());
            crowded[0].runAll();
            active.decrementAndGet();
        });

        crowded[0].claim(bound(2), 5).runAll();

        assertThat(seen).hasSize(5).containsOnly(1, 2);
        assertThat(crowded[0].endings).hasSize(5);
    }

    @Test
    void whatWaitsForTheBoundDoesNotTakeTheTurnsOfOtherJobs() {
        Deque<Runnable> threads = new ArrayDeque<>();
        FairPool pool = new FairPool(threads::add, NamedObjects.by("executorServiceHandler"), 2, new ManualTime(NOON));
        FairPool.Bulkhead narrow = pool.bulkhead("narrow");
        FairPool.Bulkhead other = pool.bulkhead("other");
        List<String> happened = new ArrayList<>();
        narrow.follow(bound(1).build());

        for (int i = 0; i < 2; i++) {
            narrow.execute(task(() -> {
                happened.add("narrow begins");
                threads.removeFirst().run();
                happened.add("narrow ends");
            }));
        }
        other.execute(task(() -> happened.add("other")));
        other.execute(task(() -> happened.add("other")));
        threads.removeFirst().run();

        assertThat(happened.subList(0, 4)).containsExactly("narrow begins", "other", "other", "narrow ends");
    }

    @Test
    void aBoundThatIsRaisedLetsTheWaitingBegin() {
        one.claim(own(1), 3).runAll();
        assertThat(own).hasSize(1);

        one.runner.follow(own(3).build());
        one.runAll();

        assertThat(own).hasSize(3);
    }

    @Test
    void aBoundThatIsLoweredHoldsForWhatComesNext() {
        one.claim(own(3), 3);
        one.claim(own(1), 2).runAll();

        own.remove().run();
        own.remove().run();
        one.runAll();
        assertThat(own).as("one of three still runs").hasSize(1);

        own.remove().run();
        one.runAll();
        assertThat(own).as("the fourth").hasSize(1);
    }

    @Test
    void roomIsWhatTheBoundLeavesAndIsToldWhenItIsThere() {
        List<String> told = new ArrayList<>();
        one.claim(own(1), 1).runAll();
        assertThat(one.bulkhead.free()).isZero();

        one.bulkhead.whenFree(() -> told.add("free"));
        assertThat(told).isEmpty();
        own.remove().run();

        assertThat(told).containsExactly("free");
        assertThat(one.bulkhead.free()).isEqualTo(1);
    }

    @Test
    void aTurnThatIsGivenUpMakesRoomForTheNext() {
        List<String> told = new ArrayList<>();
        FairPool.Task first = task(() -> begun.add(1));
        FairPool.Task second = task(() -> begun.add(2));
        one.runner.follow(own(1).build());
        one.bulkhead.execute(task(() -> begun.add(0)));
        one.bulkhead.execute(first);
        one.bulkhead.execute(second);
        one.bulkhead.whenFree(() -> told.add("free"));

        one.runAll();
        one.bulkhead.forget(first);
        own.remove().run();
        one.runAll();
        own.remove().run();

        assertThat(begun).containsExactly(0, 2);
        assertThat(told).containsExactly("free");
    }

    @Test
    void aTurnThatIsGivenUpIsGivenBackToThePoolToo() {
        Deque<Runnable> threads = new ArrayDeque<>();
        FairPool.Bulkhead bulkhead = new FairPool(
                        threads::add, NamedObjects.by("executorServiceHandler"), 1, new ManualTime(NOON))
                .bulkhead("orders");
        FairPool.Task given = task(() -> begun.add(1));
        bulkhead.follow(bound(2).build());
        bulkhead.execute(task(() -> begun.add(0)));
        bulkhead.execute(given);
        bulkhead.execute(task(() -> begun.add(2)));

        bulkhead.forget(given);
        threads.remove().run();

        assertThat(begun).containsExactly(0, 2);
        bulkhead.follow(bound(1).build());
        assertThat(bulkhead.free()).isEqualTo(1);
    }

    @Test
    void withoutABoundTheRoomIsThePools() {
        List<Integer> free = new ArrayList<>();
        OneRunner[] pooled = new OneRunner[1];
        pooled[0] = new OneRunner(context -> free.add(pooled[0].bulkhead.free()));

        pooled[0].claim(bound(0), 1).runAll();

        assertThat(free).containsExactly(8 - 1);
    }

    @Test
    void itemsRunOnTheExecutorThatTheJobNamesWithinItsBound() {
        one.claim(own(2), 3).runAll();

        assertThat(own).hasSize(2);
        own.remove().run();
        one.runAll();
        assertThat(own).as("the next one is handed over").hasSize(2);
    }

    @Test
    void whatTheExecutorRefusesIsUnclaimedAndTheOthersRun() {
        Executor forOne = task -> {
            if (!own.isEmpty()) {
                throw new RejectedExecutionException("provoked by this test");
            }
            own.add(task);
        };
        OneRunner refused = new OneRunner(context -> {}, Map.of("forOne", forOne));

        refused.claim(bound(0).executorServiceHandler("forOne"), 3).runAll();
        own.remove().run();

        ExecutionResult unclaimed = new ExecutionResult.Unclaimed(ExecutionResult.Unclaimed.Reason.NO_THREAD);
        assertThat(refused.state(0)).isEqualTo(ItemState.COMPLETED);
        assertThat(refused.endings).containsEntry(1, unclaimed).containsEntry(2, unclaimed);
    }

    @Test
    void whatAnExecutorRunsOnItsCallersThreadRunsOnTheOneThatDoesNothingButHandOver() {
        OneRunner inline =
                new OneRunner(context -> begun.add(context.getShardingItem()), Map.of("inline", Runnable::run));

        inline.claim(bound(0).executorServiceHandler("inline"), 2);
        assertThat(begun).isEmpty();
        assertThat(inline.threads).hasSize(1);
        inline.runAll();

        assertThat(begun).containsExactly(0, 1);
        assertThat(inline.state(1)).isEqualTo(ItemState.COMPLETED);
    }

    @Test
    void thereIsNoRoomWhileAnExecutorMakesItsCallerWait() {
        List<Integer> room = new ArrayList<>();
        List<String> told = new ArrayList<>();
        OneRunner[] waiting = new OneRunner[1];
        Executor waits = task -> {
            room.add(waiting[0].bulkhead.free());
            waiting[0].bulkhead.whenFree(() -> told.add("free"));
            room.add(told.size());
            own.add(task);
        };
        waiting[0] = new OneRunner(context -> {}, Map.of("waits", waits));

        waiting[0].claim(bound(0).executorServiceHandler("waits"), 1).runAll();

        assertThat(room).containsExactly(0, 0);
        assertThat(told).containsExactly("free");
        assertThat(waiting[0].bulkhead.free()).isPositive();
    }

    @Test
    void nobodyWhoHasAnItemToRunWaitsForTheExecutor() throws Exception {
        CountDownLatch room = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        Executor waits = task -> {
            await(room);
            task.run();
        };
        try {
            FairPool.Bulkhead bulkhead = new FairPool(
                            threads,
                            NamedObjects.<Executor>by("executorServiceHandler").with(Map.of("waits", waits)),
                            1,
                            new ManualTime(NOON))
                    .bulkhead("orders");
            CompletableFuture<Void> ran = new CompletableFuture<>();
            bulkhead.follow(bound(0).executorServiceHandler("waits").build());

            CompletableFuture.runAsync(() -> bulkhead.execute(task(() -> ran.complete(null))), threads)
                    .get(30, TimeUnit.SECONDS);
            boolean tooEarly = ran.isDone();
            room.countDown();
            ran.get(30, TimeUnit.SECONDS);

            assertThat(tooEarly).isFalse();
        } finally {
            room.countDown();
            threads.shutdown();
        }
    }

    @Test
    void anExecutorThatMakesItsCallerWaitDoesNotHoldUpTheOneThatFollowsIt() {
        OneRunner[] moved = new OneRunner[1];
        List<Integer> ranMeanwhile = new ArrayList<>();
        Executor waits = task -> {
            moved[0].claim(own(0), 1).runAll();
            own.forEach(Runnable::run);
            ranMeanwhile.addAll(begun);
        };
        moved[0] =
                new OneRunner(context -> begun.add(context.getShardingItem()), Map.of("waits", waits, "own", own::add));

        moved[0].claim(bound(0).executorServiceHandler("waits"), 2).runAll();

        assertThat(ranMeanwhile).contains(0);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatIsUnclaimedWhileAnExecutorMakesItsCallerWaitNeverRuns() {
        OneRunner[] waiting = new OneRunner[1];
        Executor waits = task -> {
            waiting[0].runner.beginNothingMore();
            own.add(task);
        };
        waiting[0] = new OneRunner(context -> begun.add(context.getShardingItem()), Map.of("waits", waits));

        waiting[0].claim(bound(0).executorServiceHandler("waits"), 2).runAll();
        boolean idle = waiting[0].runner.idle().toCompletableFuture().isDone();
        assertThat(own).as("the second one is not handed over").hasSize(1);
        own.forEach(Runnable::run);

        assertThat(idle).isTrue();
        assertThat(begun).isEmpty();
        assertThat(waiting[0].endings.values())
                .containsOnly(new ExecutionResult.Unclaimed())
                .hasSize(2);
    }

    @Test
    void whatIsUnclaimedWhileItWaitsForTheBoundIsNotHandedOver() {
        one.claim(own(1), 2).runAll();

        one.runner.beginNothingMore();
        own.remove().run();
        one.runAll();

        assertThat(own).isEmpty();
        assertThat(begun).isEmpty();
        assertThat(one.endings.values())
                .containsOnly(new ExecutionResult.Unclaimed())
                .hasSize(2);
    }

    @Test
    void whatHasRunCannotBeRefusedAnyMore() {
        Executor careless = task -> {
            task.run();
            throw new RejectedExecutionException("provoked by this test");
        };
        OneRunner one = new OneRunner(context -> begun.add(context.getShardingItem()), Map.of("careless", careless));

        one.claim(bound(1).executorServiceHandler("careless"), 2).runAll();

        assertThat(begun).containsExactly(0, 1);
        assertThat(one.state(1)).isEqualTo(ItemState.COMPLETED);
        assertThat(one.bulkhead.free()).isEqualTo(1);
    }

    @Test
    void anExecutorThatTheRegistryNamesAndNobodyHasIsStoodInForByTheSharedThreads() {
        one.claim(bound(0).executorServiceHandler("gone"), 1).runAll();

        assertThat(begun).containsExactly(0);
    }

    private static JobDefinition.Builder bound(int concurrency) {
        return OneRunner.job().concurrency(concurrency);
    }

    private static JobDefinition.Builder own(int concurrency) {
        return bound(concurrency).executorServiceHandler("own");
    }

    private static FairPool.Task task(Runnable action) {
        return new FairPool.Task() {
            @Override
            public void run() {
                action.run();
            }

            @Override
            public void refused(RejectedExecutionException reason) {
                throw new AssertionError(reason);
            }
        };
    }
}
