package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RunningTasksTest {
    private static final int TRIES = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RunningTasks whole = new RunningTasks();
    private final RunningTasks coordination = whole.part();

    @Test
    void aPartAndTheWholeComeToRestAtTheSameMoment() {
        for (int tries = 0; tries < TRIES; tries++) {
            coordination.begins();
            CompletableFuture<Void> end = CompletableFuture.runAsync(coordination::ends);

            assertThat(coordination.awaitRest(PATIENCE)).isTrue();
            assertThat(whole.rests()).isTrue();
            end.join();
        }
    }
}
