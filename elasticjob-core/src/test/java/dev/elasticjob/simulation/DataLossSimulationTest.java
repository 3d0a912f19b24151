package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A registry that loses its data, for many {@linkplain Seeds seeds}. */
@ExtendWith(Quiet.class)
class DataLossSimulationTest {
    private static final int MUTATION_SEEDS = 500;

    @Test
    @Tag(Seeds.IN_BOTH_BUILDS)
    void aLossIsToldOnceAndTokensNeverFallWhateverGoesWrong() {
        List<String> broken = Seeds.oneIn(50)
                .parallel()
                .mapToObj(seed -> broken(seed, Flaw.NONE).map(what -> "seed %d: %s".formatted(seed, what)))
                .flatMap(Optional::stream)
                .limit(10)
                .toList();

        assertThat(broken)
                .as("broken seeds; one again with -Dsimulation.seed=...")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRuleThatIsTakenOutIsMissed(DataLossMutation mutation) {
        LongPredicate breaks = seed -> broken(seed, mutation)
                .filter(what -> what.startsWith(mutation.broken()))
                .isPresent();

        assertThat(KnownSeeds.of("data loss: " + mutation, mutation.broken(), MUTATION_SEEDS, breaks))
                .as("a seed in which %s breaks \"%s\"", mutation, mutation.broken())
                .isNotEmpty();
    }

    private static Optional<String> broken(long seed, Flaw flaw) {
        boolean traced = Seeds.isOneAgain();
        try (DataLossWorld world = new DataLossWorld(seed, flaw, traced)) {
            Optional<String> violation = world.live();
            return traced ? violation.map(what -> world.describe()) : violation;
        }
    }
}
