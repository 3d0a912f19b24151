package dev.elasticjob.coordination.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.run.DelayPlanner.Step;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.definition.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the leader of a job does next that runs 30 s after its last end, and whose schedule is in force since noon. */
class DelayPlannerTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final DelayedFiring FIRST = DelayedFiring.after(Optional.empty(), NOON);

    @Test
    void asksForTheFirstFiringAtOnce() {
        assertThat(next(Optional.empty(), NOON.plusSeconds(3))).isEqualTo(new Step.Ask(FIRST));
        assertThat(FIRST.runId()).isEqualTo("delay-1-1772366400000");
    }

    @Test
    void completesARequestThatBrokeOffBeforeAllElse() {
        assertThat(next(Optional.of(FIRST), NOON.plusSeconds(300))).isEqualTo(new Step.Ask(FIRST));
    }

    @Test
    void looksForEndsUntilTheyAreNoted() {
        assertThat(next(Optional.of(FIRST.asked()), NOON.plusSeconds(300)))
                .isEqualTo(new Step.LookForEnds(FIRST.asked()));
    }

    @Test
    void asksForTheNextOneWhenTheDelayAfterTheEndIsOver() {
        DelayedFiring ended = FIRST.asked().endedAt(NOON.plusSeconds(60));
        Instant due = NOON.plusSeconds(90);

        assertThat(next(Optional.of(ended), due.minusMillis(1))).isEqualTo(new Step.Await(Optional.of(due)));
        assertThat(next(Optional.of(ended), due))
                .isEqualTo(new Step.Ask(DelayedFiring.after(Optional.of(ended), due)))
                .isEqualTo(new Step.Ask(new DelayedFiring(2, due, true, Optional.empty())));
    }

    @Test
    void anEndFromBeforeThePlanHoldsNothingBack() {
        DelayedFiring ended = FIRST.asked().endedAt(NOON.minusSeconds(900));

        assertThat(next(Optional.of(ended), NOON))
                .isEqualTo(new Step.Ask(DelayedFiring.after(Optional.of(ended), NOON)));
    }

    @Test
    void asksForNothingWhenTheJobIsOver() {
        DelayedFiring ended = FIRST.asked().endedAt(NOON.plusSeconds(60));
        Assignment over = plan("fixedDelay PT30S until 2026-03-01T12:01:29Z");

        assertThat(DelayPlanner.next(Optional.of(ended), over, NOON.plusSeconds(900)))
                .isEqualTo(new Step.Await(Optional.empty()));
    }

    private static Step next(Optional<DelayedFiring> last, Instant registryNow) {
        return DelayPlanner.next(last, plan("fixedDelay PT30S"), registryNow);
    }

    private static Assignment plan(String schedule) {
        return new Assignment(
                Schedule.of(schedule, ZoneOffset.UTC),
                NOON,
                List.of(),
                null,
                true,
                null,
                "",
                Samples.owners(1, Samples.US));
    }
}
