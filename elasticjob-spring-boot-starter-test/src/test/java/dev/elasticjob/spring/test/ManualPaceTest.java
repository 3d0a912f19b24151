package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ManualPaceTest {
    private static final int TRIES = 1_000;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration NEXT_FIRING = Duration.ofSeconds(5);

    private final RunningTasks activity = new RunningTasks();
    private final RunningTasks coordination = activity.part();
    private final RunningTasks items = activity.part();
    private final ManualPace pace = new ManualPace(START, activity, coordination, Duration.ofSeconds(30));

    @Test
    void noTimePassesForAnItemThatReturns() {
        pace.timer().after(NEXT_FIRING, () -> {});
        for (int tries = 0; tries < TRIES; tries++) {
            items.begins();
            CompletableFuture<Void> end = CompletableFuture.runAsync(this::returnAndRecord);

            pace.leaveItemsBehind();

            end.join();
            assertThat(pace.clock().instant()).isEqualTo(START);
        }
    }

    @Test
    void timePassesForAnItemThatDoesNotReturn() {
        items.begins();
        pace.timer().after(NEXT_FIRING, items::ends);

        pace.leaveItemsBehind();

        assertThat(pace.clock().instant()).isEqualTo(START.plus(NEXT_FIRING));
    }

    /** As a worker does: the end of an item is coordination's to record. */
    private void returnAndRecord() {
        coordination.begins();
        items.ends();
        coordination.ends();
    }
}
