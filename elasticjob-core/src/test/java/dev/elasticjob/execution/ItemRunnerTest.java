package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.elasticjob.coordination.item.ClaimedItem;
import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.TestLease;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.execution.pool.FairPool;
import dev.elasticjob.execution.pool.NamedObjects;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.ExecutionObserver;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.ExecutionTrigger;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ItemRunnerTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final long SESSION = Claims.SESSION;
    private static final JobDefinition JOB = JobDefinition.builder("orders")
            .cron("0 * * * * ?")
            .shardingTotalCount(3)
            .shardingItemParameters("0=north,1=south")
            .jobParameter("all")
            .build();

    private final ManualTime time = new ManualTime(NOON.plusMillis(5));
    private final SessionLease lease = TestLease.held(time, SESSION, Duration.ofSeconds(20));
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<JobEvent> events = new ArrayList<>();
    private final Heard heard = new Heard();
    private final Map<Integer, ExecutionResult> endings = heard.endings;

    @Test
    void anItemThatReturnsIsCompletedFromItsThreadsBeginningToItsReturn() {
        ItemRunner runner = runner(context -> time.advance(Duration.ofSeconds(3)));

        runner.run(List.of(claimed(0)));
        time.advance(Duration.ofSeconds(1));
        runAll();

        Instant began = NOON.plusMillis(1_005);
        assertThat(endings)
                .containsEntry(0, new ExecutionResult.Returned(ItemState.COMPLETED, began, began.plusSeconds(3), null));
        assertThat(events)
                .containsExactly(
                        new ItemStarted(
                                "orders",
                                "a@-@1",
                                0,
                                NOON,
                                "orders@2026-03-01T12:00:00Z",
                                1,
                                ExecutionTrigger.SCHEDULE,
                                began,
                                Optional.empty()),
                        new ItemFinished(
                                "orders",
                                "a@-@1",
                                0,
                                NOON,
                                "orders@2026-03-01T12:00:00Z",
                                1,
                                ExecutionTrigger.SCHEDULE,
                                began,
                                began.plusSeconds(3),
                                0,
                                ExecutionOutcome.COMPLETED,
                                Optional.empty(),
                                Optional.empty()));
    }

    @Test
    void anItemThatThrowsHasFailedWithTheHeadOfTheText() {
        ItemRunner runner = runner(context -> {
            throw new IllegalStateException("provoked by this test " + "x".repeat(1_000));
        });

        runner.run(List.of(claimed(0)));
        runAll();

        ExecutionResult.Returned ending = (ExecutionResult.Returned) endings.get(0);
        assertThat(ending.state()).isEqualTo(ItemState.FAILED);
        assertThat(ending.failure())
                .startsWith("java.lang.IllegalStateException: provoked")
                .hasSizeLessThan(310);
    }

    /** An unregistration or a stop asks what is executing at the very moment at which something ends. */
    @Test
    void whatIsExecutingCanBeAskedForWhileItEndsOnAnotherThread() {
        ItemRunner runner = runner(context -> {}, Runnable::run);

        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> {
            for (int time = 0; time < 100_000; time++) {
                assertThat(runner.items()).isSubsetOf(0, 1, 2);
            }
        });
        for (int firing = 0; firing < 20_000; firing++) {
            runner.run(List.of(claimed(0), claimed(1), claimed(2)));
        }

        assertThatCode(asked::join).doesNotThrowAnyException();
        assertThat(runner.items()).isEmpty();
    }

    @Test
    void evenAnErrorIsAnEnd() {
        ItemRunner runner = runner(context -> {
            throw new NoClassDefFoundError("provoked by this test");
        });

        runner.run(List.of(claimed(0), claimed(1)));
        runAll();

        assertThat(endings).containsOnlyKeys(0, 1);
    }

    @Test
    void whatIsInterruptedFromHereAndGivesUpIsInterruptedNotFailed() {
        ItemRunner[] runner = new ItemRunner[1];
        runner[0] = runner(context -> {
            runner[0].interruptAll("the engine is stopping");
            if (Thread.interrupted()) {
                throw new InterruptedException("gives up");
            }
        });

        runner[0].run(List.of(claimed(0)));
        runAll();

        assertThat(((ExecutionResult.Returned) endings.get(0)).state()).isEqualTo(ItemState.INTERRUPTED);
    }

    @Test
    void whatFinishesInSpiteOfTheInterruptIsCompletedAndLeavesNoTraceOnItsThread() {
        ItemRunner[] runner = new ItemRunner[1];
        runner[0] = runner(context -> runner[0].interruptAll("the engine is stopping"));

        runner[0].run(List.of(claimed(0)));
        runAll();

        assertThat(((ExecutionResult.Returned) endings.get(0)).state()).isEqualTo(ItemState.COMPLETED);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aThreadThatInterruptsItselfHasFailedByItself() {
        ItemRunner runner = runner(context -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("provoked by this test");
        });

        runner.run(List.of(claimed(0)));
        runAll();

        assertThat(((ExecutionResult.Returned) endings.get(0)).state()).isEqualTo(ItemState.FAILED);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anItemDoesNotBeginWhenTheLeaseIsOver() {
        ItemRunner runner = runner(context -> {});

        runner.run(List.of(claimed(0)));
        time.advance(Duration.ofSeconds(20));
        runAll();

        assertThat(endings).containsEntry(0, new ExecutionResult.Unclaimed());
        assertThat(events).isEmpty();
    }

    @Test
    void anItemDoesNotBeginAfterTheEnd() {
        ItemRunner runner = runner(context -> {});

        runner.run(List.of(claimed(0)));
        runner.beginNothingMore();
        runAll();

        assertThat(endings).containsEntry(0, new ExecutionResult.Unclaimed());
    }

    @Test
    void onlyThoseWithoutALeaseAreInterrupted() {
        TreeSet<Integer> lost = new TreeSet<>();
        ItemRunner[] runner = new ItemRunner[1];
        runner[0] = runner(context -> {
            runner[0].interruptWithoutLease();
            if (Thread.interrupted()) {
                lost.add(context.getShardingItem());
            }
            time.advance(Duration.ofSeconds(30));
            runner[0].interruptWithoutLease();
            if (Thread.interrupted() && context.isLeaseLost()) {
                lost.add(10 + context.getShardingItem());
            }
        });

        runner[0].run(List.of(claimed(0)));
        runAll();

        assertThat(lost).containsExactly(10);
    }

    @Test
    void whatMayGoOnWithoutALeaseIsToldOfItAndNotInterrupted() {
        List<Boolean> seen = new ArrayList<>();
        ItemRunner[] runner = new ItemRunner[1];
        runner[0] = runner(context -> {
            time.advance(Duration.ofSeconds(30));
            runner[0].goOnWithoutLease();
            runner[0].goOnWithoutLease();
            seen.add(context.isLeaseLost());
            seen.add(Thread.currentThread().isInterrupted());
        });

        runner[0].run(List.of(claimed(0)));
        runAll();

        assertThat(seen).containsExactly(true, false);
        assertThat(((ExecutionResult.Returned) endings.get(0)).state()).isEqualTo(ItemState.COMPLETED);
    }

    @Test
    void whatMayGoOnAndThrowsHasFailedByItself() {
        ItemRunner[] runner = new ItemRunner[1];
        runner[0] = runner(context -> {
            time.advance(Duration.ofSeconds(30));
            runner[0].goOnWithoutLease();
            throw new IllegalStateException("provoked by this test");
        });

        runner[0].run(List.of(claimed(0)));
        runAll();

        assertThat(((ExecutionResult.Returned) endings.get(0)).state()).isEqualTo(ItemState.FAILED);
    }

    @Test
    void withoutMonitoringThereIsNoLeaseToLose() {
        List<Boolean> lost = new ArrayList<>();
        ItemRunner runner = runner(context -> lost.add(context.isLeaseLost()));

        runner.run(List.of(claimed(0, 0)));
        time.advance(Duration.ofHours(1));
        runAll();

        assertThat(lost).containsExactly(false);
    }

    @Test
    void theContextSaysWhatTheClaimSaid() {
        List<ShardingContext> seen = new ArrayList<>();
        ItemRunner runner = runner(seen::add);

        runner.run(List.of(claimed(1, 99)));
        runAll();

        ShardingContext context = seen.get(0);
        assertThat(context.getJobName()).isEqualTo("orders");
        assertThat(context.getShardingTotalCount()).isEqualTo(3);
        assertThat(context.getShardingItem()).isEqualTo(1);
        assertThat(context.getShardingParameter()).isEqualTo("south");
        assertThat(context.getJobParameter()).isEqualTo("all");
        assertThat(context.getScheduledTime()).isEqualTo(NOON);
        assertThat(context.getAttempt()).isEqualTo(1);
        assertThat(context.getFencingToken()).isEqualTo(99);
        assertThat(context.isLeaseLost()).isFalse();
        assertThat(context.getTaskId()).isEqualTo("orders@-@1@-@2026-03-01T12:00:00Z@-@1@-@a@-@1");
    }

    @Test
    void taskIdsDifferByItemFiringAttemptAndInstance() {
        List<String> ids = new ArrayList<>();
        ItemRunner runner = runner(context -> ids.add(context.getTaskId()));

        runner.run(List.of(
                claimed(0, NOON, "a@-@1", 1),
                claimed(1, NOON, "a@-@1", 1),
                claimed(0, NOON.plusSeconds(60), "a@-@1", 1),
                claimed(0, NOON, "a@-@1", 2),
                claimed(0, NOON, "b@-@1", 1)));
        runAll();

        assertThat(ids).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void anItemWithoutAParameterHasAnEmptyOne() {
        List<String> parameters = new ArrayList<>();
        ItemRunner runner = runner(context -> parameters.add(context.getShardingParameter()));

        runner.run(List.of(claimed(2)));
        runAll();

        assertThat(parameters).containsExactly("");
    }

    @Test
    void whatGetsNoThreadIsUnclaimedAndTheOthersRun() {
        ItemRunner runner = runner(context -> {}, task -> {
            if (threads.size() == 1) {
                throw new RejectedExecutionException("provoked by this test");
            }
            threads.add(task);
        });

        runner.run(List.of(claimed(0), claimed(1)));
        runAll();

        assertThat(endings.get(0)).isInstanceOf(ExecutionResult.Returned.class);
        assertThat(endings.get(1)).isEqualTo(new ExecutionResult.Unclaimed(ExecutionResult.Unclaimed.Reason.NO_THREAD));
    }

    // ------------------------------------------------------------------ what follows

    private ItemRunner runner(JobInvoker invoker) {
        return runner(invoker, threads::add);
    }

    private ItemRunner runner(JobInvoker invoker, Executor workers) {
        FairPool.Bulkhead bulkhead =
                new FairPool(workers, NamedObjects.by("executorServiceHandler"), 8, time).bulkhead("orders");
        JobErrors errors = new JobErrors(JobErrors.builtIn(), time);
        return new ItemRunner(
                new RunScope(
                        invoker,
                        bulkhead,
                        errors,
                        List.of(),
                        List.of(),
                        ExecutionObserver.NONE,
                        lease,
                        time,
                        time,
                        Runnable::run,
                        workers,
                        new FirstExecutions(),
                        events::add),
                item -> false,
                heard);
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }

    private static ClaimedItem claimed(int item) {
        return claimed(item, 42);
    }

    private static ClaimedItem claimed(int item, long token) {
        return claimed(item, NOON, "a@-@1", 1, token);
    }

    private static ClaimedItem claimed(int item, Instant firing, String instance, int attempt) {
        return claimed(item, firing, instance, attempt, 42);
    }

    private static ClaimedItem claimed(int item, Instant firing, String instance, int attempt, long token) {
        return Claims.claimed(JOB, item, firing, instance, attempt, token);
    }
}
