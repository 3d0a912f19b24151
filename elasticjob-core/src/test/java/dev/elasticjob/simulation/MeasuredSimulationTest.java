package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** "Measuring" in {@code docs/internals/protocol-placement.md}, for hours of virtual time. */
@ExtendWith(Quiet.class)
class MeasuredSimulationTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatTakesLongIsSharedOutAndMovesAreBounded(long seed) {
        assertThat(broken(seed, Flaw.NONE, MeasuredWorld::live)).isEmpty();
    }

    @Test
    void whatIsVeryUnevenTakesHours() {
        assertThat(broken(3, Flaw.NONE, MeasuredWorld::liveUnevenly)).isEmpty();
    }

    @Test
    void aLeaderThatBalancesTooOftenIsNoticed() {
        Flaw hasty = new Flaw() {
            @Override
            public Registry apply(Registry registry) {
                return registry;
            }

            @Override
            public TaskTimer timer(TaskTimer timer) {
                return new TaskTimer() {
                    @Override
                    public Cancellable after(Duration delay, Runnable task) {
                        return timer.after(delay.equals(Duration.ofHours(1)) ? delay.dividedBy(6) : delay, task);
                    }

                    @Override
                    public long nanoTime() {
                        return timer.nanoTime();
                    }
                };
            }
        };

        assertThat(broken(3, hasty, MeasuredWorld::liveUnevenly))
                .hasValueSatisfying(what -> assertThat(what).startsWith("moves bounded"));
    }

    private static Optional<String> broken(long seed, Flaw flaw, Function<MeasuredWorld, Optional<String>> lives) {
        try (MeasuredWorld world = new MeasuredWorld(seed, flaw)) {
            return lives.apply(world);
        }
    }
}
