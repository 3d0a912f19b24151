package dev.elasticjob.coordination.session;

import static dev.elasticjob.coordination.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RegistryTimeTest {
    private static final Instant THEIRS = NOON.plusSeconds(90);

    private final ManualTime time = new ManualTime(NOON);
    private Duration setBy = Duration.ZERO;
    private final Clock local = new Clock() {
        @Override
        public Instant instant() {
            return time.instant().plus(setBy);
        }

        @Override
        public ZoneId getZone() {
            return time.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    };
    private final RegistryTime registryTime = new RegistryTime(local, time);

    @Test
    void beforeAnythingIsKnownItIsTheLocalOne() {
        assertThat(registryTime.now()).isEqualTo(NOON);
    }

    @Test
    void theNewestAnswerCounts() {
        observe(THEIRS);
        time.advance(Duration.ofSeconds(10));
        assertThat(registryTime.now()).isEqualTo(THEIRS.plusSeconds(10));

        observe(NOON);

        assertThat(registryTime.now()).isEqualTo(NOON);
    }

    @Test
    void aLocalClockThatIsSetMakesNoDifference() {
        observe(THEIRS);

        setBy = Duration.ofHours(2);

        assertThat(registryTime.now()).isEqualTo(THEIRS);
    }

    @Test
    void aMomentOfThePastIsOnlyBetterThanNothing() {
        registryTime.observePast(THEIRS.minusSeconds(60));
        assertThat(registryTime.now()).isEqualTo(THEIRS.minusSeconds(60));
        observe(THEIRS);

        registryTime.observePast(NOON);

        assertThat(registryTime.now()).isEqualTo(THEIRS);
    }

    @Test
    void refusalsAndAnswersWithoutATimeTellNothing() {
        registryTime.observe(new CommitOutcome.Refused(CommitOutcome.Reason.EXISTS, "/orders"));
        registryTime.observe(new CommitOutcome.Committed(OptionalLong.empty(), Optional.empty()));

        assertThat(registryTime.now()).isEqualTo(NOON);
    }

    @Test
    void aClockThatWasAheadIsToldOnceItIsSetBack() {
        List<Instant> told = new ArrayList<>();
        registryTime.onSetBack(() -> told.add(registryTime.now()));
        observe(THEIRS);
        time.advance(Duration.ofSeconds(10));

        observe(THEIRS.minusSeconds(50));
        observe(THEIRS.plusSeconds(3_600));
        observe(THEIRS);
        observe(THEIRS);

        assertThat(told).containsExactly(THEIRS);
    }

    @Test
    void itKnowsHowOldItsKnowledgeIs() {
        assertThat(registryTime.age()).isGreaterThan(Duration.ofDays(1));

        observe(THEIRS);
        time.advance(Duration.ofSeconds(10));

        assertThat(registryTime.age()).isEqualTo(Duration.ofSeconds(10));
    }

    private void observe(Instant theirs) {
        registryTime.observe(new CommitOutcome.Committed(OptionalLong.of(1), Optional.of(theirs)));
    }
}
