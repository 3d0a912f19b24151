package dev.elasticjob.execution.invoker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.execution.Claims;
import dev.elasticjob.execution.OneRunner;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ItemContextTest {
    /** The engine's one coordination thread, and whatever else ends the item, would wait for the job's own code. */
    @Test
    void aJobThatLocksItsContextHoldsUpNothingElse() {
        ItemContext context = Claims.context(OneRunner.job().build());
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        CompletableFuture<Void> job = CompletableFuture.runAsync(() -> {
            synchronized (context) {
                locked.countDown();
                await(enough);
            }
        });
        await(locked);

        CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(() -> {
            context.checkpoint("5");
            context.end();
        });

        assertThat(elsewhere).succeedsWithin(Duration.ofSeconds(30));
        enough.countDown();
        assertThat(job).succeedsWithin(Duration.ofSeconds(30));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
