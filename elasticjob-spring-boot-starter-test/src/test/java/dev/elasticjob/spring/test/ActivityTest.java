package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ActivityTest {
    private static final int TRIES = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Activity whole = new Activity();
    private final Activity coordination = whole.part();

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
