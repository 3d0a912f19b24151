package dev.elasticjob.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A process that beats once a second. */
class PauseDetectorTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration FOUR = Duration.ofSeconds(4);
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final ManualTime world = new ManualTime(NOON);
    private final SleepyTime time = new SleepyTime(world);
    private final PauseDetector detector = time.detectPauses(SECOND);

    @Test
    void whoNeverStandsStillHasBeenAwakeForJustAsLong() {
        world.advance(Duration.ofMillis(10_300));

        assertThat(awakeSince(FOUR)).isEqualTo(FOUR);
    }

    @Test
    void whatWasBeforeItCountsAsAwake() {
        world.advance(SECOND);

        assertThat(awakeSince(FOUR)).isEqualTo(FOUR);
    }

    @Test
    void aStandstillDoesNotCount() {
        world.advance(Duration.ofSeconds(10));
        time.standStill(Duration.ofSeconds(7));
        time.catchUp();
        world.advance(SECOND.multipliedBy(2));

        assertThat(awakeSince(FOUR))
                .as("two seconds since it woke up, one unnoticed, seven asleep, one before")
                .isEqualTo(Duration.ofSeconds(2 + 7 + 1));
    }

    @Test
    void itIsKnownAtTheMomentOfWakingBeforeTheNextBeat() {
        world.advance(Duration.ofSeconds(10));
        time.standStill(Duration.ofSeconds(7));

        assertThat(awakeSince(FOUR)).isEqualTo(Duration.ofSeconds(7 + 3));
    }

    @Test
    void standstillsAddUp() {
        world.advance(Duration.ofSeconds(10));
        time.standStill(Duration.ofSeconds(3));
        time.catchUp();
        world.advance(SECOND);
        time.standStill(Duration.ofSeconds(5));
        time.catchUp();

        assertThat(awakeSince(FOUR)).isEqualTo(Duration.ofSeconds(5 + 1 + 3 + 1));
    }

    @Test
    void whoHasBeenAwakeForLongEnoughSinceIsForgiven() {
        world.advance(Duration.ofSeconds(10));
        time.standStill(Duration.ofSeconds(7));
        time.catchUp();
        world.advance(FOUR);

        assertThat(awakeSince(FOUR)).isEqualTo(FOUR);
    }

    @Test
    void aMomentInThePastIsJudgedByWhatWasBeforeIt() {
        world.advance(Duration.ofSeconds(10));
        time.standStill(Duration.ofSeconds(7));
        time.catchUp();
        long moment = time.nanoTime();
        world.advance(Duration.ofSeconds(20));

        assertThat(Duration.ofNanos(moment - detector.awakeSince(moment, FOUR))).isEqualTo(Duration.ofSeconds(7 + 3));
    }

    @Test
    void itRemembersAsMuchAfterALongTime() {
        world.advance(Duration.ofHours(1));
        time.standStill(Duration.ofSeconds(7));
        time.catchUp();
        world.advance(Duration.ofSeconds(200));

        assertThat(awakeSince(Duration.ofSeconds(201)))
                .as("a long session timeout")
                .isEqualTo(Duration.ofSeconds(207));
    }

    @Test
    void aClosedOneLeavesNoTimerBehind() {
        detector.close();

        assertThat(world.nextTask()).isEmpty();
    }

    @Test
    void whereTimePassesForAllAlikeNobodyStandsStill() {
        PauseDetector steady = world.detectPauses(SECOND);
        world.advance(Duration.ofSeconds(100));

        assertThat(world.nanoTime() - steady.awakeSince(world.nanoTime(), FOUR)).isEqualTo(FOUR.toNanos());
    }

    private Duration awakeSince(Duration awake) {
        long now = time.nanoTime();
        return Duration.ofNanos(now - detector.awakeSince(now, awake));
    }
}
