package dev.elasticjob.coordination.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PausesTest {
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    @Test
    void withoutPausesNoneIsOverAndNoneLasts() {
        assertThat(Pauses.of(List.of())).isEqualTo(new Pauses(List.of(), java.util.Optional.empty()));
    }

    @Test
    void thoseThatOverlapOrTouchAreOne() {
        assertThat(Pauses.of(List.of(pause(30, 40), pause(10, 20), pause(15, 25), pause(25, 28)))
                        .over())
                .containsExactly(pause(10, 28), pause(30, 40));
        assertThat(Pauses.of(List.of(pause(10, 40), pause(20, 30))).over()).containsExactly(pause(10, 40));
    }

    @Test
    void theOneThatLastsBeginsWithWhatItOverlaps() {
        Pauses pauses = Pauses.of(List.of(pause(10, 20), pause(30, 40), pause(35, null), pause(50, 60)));

        assertThat(pauses.since()).contains(at(30));
        assertThat(pauses.over()).containsExactly(pause(10, 20));
        assertThat(pauses.lasts()).isTrue();
    }

    @Test
    void onlyThoseThatEndedLaterHaveToBeApplied() {
        Pauses pauses = Pauses.of(List.of(pause(10, 20), pause(30, 40)));

        assertThat(pauses.endedAfter(at(20))).containsExactly(pause(30, 40));
        assertThat(pauses.endedAfter(at(19))).hasSize(2);
        assertThat(pauses.endedAfter(at(40))).isEmpty();
    }

    private static Pause pause(int from, @Nullable Integer until) {
        return new Pause(at(from), until == null ? null : at(until));
    }

    private static Instant at(int second) {
        return NOON.plusSeconds(second);
    }
}
