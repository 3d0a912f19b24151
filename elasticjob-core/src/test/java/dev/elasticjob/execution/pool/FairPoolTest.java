package dev.elasticjob.execution.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FairPoolTest {
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();

    @Test
    void jobsTakeTurnsHoweverMuchOneOfThemWants() {
        FairPool pool = new FairPool(threads::add, 1);
        for (String task : List.of("a1", "a2", "a3", "b1", "c1", "b2")) {
            pool.execute(task.substring(0, 1), () -> done.add(task));
        }

        runAll();

        assertThat(done).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
    }

    @Test
    void thereAreNeverMoreThreadsThanAllowed() {
        FairPool pool = new FairPool(threads::add, 2);
        for (int i = 0; i < 10; i++) {
            pool.execute("a", () -> done.add("x"));
        }

        assertThat(threads).hasSize(2);
        runAll();
        assertThat(done).hasSize(10);
    }

    @Test
    void aThreadThatHasRunOutOfWorkIsReplacedWhenThereIsMore() {
        FairPool pool = new FairPool(threads::add, 1);
        pool.execute("a", () -> done.add("first"));
        runAll();

        pool.execute("a", () -> done.add("second"));
        runAll();

        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void aTaskThatThrowsCostsThePoolNothing() {
        FairPool pool = new FairPool(threads::add, 1);
        pool.execute("a", () -> {
            throw new IllegalStateException("provoked by this test");
        });
        pool.execute("a", () -> {
            throw new AssertionError("provoked by this test");
        });
        pool.execute("a", () -> done.add("next"));

        runAll();
        pool.execute("a", () -> done.add("later"));
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
        FairPool pool = new FairPool(scarce, 1);

        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> pool.execute("a", () -> done.add("refused")))
                .withRootCauseInstanceOf(OutOfMemoryError.class);
        left.set(1);
        pool.execute("a", () -> done.add("accepted"));
        runAll();

        assertThat(done).containsExactly("accepted");
    }

    @Test
    void aTaskThatIsTakenBackIsNotRunAndOneThatRunsCantBe() {
        FairPool pool = new FairPool(threads::add, 1);
        List<Boolean> takenBack = new ArrayList<>();
        Runnable waits = () -> done.add("waits");
        Runnable[] runs = new Runnable[1];
        runs[0] = () -> takenBack.add(pool.forget("a", runs[0]));
        pool.execute("a", runs[0]);
        pool.execute("a", waits);

        takenBack.add(pool.forget("a", waits));
        takenBack.add(pool.forget("a", waits));
        runAll();

        assertThat(takenBack).containsExactly(true, false, false);
        assertThat(done).isEmpty();
        assertThat(pool.free()).isEqualTo(1);
    }

    @Test
    void manyCallersGetEveryTaskRunOnceOnFewThreads() throws Exception {
        ExecutorService workers = Executors.newCachedThreadPool();
        FairPool pool = new FairPool(workers, 3);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(4_000);

        for (int caller = 0; caller < 4; caller++) {
            String job = "job" + caller;
            workers.execute(() -> {
                for (int i = 0; i < 1_000; i++) {
                    pool.execute(job, () -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        running.decrementAndGet();
                        all.countDown();
                    });
                }
            });
        }

        assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(most.get()).isLessThanOrEqualTo(3);
        workers.shutdown();
    }

    @Test
    void aPoolWithoutThreadsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FairPool(threads::add, 0))
                .withMessageContaining("\"maxThreads\"");
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.remove().run();
        }
    }
}
