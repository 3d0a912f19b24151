package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.coordination.state.FormerSchedule;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTriggerTest {
    private static final Instant START = Instant.parse("2026-03-01T11:58:30Z");
    private static final Schedule EVERY_MINUTE = Schedule.cron("0 * * * * ?", ZoneOffset.UTC);
    private static final Schedule NOON_DAILY = Schedule.cron("0 0 12 * * ?", ZoneOffset.UTC);

    private final ManualTime time = new ManualTime(START);
    private final WallClock clock = new WallClock(time);
    private final List<Instant> fired = new ArrayList<>();
    private final JobTrigger trigger = new JobTrigger(
            new RegistryTime(clock, time), time, Runnable::run, () -> fired.add(clock.instant()), () -> {}, () -> {});

    @Test
    void itWakesAtEachFiring() {
        trigger.follow(EVERY_MINUTE, List.of());

        time.advance(Duration.ofMinutes(3));

        assertThat(fired)
                .containsExactly(
                        Instant.parse("2026-03-01T11:59:00Z"),
                        Instant.parse("2026-03-01T12:00:00Z"),
                        Instant.parse("2026-03-01T12:01:00Z"));
    }

    /** The schedule was changed by a clock that is ahead of this one: what is due before that has still to come here. */
    @Test
    void itWakesForAFiringOfAFormerScheduleThatLiesAhead() {
        FormerSchedule everyMinute = new FormerSchedule(
                Schedule.of("0 * * * * ?", ZoneOffset.UTC), START.minus(Duration.ofHours(1)), START.plusSeconds(50));

        trigger.follow(Schedule.cron("0 0 13 * * ?", ZoneOffset.UTC), List.of(everyMinute));
        time.advance(Duration.ofMinutes(10));

        assertThat(fired).containsExactly(Instant.parse("2026-03-01T11:59:00Z"));
    }

    @Test
    void itNapsInBetweenWithoutFiring() {
        trigger.follow(NOON_DAILY, List.of());

        time.advance(Duration.ofHours(30));

        assertThat(fired).containsExactly(Instant.parse("2026-03-01T12:00:00Z"), Instant.parse("2026-03-02T12:00:00Z"));
    }

    @Test
    void aClockThatIsSetForwardIsNoticedWithinAMinute() {
        trigger.follow(NOON_DAILY, List.of());
        clock.set(Duration.ofDays(1));

        time.advance(Duration.ofMinutes(1));

        assertThat(fired).hasSize(1);
        assertThat(fired.get(0)).isAfter(Instant.parse("2026-03-02T11:58:30Z"));
    }

    @Test
    void aClockThatIsSetBackFiresAtTheFiringItShowsNext() {
        trigger.follow(EVERY_MINUTE, List.of());
        clock.set(Duration.ofMinutes(-10).minusSeconds(5));

        time.advance(Duration.ofMinutes(2));

        assertThat(fired).containsExactly(Instant.parse("2026-03-01T11:49:00Z"), Instant.parse("2026-03-01T11:50:00Z"));
    }

    @Test
    void aTimerThatGoesOffEarlyFiresNothingBeforeItsTime() {
        trigger.follow(EVERY_MINUTE, List.of());
        clock.set(Duration.ofMillis(-3));

        time.advance(Duration.ofSeconds(30));
        assertThat(fired).isEmpty();
        time.advance(Duration.ofMillis(3));

        assertThat(fired).containsExactly(Instant.parse("2026-03-01T11:59:00Z"));
    }

    @Test
    void theSameScheduleAgainChangesNothing() {
        trigger.follow(EVERY_MINUTE, List.of());
        time.advance(Duration.ofSeconds(29));
        trigger.follow(Schedule.cron("0 * * * * ?", ZoneOffset.UTC), List.of());

        time.advance(Duration.ofSeconds(1));

        assertThat(fired).hasSize(1);
        assertThat(time.nextTask()).contains(Instant.parse("2026-03-01T12:00:00Z"));
    }

    @Test
    void anotherScheduleTakesTheOldOnesPlace() {
        trigger.follow(NOON_DAILY, List.of());
        trigger.follow(EVERY_MINUTE, List.of());

        time.advance(Duration.ofSeconds(30));

        assertThat(fired).hasSize(1);
    }

    @Test
    void disarmedItIsSilentAndLeavesNoTimer() {
        trigger.follow(EVERY_MINUTE, List.of());
        trigger.disarm();

        time.advance(Duration.ofMinutes(5));

        assertThat(fired).isEmpty();
        assertThat(time.nextTask()).isEmpty();
    }

    @Test
    void disarmedItCanBeArmedAgain() {
        trigger.follow(EVERY_MINUTE, List.of());
        trigger.disarm();
        trigger.follow(EVERY_MINUTE, List.of());

        time.advance(Duration.ofMinutes(1));

        assertThat(fired).hasSize(1);
    }

    @Test
    void aWakeUpThatWasCancelledTooLateIsIgnored() {
        List<Runnable> tasks = new ArrayList<>();
        JobTrigger slow = new JobTrigger(
                new RegistryTime(clock, time), time, tasks::add, () -> fired.add(clock.instant()), () -> {}, () -> {});
        slow.follow(EVERY_MINUTE, List.of());
        time.advance(Duration.ofSeconds(30));
        slow.disarm();
        slow.follow(EVERY_MINUTE, List.of());

        tasks.get(0).run();

        assertThat(fired).isEmpty();
        assertThat(time.nextTask()).contains(Instant.parse("2026-03-01T12:00:00Z"));
    }

    @Test
    void aScheduleWithoutAFurtherFiringArmsNothing() {
        trigger.follow(Schedule.of("", ZoneOffset.UTC), List.of());

        assertThat(time.nextTask()).isEmpty();
    }

    /** A wall clock that can be set, beside a time that only moves on. */
    private static final class WallClock extends Clock {
        private final Clock base;
        private Duration offset = Duration.ZERO;

        WallClock(Clock base) {
            this.base = base;
        }

        void set(Duration by) {
            offset = by;
        }

        @Override
        public Instant instant() {
            return base.instant().plus(offset);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
