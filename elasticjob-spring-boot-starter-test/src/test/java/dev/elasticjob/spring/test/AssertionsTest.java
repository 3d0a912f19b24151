package dev.elasticjob.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.spring.test.Execution.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each sentence holds or fails on plain data, and says why it fails. */
class AssertionsTest {
    private static final Instant AT = Instant.parse("2026-01-01T03:00:00Z");
    private static final String RUN = "billing@" + AT;

    private static final Firing FIRING = new Firing(
            "billing",
            new TreeSet<>(Set.of(0, 1, 2, 3)),
            List.of(
                    execution(0, "a", 1, State.COMPLETED),
                    new Execution(
                            "billing",
                            "b",
                            1,
                            AT,
                            RUN,
                            1,
                            State.FAILED,
                            Optional.of(new IllegalStateException("no rates"))),
                    execution(2, "b", 1, State.INTERRUPTED),
                    execution(2, "c", 2, State.COMPLETED),
                    execution(3, "c", 1, State.INTERRUPTED)));

    @Test
    void aFailureShowsEverythingThatWasSeen() {
        assertThatThrownBy(() -> assertThat(FIRING).everyItem().ranOnce())
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        Expected item 3 of job "billing" to have run once, but it ran 0 times.
                        Executions of job "billing":
                          item 0 on "a" for 2026-01-01T03:00:00Z, attempt 1: COMPLETED
                          item 1 on "b" for 2026-01-01T03:00:00Z, attempt 1: FAILED with \
                        java.lang.IllegalStateException: no rates
                          item 2 on "b" for 2026-01-01T03:00:00Z, attempt 1: INTERRUPTED
                          item 2 on "c" for 2026-01-01T03:00:00Z, attempt 2: COMPLETED
                          item 3 on "c" for 2026-01-01T03:00:00Z, attempt 1: INTERRUPTED""");
    }

    @Test
    void whatEndedRanWhetherItFailedOrNotAndWhatWasInterruptedDidNot() {
        assertThat(FIRING).item(0).ranOnce();
        assertThat(FIRING).item(1).ranOnce();
        assertThat(FIRING).item(2).ranOnce();
        assertThat(FIRING).item(3).neverRan();
        fails(
                () -> assertThat(FIRING).item(2).ranTimes(2),
                "item 2 of job \"billing\" to have run 2 times, but it ran once.");
        fails(
                () -> assertThat(FIRING).item(0).neverRan(),
                "item 0 of job \"billing\" to have run 0 times, but it ran once.");
    }

    @Test
    void whereAnItemRanIsWhereItEnded() {
        assertThat(FIRING).item(2).ranOn("c");
        fails(
                () -> assertThat(FIRING).item(2).ranOn("b"),
                "item 2 of job \"billing\" to have run on \"b\", but it ran on [\"c\"].");
        fails(() -> assertThat(FIRING).item(3).ranOn("c"), "to have run on \"c\", but it ran on [].");
    }

    @Test
    void whereAnItemWasInterruptedIsToldApart() {
        assertThat(FIRING).item(2).wasInterruptedOn("b");
        fails(
                () -> assertThat(FIRING).item(0).wasInterruptedOn("a"),
                "item 0 of job \"billing\" to have been interrupted on \"a\", but it was not.");
    }

    @Test
    void successAndFailureAreOfWhatRan() {
        assertThat(FIRING).item(2).succeeded();
        assertThat(FIRING).item(1).failedWith(RuntimeException.class);
        assertThat(FIRING).failedWith(IllegalStateException.class);
        fails(
                () -> assertThat(FIRING).succeeded(),
                "item 1 of job \"billing\" to have succeeded, but it failed with"
                        + " [java.lang.IllegalStateException: no rates].");
        fails(() -> assertThat(FIRING).item(3).succeeded(), "to have succeeded, but it did not run.");
        fails(
                () -> assertThat(FIRING).item(0).failedWith(IllegalStateException.class),
                "item 0 of job \"billing\" to have failed with java.lang.IllegalStateException, but it succeeded.");
        fails(
                () -> assertThat(FIRING).failedWith(InterruptedException.class),
                "an item of job \"billing\" to have failed with java.lang.InterruptedException, but none did.");
    }

    @Test
    void anItemThatTheJobDoesNotHaveIsNoSuccess() {
        Firing nothing = new Firing("billing", new TreeSet<>(), List.of());

        fails(() -> assertThat(FIRING).item(4), "job \"billing\" to have an item 4, but it has [0, 1, 2, 3]");
        fails(() -> assertThat(nothing).succeeded(), "job \"billing\" to have items to run, but it has none");
    }

    private static void fails(ThrowingCallable sentence, String text) {
        assertThatThrownBy(sentence).isInstanceOf(AssertionError.class).hasMessageContaining(text);
    }

    private static Execution execution(int item, String instance, int attempt, State state) {
        return new Execution("billing", instance, item, AT, RUN, attempt, state, Optional.empty());
    }
}
