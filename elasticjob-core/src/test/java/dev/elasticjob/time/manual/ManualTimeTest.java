package dev.elasticjob.time.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final ManualTime time = new ManualTime(NOON);
    private final List<String> ran = new ArrayList<>();

    @Test
    void itStandsStillUntilItIsAdvanced() {
        time.after(Duration.ofSeconds(1), () -> ran.add("x"));

        assertThat(time.instant()).isEqualTo(NOON);
        assertThat(ran).isEmpty();
        assertThat(time.nextTask()).contains(NOON.plusSeconds(1));
    }

    @Test
    void eachTaskRunsAtItsOwnMomentInOrder() {
        time.after(Duration.ofSeconds(2), () -> ran.add("b" + sinceNoon()));
        time.after(Duration.ofSeconds(1), () -> ran.add("a" + sinceNoon()));
        time.after(Duration.ofSeconds(2), () -> ran.add("c" + sinceNoon()));
        time.after(Duration.ofSeconds(4), () -> ran.add("d" + sinceNoon()));

        time.advance(Duration.ofSeconds(3));

        assertThat(ran).containsExactly("aPT1S", "bPT2S", "cPT2S");
        assertThat(time.instant()).isEqualTo(NOON.plusSeconds(3));
    }

    @Test
    void whatATaskSchedulesRunsInTheSameAdvanceWhenItIsDue() {
        time.after(Duration.ofSeconds(1), () -> time.after(Duration.ofSeconds(1), () -> ran.add("then" + sinceNoon())));

        time.advance(Duration.ofSeconds(2));

        assertThat(ran).containsExactly("thenPT2S");
    }

    @Test
    void aCancelledTaskNeverRuns() {
        TaskTimer.Cancellable task = time.after(Duration.ofSeconds(1), () -> ran.add("x"));
        time.after(Duration.ofSeconds(1), () -> ran.add("y"));

        task.cancel();
        task.cancel();
        time.advance(Duration.ofSeconds(5));

        assertThat(ran).containsExactly("y");
    }

    @Test
    void aDelayThatIsOverMeansAtTheNextOccasion() {
        time.after(Duration.ofSeconds(-5), () -> ran.add("x" + sinceNoon()));

        time.advance(Duration.ZERO);

        assertThat(ran).containsExactly("xPT0S");
    }

    @Test
    void monotonicTimeMovesWithTheClock() {
        long before = time.nanoTime();

        time.advance(Duration.ofMillis(1_500));

        assertThat(time.nanoTime() - before).isEqualTo(1_500_000_000L);
    }

    private Duration sinceNoon() {
        return Duration.between(NOON, time.instant());
    }
}
