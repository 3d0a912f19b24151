package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.ItemTimeoutException;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TimeoutTest {
    private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
    private static final RetrySettings TWICE = RetrySettings.of(2, Duration.ofSeconds(1));

    private final List<Boolean> interrupted = new ArrayList<>();

    @Test
    void whatIsNotDoneInTimeIsInterruptedAndHasFailed() {
        OneRunner one = oneThat(takes -> takes.advance(FIVE_SECONDS));

        one.claim(timed(), 1).runAll();

        assertThat(one.state(0)).isEqualTo(ItemState.FAILED);
        assertThat(one.failure(0)).contains("ItemTimeoutException", "did not finish within 5 s");
        assertThat(one.told(ItemFinished.class))
                .singleElement()
                .satisfies(finished -> assertThat(finished.failure())
                        .get()
                        .isInstanceOfSatisfying(ItemTimeoutException.class, failure -> {
                            assertThat(failure.timeout()).isEqualTo(FIVE_SECONDS);
                            assertThat(failure).hasCauseInstanceOf(InterruptedException.class);
                        }));
    }

    @Test
    void whatIsDoneInTimeIsLeftAloneEverAfter() {
        OneRunner one = oneThat(takes -> takes.advance(FIVE_SECONDS.minusMillis(1)));

        one.claim(timed(), 1).runAll();

        assertThat(one.state(0)).isEqualTo(ItemState.COMPLETED);
        assertThat(one.time.nextTask()).as("its timer").isEmpty();
    }

    @Test
    void whatReturnsInSpiteOfTheTimeoutHasFailedAndLeavesNoTraceOnItsThread() {
        OneRunner[] one = new OneRunner[1];
        one[0] = new OneRunner(context -> one[0].time.advance(Duration.ofMinutes(1)));

        one[0].claim(timed(), 1).runAll();

        assertThat(one[0].state(0)).isEqualTo(ItemState.FAILED);
        assertThat(one[0].failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasNoCause().isInstanceOf(ItemTimeoutException.class));
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatIsInterruptedForAnotherReasonFirstIsInterrupted() {
        OneRunner[] one = new OneRunner[1];
        one[0] = oneThat(takes -> {
            one[0].runner.interruptAll("the engine is stopping");
            takes.advance(Duration.ofMinutes(1));
        });

        one[0].claim(timed(), 1).runAll();

        assertThat(one[0].state(0)).isEqualTo(ItemState.INTERRUPTED);
    }

    @Test
    void eachAttemptHasTheWholeTimeout() {
        OneRunner one = oneThat(takes -> {
            takes.advance(Duration.ofSeconds(3));
            if (interrupted.isEmpty()) {
                interrupted.add(Thread.interrupted());
                throw new IllegalStateException("provoked by this test");
            }
        });

        one.claim(timed().retry(TWICE), 1).runAll();
        one.pass(Duration.ofSeconds(1));

        assertThat(interrupted).as("3 of 5 s each, but 7 in all").containsExactly(false, false);
        assertThat(one.state(0)).isEqualTo(ItemState.COMPLETED);
    }

    @Test
    void whatFailsByItsTimeoutIsTriedAgain() {
        OneRunner one = oneThat(takes -> takes.advance(interrupted.isEmpty() ? FIVE_SECONDS : Duration.ZERO));

        one.claim(timed().retry(TWICE), 1).runAll();
        one.pass(Duration.ofSeconds(1));

        assertThat(interrupted).containsExactly(true, false);
        assertThat(one.state(0)).isEqualTo(ItemState.COMPLETED);
    }

    private static JobDefinition.Builder timed() {
        return OneRunner.job().timeout(FIVE_SECONDS);
    }

    /** A job that does something, and gives up when it is interrupted. */
    private OneRunner oneThat(Consumer<ManualTime> does) {
        OneRunner[] one = new OneRunner[1];
        one[0] = new OneRunner(context -> {
            does.accept(one[0].time);
            boolean cutOff = Thread.interrupted();
            interrupted.add(cutOff);
            if (cutOff) {
                throw new InterruptedException("gives up");
            }
        });
        return one[0];
    }
}
