package dev.elasticjob.coordination.state;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.US;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.registry.RegistryMoment;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AssignmentTest {
    private static final ZoneId UTC = ZoneOffset.UTC;
    private static final Instant LATER = NOON.plus(Duration.ofHours(1));
    private static final RegistryMoment PRESENT = new RegistryMoment(NOON);

    @Test
    void aFormerFiringIsDueOnceItsTimeHasCome() {
        Assignment changed = assignment(NOON.minusSeconds(300), List.of())
                .withSchedule(Schedule.of("0 0/7 * * * ?", UTC), true, LATER, Optional.empty());

        assertThat(changed.latestDue(NOON.plusSeconds(90))).contains(NOON.plusSeconds(60));
        assertThat(changed.latestDue(LATER.plusSeconds(30))).contains(LATER);
    }

    @Test
    void timesThatAreAheadBecomeThePresentOne() {
        FormerSchedule begun = new FormerSchedule(Schedule.of("0 * * * * ?", UTC), NOON.minusSeconds(300), LATER);
        FormerSchedule ahead = new FormerSchedule(Schedule.of("0 * * * * ?", UTC), LATER, LATER.plusSeconds(90));
        Assignment wrong = new Assignment(
                Schedule.of("0 * * * * ?", UTC),
                LATER.plusSeconds(90),
                List.of(begun, ahead),
                LATER,
                true,
                LATER,
                "digest",
                new TreeMap<>(Map.of(0, US)),
                new FiringPlan(true, LATER, new TreeMap<>(Map.of("reports", LATER))));

        Assignment right = wrong.corrected(PRESENT);

        assertThat(wrong.latestTime()).isEqualTo(LATER.plusSeconds(90));
        assertThat(right.since()).isEqualTo(NOON);
        assertThat(right.former())
                .containsExactly(new FormerSchedule(Schedule.of("0 * * * * ?", UTC), NOON.minusSeconds(300), NOON));
        assertThat(right.floor()).isEqualTo(NOON);
        assertThat(right.pausedFrom()).isEqualTo(NOON);
        assertThat(right.firings())
                .isEqualTo(new FiringPlan(true, NOON.plusSeconds(60), new TreeMap<>(Map.of("reports", NOON))));
        assertThat(right.owners()).isEqualTo(wrong.owners());
        assertThat(right.corrected(PRESENT)).isEqualTo(right);
    }

    @Test
    void whatIsAheadByNoMoreThanIsToleratedStays() {
        FiringPlan listening = new FiringPlan(true, NOON.plusSeconds(120), new TreeMap<>());
        Assignment tolerated = assignment(NOON.plusSeconds(60), List.of()).withFirings(listening);

        assertThat(tolerated.corrected(PRESENT)).isEqualTo(tolerated);
    }

    private static Assignment assignment(Instant since, List<FormerSchedule> former) {
        return new Assignment(
                Schedule.of("0 * * * * ?", UTC),
                since,
                former,
                null,
                true,
                null,
                "digest",
                new TreeMap<>(Map.of(0, US)));
    }
}
