package dev.elasticjob.coordination.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.run.Backfill.FailedTimes;
import dev.elasticjob.coordination.run.BackfillPlanner.Step;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the leader does next about a backfill from ten to noon, each hour, two times at once. */
class BackfillPlannerTest {
    private static final Instant TEN = Instant.parse("2026-11-22T10:00:00Z");
    private static final Instant ELEVEN = TEN.plusSeconds(3_600);
    private static final Instant NOON = TEN.plusSeconds(7_200);
    private static final Instant EVENING = TEN.plusSeconds(36_000);
    private static final Backfill NEW = new Backfill(
            "0a1b2c3d",
            RequestedBy.of("alice", "new rates"),
            Schedule.of("0 0 * * * ?", ZoneOffset.UTC),
            Optional.of(TEN),
            NOON,
            2,
            Optional.empty(),
            List.of(),
            FailedTimes.NONE);
    private static final Backfill TWO_OPEN =
            NEW.asking(TEN).asked(TEN).asking(ELEVEN).asked(ELEVEN);

    @Test
    void asksForTheNextTimeWhileFewerAreOpenThanAllowed() {
        assertThat(next(NEW, List.of(), EVENING)).isEqualTo(new Step.Ask(NEW, TEN));
        assertThat(next(NEW.asking(TEN).asked(TEN), List.of(), EVENING))
                .isEqualTo(new Step.Ask(NEW.asking(TEN).asked(TEN), ELEVEN));
        assertThat(next(TWO_OPEN, List.of(), EVENING)).isEqualTo(new Step.Await());
        assertThat(next(TWO_OPEN, List.of(TEN), EVENING))
                .isEqualTo(new Step.Ask(TWO_OPEN.without(List.of(TEN), List.of()), NOON));
    }

    @Test
    void completesARequestThatBrokeOffBeforeAllElse() {
        Backfill brokenOff = TWO_OPEN.without(List.of(TEN), List.of()).asking(NOON);

        assertThat(next(brokenOff, List.of(), EVENING)).isEqualTo(new Step.Ask(brokenOff, NOON));
        assertThat(brokenOff.asking(NOON)).isEqualTo(brokenOff);
    }

    @Test
    void isOverWhenAllTimesAreAskedForAndHaveEnded() {
        Backfill last =
                TWO_OPEN.without(List.of(TEN, ELEVEN), List.of()).asking(NOON).asked(NOON);

        Step step = next(last, List.of(NOON), EVENING);

        assertThat(step).isEqualTo(new Step.Forget(last.without(List.of(NOON), List.of())));
        assertThat(((Step.Forget) step).left().isOver()).isTrue();
        assertThat(((Step.Forget) step).left().write()).isEmpty();
    }

    @Test
    void leavesTimesThatAreStillToComeToTheSchedule() {
        Step step = next(NEW, List.of(), TEN.minusSeconds(1));

        assertThat(step).isInstanceOf(Step.Forget.class);
        assertThat(((Step.Forget) step).left().isOver()).isTrue();
    }

    @Test
    void isReadAsWritten() {
        Backfill stored = TWO_OPEN.without(List.of(TEN), List.of()).asking(NOON);
        RegistryNode node = new RegistryNode(stored.write(), 0, 0, 0, TEN, TEN, 0);

        assertThat(Backfill.read(node)).hasValue(stored);
        assertThat(Backfill.read(new RegistryNode("{\"id\":7}".getBytes(), 0, 0, 0, TEN, TEN, 0)))
                .isEmpty();
    }

    @Test
    void remembersThatATimeFailedWhenItAsksForTheNextOne() {
        Step step = BackfillPlanner.next(TWO_OPEN, List.of(TEN), List.of(TEN), EVENING);

        assertThat(step).isEqualTo(new Step.Ask(TWO_OPEN.without(List.of(TEN), List.of(TEN)), NOON));
        assertThat(((Step.Ask) step).from().failures()).isEqualTo(new FailedTimes(1, List.of(TEN)));
    }

    @Test
    void countsTheTimesThatFailedAndKeepsTheFirstTwentyOfThem() {
        Backfill now = NEW;
        for (int hour = 0; hour < 25; hour++) {
            Instant time = TEN.plusSeconds(hour * 3_600L);
            now = now.asking(time).without(List.of(time), List.of(time));
        }
        now = now.asking(TEN.plusSeconds(25 * 3_600L));

        assertThat(now.failures().count()).isEqualTo(25);
        assertThat(now.failures().first()).hasSize(20).startsWith(TEN, ELEVEN, NOON);
        assertThat(Backfill.read(new RegistryNode(now.write(), 0, 0, 0, TEN, TEN, 0)))
                .hasValue(now);
    }

    private static Step next(Backfill now, List<Instant> ended, Instant registryNow) {
        return BackfillPlanner.next(now, ended, List.of(), registryNow);
    }
}
