package dev.elasticjob.engine;

import static dev.elasticjob.engine.OneEngine.TREE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEvent.FiringsFolded;
import dev.elasticjob.job.event.JobEvent.FiringsLost;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What becomes of firings that meet their own item running, or nobody at all: timelines, to the second. */
class MisfireTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SIX_SECONDS = Duration.ofSeconds(6);

    private final List<String> runs = new ArrayList<>();
    private OneEngine one;

    @Nested
    class ARunOfSixSecondsEveryFive {
        private final List<Boolean> marks = new ArrayList<>();

        @Test
        void withoutMisfireSkipsEveryOtherFiring() {
            start(everyFiveSeconds().misfire(false), this::takeSixSeconds);

            one.passRunning(Duration.ofSeconds(21));

            assertThat(runs).containsExactly("00–06 for 00", "10–16 for 10", "20–26 for 20");
        }

        @Test
        void withoutMisfireEverySkippedFiringIsToldOnce() {
            start(everyFiveSeconds().misfire(false), this::takeSixSeconds);

            one.passRunning(Duration.ofSeconds(21));

            assertThat(told()).containsExactly(lost(5, 10, 1), lost(15, 20, 1));
            assertThat(marks).as("the mark of a firing that waits").containsOnly(false);
        }

        @Test
        void withMisfireRunsEachFiringAsSoonAsItsItemIsFree() {
            start(everyFiveSeconds(), this::takeSixSeconds);

            one.passRunning(Duration.ofSeconds(19));

            assertThat(runs).containsExactly("00–06 for 00", "06–12 for 05", "12–18 for 10", "18–24 for 15");
            assertThat(told()).isEmpty();
        }

        @Test
        void withMisfireTheFiringThatFallsIntoARerunIsKeptUntilItIsOvertaken() {
            start(everyFiveSeconds(), this::takeSixSeconds);

            one.passRunning(Duration.ofSeconds(31));

            assertThat(runs).endsWith("18–24 for 15", "24–30 for 20", "30–36 for 30");
            assertThat(told()).as("25 is covered by 30").containsExactly(folded(30, 1));
        }

        @Test
        void aFiringThatWaitsIsShownUntilItRuns() {
            start(everyFiveSeconds(), this::takeSixSeconds);

            one.passRunning(Duration.ofSeconds(13));

            assertThat(marks)
                    .as("at the beginning and the end of each run")
                    .containsExactly(false, true, false, true, false, true);
        }

        private void takeSixSeconds(ShardingContext context) {
            marks.add(one.read(TREE.misfire(0)).isPresent());
            last(context, SIX_SECONDS);
            marks.add(one.read(TREE.misfire(0)).isPresent());
        }
    }

    @Test
    void severalMissedFiringsAreFoldedIntoTheLatest() {
        start(everyFiveSeconds(), context -> last(context, Duration.ofSeconds(runs.isEmpty() ? 17 : 1)));

        one.passRunning(Duration.ofSeconds(18));

        assertThat(runs).containsExactly("00–17 for 00", "17–18 for 15");
        assertThat(told()).containsExactly(folded(15, 2));
    }

    @Test
    void aSlowItemDelaysNobodyButItself() {
        List<String> starts = new ArrayList<>();
        start(everyFiveSeconds().shardingTotalCount(3), context -> {
            starts.add(context.getShardingItem() + " at " + now());
            if (context.getShardingItem() == 0) {
                one.passRunning(Duration.ofSeconds(60));
            }
        });

        one.passRunning(Duration.ofSeconds(61));

        assertThat(starts.stream().filter(start -> start.startsWith("0"))).containsExactly("0 at 0", "0 at 60");
        assertThat(starts.stream().filter(start -> start.startsWith("1")))
                .containsExactlyElementsOf(everyFiveSecondsUntil(120, "1 at "));
        assertThat(starts.stream().filter(start -> start.startsWith("2")))
                .containsExactlyElementsOf(everyFiveSecondsUntil(120, "2 at "));
    }

    @Nested
    class AFiringThatNobodyWasThereFor {
        @Test
        void runsOnceOnReturn() {
            start(everyHour(), this::note);

            missTheFiringAtOne();
            one.passRunning(Duration.ofMinutes(1));

            assertThat(runs).containsExactly("12:00 at 12:00", "13:00 at 13:10");
            assertThat(told()).isEmpty();
        }

        @Test
        void isLostWithoutMisfireWhichIsToldOnce() {
            start(everyHour().misfire(false), this::note);

            missTheFiringAtOne();
            one.passRunning(Duration.ofHours(2));

            assertThat(runs).containsExactly("12:00 at 12:00", "14:00 at 14:00", "15:00 at 15:00");
            assertThat(told())
                    .containsExactly(new FiringsLost(
                            "orders", 0, NOON.plus(Duration.ofHours(1)), NOON.plus(Duration.ofHours(2)), 1));
        }

        private void missTheFiringAtOne() {
            one.passRunning(Duration.ofMinutes(30));
            one.engine.stop();
            one.pass(Duration.ofMinutes(40));
            one.engine.start();
        }

        private void note(ShardingContext context) {
            runs.add(timeOf(context.getScheduledTime()) + " at " + timeOf(one.time.instant()));
        }

        private String timeOf(Instant moment) {
            return moment.atZone(ZoneOffset.UTC).toLocalTime().toString();
        }
    }

    // ------------------------------------------------------------------ helpers

    private static JobDefinition.Builder everyFiveSeconds() {
        return JobDefinition.builder("orders").cron("0/5 * * * * ?").timeZone(ZoneOffset.UTC);
    }

    private static JobDefinition.Builder everyHour() {
        return everyFiveSeconds().cron("0 0 * * * ?");
    }

    /** At noon, a moment before the first firing. */
    private void start(JobDefinition.Builder definition, SimpleJob job) {
        one = new OneEngine(NOON.minusSeconds(1), definition.build(), job).started();
        one.pass(Duration.ofMillis(999));
        one.time.advance(Duration.ofMillis(1));
    }

    /** Runs for a while, in which other things happen, and notes from when to when, and for which firing. */
    private void last(ShardingContext context, Duration duration) {
        long from = now();
        one.passRunning(duration);
        runs.add("%02d–%02d for %02d".formatted(from, now(), seconds(context.getScheduledTime())));
    }

    private long now() {
        return seconds(one.time.instant());
    }

    private static long seconds(Instant moment) {
        return Duration.between(NOON, moment).toSeconds();
    }

    private static List<String> everyFiveSecondsUntil(int last, String prefix) {
        List<String> starts = new ArrayList<>();
        for (int second = 0; second <= last; second += 5) {
            starts.add(prefix + second);
        }
        return starts;
    }

    private List<JobEvent> told() {
        return one.events.stream()
                .filter(event -> event instanceof FiringsLost || event instanceof FiringsFolded)
                .toList();
    }

    private static FiringsLost lost(int from, int before, int count) {
        return new FiringsLost("orders", 0, NOON.plusSeconds(from), NOON.plusSeconds(before), count);
    }

    private static FiringsFolded folded(int into, int count) {
        return new FiringsFolded("orders", 0, NOON.plusSeconds(into - 5L * count), NOON.plusSeconds(into), count);
    }
}
