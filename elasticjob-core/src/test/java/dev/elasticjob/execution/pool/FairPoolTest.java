package dev.elasticjob.execution.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.execution.OneRunner;
import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class FairPoolTest {
    private final ManualTime time = new ManualTime(Instant.parse("2026-03-01T12:00:00Z"));
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final List<Throwable> refused = new ArrayList<>();
    private final Map<String, FairPool.Bulkhead> jobs = new ConcurrentHashMap<>();
    private FairPool pool = pool(threads::add, 1);

    @Test
    void jobsTakeTurnsHoweverMuchOneOfThemWants() {
        pool = pool(threads::add, 1);
        for (String task : List.of("a1", "a2", "a3", "b1", "c1", "b2")) {
            execute(task.substring(0, 1), () -> done.add(task));
        }

        runAll();

        assertThat(done).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
    }

    @Test
    void thereAreNeverMoreThreadsThanAllowed() {
        pool = pool(threads::add, 2);
        for (int i = 0; i < 10; i++) {
            execute("a", () -> done.add("x"));
        }

        assertThat(threads).hasSize(2);
        runAll();
        assertThat(done).hasSize(10);
    }

    /** What is due now would else wait for the end of the task, however long that runs. */
    @Test
    void aTaskThatHasItsThreadTakesNoOtherThreadBeforeItBegins() {
        pool = pool(threads::add, 2);
        execute("a", () -> done.add("task"));

        job("b").whenFree(() -> done.add("free"));

        assertThat(job("b").free()).isEqualTo(1);
        assertThat(done).containsExactly("free");
    }

    @Test
    void anExecutorThatFailsAfterItHasStartedAThreadCostsNothing() {
        pool = pool(
                thread -> {
                    threads.add(thread);
                    thread.run();
                    throw new RejectedExecutionException("provoked by this test");
                },
                1);

        execute("a", () -> done.add("first"));
        execute("a", () -> done.add("second"));

        assertThat(done).containsExactly("first", "second");
        assertThat(refused).isEmpty();
        assertThat(job("a").free()).isEqualTo(1);
    }

    @Test
    void aThreadThatHasRunOutOfWorkIsReplacedWhenThereIsMore() {
        pool = pool(threads::add, 1);
        execute("a", () -> done.add("first"));
        runAll();

        execute("a", () -> done.add("second"));
        runAll();

        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void aTaskThatThrowsCostsThePoolNothing() {
        pool = pool(threads::add, 1);
        execute("a", () -> {
            throw new IllegalStateException("provoked by this test");
        });
        execute("a", () -> {
            throw new AssertionError("provoked by this test");
        });
        execute("a", () -> done.add("next"));

        runAll();
        execute("a", () -> done.add("later"));
        runAll();

        assertThat(done).containsExactly("next", "later");
    }

    @Test
    void aTaskForWhichThereIsNoThreadIsRefusedAndCostsThePoolNothing() {
        AtomicInteger left = new AtomicInteger();
        Executor scarce = task -> {
            if (left.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("unable to create native thread (provoked by this test)");
            }
            threads.add(task);
        };
        pool = pool(scarce, 1);

        execute("a", () -> done.add("refused"));
        left.set(1);
        execute("a", () -> done.add("accepted"));
        runAll();

        assertThat(done).containsExactly("accepted");
        assertThat(refused)
                .hasSize(1)
                .first(InstanceOfAssertFactories.THROWABLE)
                .hasRootCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aTaskThatCountedOnAThreadThatThereIsNotIsNotForgotten() {
        AtomicInteger asked = new AtomicInteger();
        Executor scarce = task -> {
            if (asked.getAndIncrement() == 0) {
                execute("b", () -> done.add("b"));
                throw new OutOfMemoryError("unable to create native thread (provoked by this test)");
            }
            threads.add(task);
        };
        pool = pool(scarce, 1);

        execute("a", () -> done.add("a"));
        runAll();

        assertThat(done).hasSize(1);
        assertThat(refused).hasSize(1);
    }

    @Test
    void aTaskThatIsTakenBackIsNotRunAndOneThatRunsCantBe() {
        pool = pool(threads::add, 1);
        FairPool.Task waits = task(() -> done.add("waits"));
        FairPool.Task[] runs = new FairPool.Task[1];
        runs[0] = task(() -> {
            job("a").forget(runs[0]);
            done.add("runs");
        });
        job("a").execute(runs[0]);
        job("a").execute(waits);

        job("a").forget(waits);
        job("a").forget(waits);
        runAll();

        assertThat(done).containsExactly("runs");
        assertThat(job("a").free()).isEqualTo(1);
    }

    @Test
    void manyCallersGetEveryTaskRunOnceOnFewThreadsAndWithinTheBounds() throws Exception {
        ExecutorService workers = Executors.newCachedThreadPool();
        pool = pool(workers, 3);
        Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
        Map<String, Integer> most = new ConcurrentHashMap<>();
        CountDownLatch all = new CountDownLatch(4_000);
        for (int caller = 0; caller < 4; caller++) {
            int bound = caller;
            String job = "at most " + bound;
            job(job).follow(OneRunner.job().concurrency(bound).build());
            workers.execute(() -> {
                for (int i = 0; i < 1_000; i++) {
                    execute(job, () -> {
                        List.of(job, "all").forEach(one -> begin(one, running, most));
                        List.of(job, "all").forEach(one -> running.get(one).decrementAndGet());
                        all.countDown();
                    });
                }
            });
        }

        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(most.get("all")).isLessThanOrEqualTo(3);
        assertThat(most.get("at most 1")).isEqualTo(1);
        assertThat(most.get("at most 2")).isLessThanOrEqualTo(2);
        workers.shutdown();
    }

    private static void begin(String one, Map<String, AtomicInteger> running, Map<String, Integer> most) {
        int now = running.computeIfAbsent(one, any -> new AtomicInteger()).incrementAndGet();
        most.merge(one, now, Math::max);
    }

    @Test
    void aPoolInWhichNothingBeginsSaysOnceWhoHasItsThreads() {
        pool = pool(threads::add, 1);
        execute("hog", () -> {
            execute("innocent", () -> done.add("innocent"));
            execute("hog", () -> done.add("hog"));
            try (LoggedLines log = new LoggedLines()) {
                time.advance(Duration.ofSeconds(59));
                assertThat(log.all()).isEmpty();
                time.advance(Duration.ofMinutes(5));
                assertThat(log.all())
                        .singleElement()
                        .asString()
                        .startsWith("WARN Nothing has begun on the shared threads for 1 min")
                        .contains("\"hog\" has 1, one of them for 1 min", "2 tasks of the jobs [hog, innocent] wait");
            }
            assertThat(pool.state().longestWait()).isEqualTo(Duration.ofSeconds(359));
            assertThat(pool.state().tasks()).isEqualTo(2);
        });

        runAll();

        assertThat(done).containsExactly("innocent", "hog");
        assertThat(pool.state().longestWait()).isZero();
        assertThat(time.waiting()).isZero();
    }

    @Test
    void aJobsTaskWaitsFromWhenItIsAskedForAlsoBehindTheJobsOwnBound() {
        pool = pool(threads::add, 1);
        FairPool.Bulkhead narrow = pool.bulkhead("narrow");
        narrow.follow(JobDefinition.builder("narrow").concurrency(1).build());
        List<Duration> waits = new ArrayList<>();
        narrow.execute(FairPool.Task.of(() -> time.advance(Duration.ofSeconds(10)), reason -> {}));
        narrow.execute(FairPool.Task.of(() -> {}, reason -> {}));
        execute("other", () -> waits.add(narrow.longestWait()));

        runAll();

        assertThat(waits).as("once it may begin, and has no thread").containsExactly(Duration.ofSeconds(10));
        assertThat(narrow.longestWait()).isZero();
    }

    @Test
    void aPoolInWhichOthersBeginIsNotStandingStill() {
        pool = pool(threads::add, 1);
        try (LoggedLines log = new LoggedLines()) {
            execute("slow", () -> time.advance(Duration.ofSeconds(50)));
            for (int i = 0; i < 5; i++) {
                execute("slow", () -> time.advance(Duration.ofSeconds(50)));
            }

            runAll();

            assertThat(log.all()).isEmpty();
        }
    }

    @Test
    void aPoolWithoutThreadsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool(threads::add, 0))
                .withMessageContaining("\"maxThreads\"");
    }

    private FairPool pool(Executor workers, int maxThreads) {
        return new FairPool(workers, NamedObjects.by("executorServiceHandler"), maxThreads, time);
    }

    private void execute(String job, Runnable action) {
        job(job).execute(task(action));
    }

    private FairPool.Bulkhead job(String name) {
        return jobs.computeIfAbsent(name, pool::bulkhead);
    }

    private FairPool.Task task(Runnable action) {
        return new FairPool.Task() {
            @Override
            public void run() {
                action.run();
            }

            @Override
            public void refused(RejectedExecutionException reason) {
                refused.add(reason);
            }
        };
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }
}
