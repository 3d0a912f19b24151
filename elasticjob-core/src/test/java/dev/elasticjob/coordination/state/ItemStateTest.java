package dev.elasticjob.coordination.state;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.state.ItemState.COMPLETED;
import static dev.elasticjob.coordination.state.ItemState.FAILED;
import static dev.elasticjob.coordination.state.ItemState.INTERRUPTED;
import static dev.elasticjob.coordination.state.ItemState.NEW;
import static dev.elasticjob.coordination.state.ItemState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.elasticjob.coordination.Samples;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ItemStateTest {
    private static final Map<ItemState, Set<ItemState>> TABLE = Map.of(
            NEW, Set.of(RUNNING),
            RUNNING, Set.of(NEW, COMPLETED, FAILED, INTERRUPTED),
            COMPLETED, Set.of(RUNNING),
            FAILED, Set.of(RUNNING),
            INTERRUPTED, Set.of(RUNNING, COMPLETED, FAILED));

    @ParameterizedTest(name = "{0} -> {1}")
    @MethodSource("pairs")
    void aStateIsFollowedByThoseOfItsTableOnly(ItemState from, ItemState to) {
        assertThat(from.successors().contains(to)).isEqualTo(TABLE.get(from).contains(to));
    }

    @Test
    void aForbiddenStepNamesOriginAndTarget() {
        ItemRecord running = Samples.running(NOON);

        assertThatIllegalStateException()
                .isThrownBy(() -> running.claimed(NOON.plusSeconds(60), Samples.US, NOON))
                .withMessageContaining("RUNNING to RUNNING");
        assertThatIllegalStateException()
                .isThrownBy(() -> ItemRecord.NEW.ended(COMPLETED, NOON, NOON, null))
                .withMessageContaining("NEW to COMPLETED");
    }

    private static Stream<Arguments> pairs() {
        return Arrays.stream(ItemState.values())
                .flatMap(from -> Arrays.stream(ItemState.values()).map(to -> Arguments.of(from, to)));
    }
}
