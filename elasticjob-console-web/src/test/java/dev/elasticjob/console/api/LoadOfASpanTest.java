package dev.elasticjob.console.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticjob.console.api.Load.OfInstance;
import dev.elasticjob.console.api.Load.Slice;
import dev.elasticjob.console.history.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What executed at once, and how late it began, minute by minute of an hour. */
class LoadOfASpanTest {
    private static final Instant FROM = Instant.parse("2026-11-23T03:00:00Z");
    private static final Instant UNTIL = FROM.plus(Duration.ofHours(1));

    private final List<Entry> entries = new ArrayList<>();

    private void executed(
            String instance, int scheduled, int begin, Optional<Integer> end, String outcome, int attempt) {
        entries.add(new Entry(
                "e" + entries.size(),
                "orders",
                0,
                "run",
                FROM.plusSeconds(scheduled),
                outcome,
                attempt,
                0,
                0,
                Optional.empty(),
                Optional.of(instance),
                Optional.of(FROM.plusSeconds(begin)),
                end.map(FROM::plusSeconds),
                Optional.empty()));
    }

    private Load load() {
        return Load.of(entries, FROM, UNTIL, true, FROM.plusSeconds(150));
    }

    @Test
    void anExecutionCountsInEachSliceForTheTimeThatItTookThere() {
        executed("a", 0, 30, Optional.of(90), "COMPLETED", 1);
        executed("b", 60, 60, Optional.of(120), "FAILED", 1);

        List<Slice> slices = load().slices();

        assertThat(slices).hasSize(60);
        assertThat(slices.get(0)).isEqualTo(new Slice(FROM, 1, 0, 0.5, Optional.of(30_000L), Optional.of(30_000L)));
        assertThat(slices.get(1))
                .isEqualTo(new Slice(FROM.plusSeconds(60), 1, 1, 1.5, Optional.of(0L), Optional.of(0L)));
        assertThat(slices.get(2))
                .isEqualTo(new Slice(FROM.plusSeconds(120), 0, 0, 0, Optional.empty(), Optional.empty()));
    }

    @Test
    void whatHasNoEndExecutesUntilNow() {
        executed("a", 60, 60, Optional.empty(), "RUNNING", 1);

        assertThat(load().slices()).extracting(Slice::executing).startsWith(0.0, 1.0, 0.5, 0.0);
    }

    /** Nobody could have begun it in time: it is the crash that took the time. */
    @Test
    void anAttemptAfterAnInterruptionIsNotLate() {
        executed("a", 0, 50, Optional.of(55), "COMPLETED", 2);
        executed("a", 0, 3, Optional.of(55), "INTERRUPTED", 1);
        executed("b", 0, 2, Optional.of(55), "COMPLETED", 1);
        executed("b", 10, 11, Optional.of(12), "COMPLETED", 1);

        assertThat(load().slices().get(0).lateMillis()).hasValue(2_000L);
        assertThat(load().slices().get(0).mostLateMillis()).hasValue(3_000L);
    }

    @Test
    void clocksThatDifferMakeNothingEarlierThanItsTimeOrItsBegin() {
        executed("a", 10, 8, Optional.of(5), "COMPLETED", 1);

        assertThat(load().slices().get(0)).isEqualTo(new Slice(FROM, 1, 0, 0, Optional.of(0L), Optional.of(0L)));
    }

    @Test
    void theInstanceWithTheMostWorkComesFirst() {
        executed("a", 0, 0, Optional.of(360), "COMPLETED", 1);
        executed("b", 0, 0, Optional.of(720), "COMPLETED", 1);
        executed("b", -600, -600, Optional.of(360), "COMPLETED", 1);

        List<OfInstance> instances = load().instances();

        assertThat(instances).extracting(OfInstance::instance).containsExactly("b", "a");
        assertThat(instances).extracting(OfInstance::began).containsExactly(1, 1);
        assertThat(instances.get(0).executing()).isCloseTo(0.3, within(1e-9));
    }

    @Test
    void firingsThatDidNotRunAreNoLoad() {
        entries.add(new Entry(
                "lost",
                "orders",
                0,
                "run",
                FROM.plusSeconds(5),
                "LOST",
                0,
                0,
                3,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));

        assertThat(load().slices())
                .allSatisfy(slice -> assertThat(slice.began()).isZero());
        assertThat(load().instances()).isEmpty();
    }
}
