package dev.elasticjob.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SystemTaskTimerTest {
    private final SystemTaskTimer timer = new SystemTaskTimer("test-timer");

    @AfterEach
    void close() {
        timer.close();
    }

    @Test
    void aTaskRunsOnTheTimersDaemonThreadNoEarlierThanAsked() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        long asked = timer.nanoTime();

        timer.after(Duration.ofMillis(20), () -> ran.complete(Thread.currentThread()));
        Thread thread = ran.get(30, TimeUnit.SECONDS);

        assertThat(timer.nanoTime() - asked).isGreaterThanOrEqualTo(20_000_000L);
        assertThat(thread.getName()).isEqualTo("test-timer");
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void aTaskThatFailsDoesNotHarmTheNext() throws Exception {
        CountDownLatch next = new CountDownLatch(1);

        timer.after(Duration.ZERO, () -> {
            throw new AssertionError("provoked by this test");
        });
        timer.after(Duration.ofSeconds(-1), next::countDown);

        assertThat(next.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aCancelledTaskNeverRuns() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(1);

        timer.after(Duration.ofMillis(30), cancelled::countDown).cancel();
        timer.after(Duration.ofMillis(60), later::countDown);

        assertThat(later.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(cancelled.getCount()).isEqualTo(1);
    }

    @Test
    void aClosedTimerTakesTasksAndRunsNone() throws Exception {
        CompletableFuture<Void> ran = new CompletableFuture<>();
        timer.close();

        timer.after(Duration.ZERO, () -> ran.complete(null)).cancel();

        assertThat(ran).isNotDone();
    }
}
