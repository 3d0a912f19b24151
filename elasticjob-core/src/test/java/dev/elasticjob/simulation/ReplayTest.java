package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.testing.ChildJvm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A seed is the same life in every process: a failure that was seen on one machine can be looked at on another. What would
 * spoil that are orders that a JVM chooses anew with each start, such as that of a hash set of objects.
 */
@ExtendWith(Quiet.class)
@Tag("proof")
class ReplayTest {
    private static final int SEEDS = 20;

    @Test
    void anotherProcessLivesTheSameLives() {
        List<String> there = Collections.synchronizedList(new ArrayList<>());
        try (ChildJvm other = ChildJvm.start("replay", there::add, List.of(), Other.class, List.of())) {
            List<String> here = lives().toList();

            assertThat(other.awaitExit()).isZero();
            other.await("its last life", here.get(SEEDS - 1)::equals);
            assertThat(there).containsExactlyElementsOf(here);
        }
    }

    /** Busy ones, with many interruptions. */
    private static Stream<String> lives() {
        return LongStream.range(0, SEEDS).mapToObj(seed -> {
            Scenario scenario = Scenario.of(seed, Run.ALL_FAULTS)
                    .with(EnumSet.of(Fault.PAUSE, Fault.SERVER_RESTART))
                    .busy();
            Run run = Run.of(scenario, Flaw.NONE);
            return "seed %d: %s after %d steps, %08x"
                    .formatted(
                            seed,
                            run.violation().orElse("every promise was kept"),
                            run.steps(),
                            run.tree().hashCode());
        });
    }

    /** The same by itself. */
    static final class Other {
        private Other() {}

        public static void main(String[] arguments) {
            Quiet.keep();
            lives().forEach(System.out::println);
        }
    }
}
