package dev.elasticjob.coordination;

import static dev.elasticjob.coordination.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.JobEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class LossesTest {
    @Test
    void aDroppedManualRunIsNamedWithItsItemAndReason() {
        assertThat(Losses.sentence(
                        new JobEvent.ManualRunDropped("orders", 3, List.of("r1", "r2"), "the item is disabled")))
                .contains("run \"r1,r2\" of item 3 is dropped: the item is disabled");
    }

    @Test
    void lostFiringsAreCounted() {
        assertThat(Losses.sentence(new JobEvent.FiringsLost("orders", 3, NOON, 2)))
                .contains("item 3 has lost 2 firings, told with the one of 2026-03-01T12:00:00Z");
    }

    @Test
    void foldedFiringsAreNoLoss() {
        assertThat(Losses.sentence(new JobEvent.FiringsFolded("orders", 3, NOON, 2)))
                .isEmpty();
    }
}
