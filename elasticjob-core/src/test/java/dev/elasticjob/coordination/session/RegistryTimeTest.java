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

    @Test
    void clocksThatAgreeLeaveTheLocalOneInForce() {
        observe(NOON.minusSeconds(59));

        assertThat(registryTime.due()).isEqualTo(NOON);
        assertThat(registryTime.differs()).isFalse();
    }

    @Test
    void otherwiseTheRegistrysTimeIsThatOfFirings() {
        observe(NOON.plusSeconds(300));
        assertThat(registryTime.due()).as("not yet").isEqualTo(NOON);
        time.advance(Duration.ofMinutes(2));
        observe(NOON.plusSeconds(420));
        assertThat(registryTime.due()).isEqualTo(NOON.plusSeconds(420));
        assertThat(registryTime.ahead()).isEqualTo(Duration.ofSeconds(-300));

        setBy = Duration.ofDays(365);

        assertThat(registryTime.due()).isEqualTo(NOON.plusSeconds(420));
    }

    @Test
    void oneAnswerProvesNothingHoweverLongAgoItWas() {
        observe(NOON.plusSeconds(300));

        time.advance(Duration.ofMinutes(3));

        assertThat(registryTime.due()).isEqualTo(NOON.plusSeconds(180));
    }

    @Test
    void aRegistryThatJumpsAheadIsNotFollowedAndOneThatIsRightAgainIs() {
        observe(NOON);

        observe(NOON.plusSeconds(3_600));
        time.advance(Duration.ofSeconds(20));
        observe(NOON.plusSeconds(3_620));
        assertThat(registryTime.due()).isEqualTo(NOON.plusSeconds(20));
        assertThat(registryTime.registryHasJumped()).isTrue();

        observe(NOON.plusSeconds(20));
        assertThat(registryTime.due()).isEqualTo(NOON.plusSeconds(20));
        assertThat(registryTime.registryHasJumped()).isFalse();
    }

    @Test
    void withAWrongLocalClockTheTimeBeforeTheJumpGoesOn() {
        setBy = Duration.ofSeconds(-300);
        observe(NOON);
        time.advance(Duration.ofMinutes(2));
        observe(NOON.plusSeconds(120));

        observe(NOON.plusSeconds(3_720));
        assertThat(registryTime.due()).isEqualTo(NOON.plusSeconds(120));
        observe(NOON.plusSeconds(120));

        assertThat(registryTime.due()).isEqualTo(NOON.plusSeconds(120));
        assertThat(registryTime.registryHasJumped()).isFalse();
    }

    @Test
    void oneAnswerThatDiffersIsNotTold() {
        List<String> told = new ArrayList<>();
        registryTime.onDifference(new RegistryTime.Differences() {
            @Override
            public void begin() {
                told.add("begin");
            }

            @Override
            public void end() {
                told.add("end");
            }
        });

        List.of(-300, 0, -300).forEach(seconds -> observe(NOON.plusSeconds(seconds)));
        assertThat(told).isEmpty();
        List.of(-300, -300, 0, 0).forEach(seconds -> observe(NOON.plusSeconds(seconds)));

        assertThat(told).containsExactly("begin", "end");
    }

    private void observe(Instant theirs) {
        registryTime.observe(new CommitOutcome.Committed(OptionalLong.of(1), Optional.of(theirs)));
    }
}
