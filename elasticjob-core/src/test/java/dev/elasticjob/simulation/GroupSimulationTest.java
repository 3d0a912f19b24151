package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.simulation.GroupWorld.Life;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises of {@code docs/internals/protocol-groups.md}, for many {@linkplain Seeds seeds}. */
@ExtendWith(Quiet.class)
class GroupSimulationTest {
    private static final int SEEDS_OF_A_MUTATION = 3_000;

    @Test
    @Tag(Seeds.IN_BOTH_BUILDS)
    void promisesAreKeptWhateverGoesWrong() {
        List<Life> broken = Seeds.oneIn(5)
                .parallel()
                .mapToObj(seed -> GroupWorld.of(seed, Flaw.NONE, false))
                .filter(life -> life.violation().isPresent())
                .limit(20)
                .toList();

        assertThat(broken)
                .as(() -> describe(GroupWorld.of(broken.get(0).seed(), Flaw.NONE, true)))
                .extracting(life ->
                        "seed %d: %s".formatted(life.seed(), life.violation().orElseThrow()))
                .isEmpty();
    }

    @Test
    void aSeedReplaysExactly() {
        Seeds.few()
                .forEach(seed -> assertThat(GroupWorld.of(seed, Flaw.NONE, true))
                        .isEqualTo(GroupWorld.of(seed, Flaw.NONE, true)));
    }

    @ParameterizedTest
    @EnumSource
    void aRuleThatIsTakenOutIsMissed(GroupMutation mutation) {
        LongPredicate breaks = seed -> GroupWorld.of(seed, mutation, false)
                .violation()
                .filter(what -> what.startsWith(mutation.broken()))
                .isPresent();

        assertThat(KnownSeeds.of("groups: " + mutation, mutation.broken(), SEEDS_OF_A_MUTATION, breaks))
                .as("a seed in which %s breaks %s", mutation, mutation.broken())
                .isNotEmpty();
    }

    private static String describe(Life life) {
        return "seed %d: %s%n%s%n%s"
                .formatted(
                        life.seed(),
                        life.violation().orElse("every promise was kept"),
                        String.join("\n", life.trace()),
                        life.tree());
    }
}
