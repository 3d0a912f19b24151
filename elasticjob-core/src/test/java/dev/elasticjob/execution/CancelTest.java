package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.item.ExecutionResult;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.job.ItemCancelledException;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of an execution that an operator cancels. */
class CancelTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String BY_ALICE = "cancelled by alice";

    private final List<Boolean> interrupted = new ArrayList<>();

    @Test
    void codeThatReturnsAfterItsInterruptionHasFailedAndNobodyIsAlerted() {
        OneRunner[] one = new OneRunner[1];
        one[0] = new OneRunner(context -> {
            cancel(one[0], OneRunner.job());
            interrupted.add(Thread.interrupted());
        });

        one[0].claim(OneRunner.job(), 1).runAll();

        assertThat(interrupted).containsExactly(true);
        assertThat(one[0].state(0)).isEqualTo(ItemState.FAILED);
        assertThat(one[0].failure(0)).contains(BY_ALICE);
        assertThat(one[0].failures).isEmpty();
        assertThat(one[0].told(ItemFinished.class)).singleElement().satisfies(end -> {
            assertThat(end.failure()).containsInstanceOf(ItemCancelledException.class);
            assertThat(end.outcome()).isEqualTo(ExecutionOutcome.CANCELLED);
        });
    }

    @Test
    void itsFailureIsNotRetried() {
        OneRunner[] one = new OneRunner[1];
        JobDefinition.Builder job = OneRunner.job().retry(RetrySettings.of(3, SECOND));
        one[0] = new OneRunner(context -> {
            interrupted.add(Thread.currentThread().isInterrupted());
            cancel(one[0], job);
            throw new IllegalStateException("gives up");
        });

        one[0].claim(job, 1).runAll();

        assertThat(one[0].state(0)).isEqualTo(ItemState.FAILED);
        one[0].pass(SECOND).pass(SECOND);
        assertThat(interrupted).hasSize(1);
    }

    @Test
    void betweenTwoAttemptsItHasFailedAtOnce() {
        JobDefinition.Builder job = OneRunner.job().retry(RetrySettings.of(3, SECOND));
        OneRunner one = new OneRunner(context -> {
            interrupted.add(false);
            throw new IllegalStateException("provoked by this test");
        });
        one.claim(job, 1).runAll();

        cancel(one, job);
        one.pass(SECOND).pass(SECOND);

        assertThat(interrupted).hasSize(1);
        assertThat(one.state(0)).isEqualTo(ItemState.FAILED);
    }

    @Test
    void whatHasNotBegunNeverBegins() {
        OneRunner one = new OneRunner(context -> interrupted.add(false));
        one.claim(OneRunner.job(), 1);

        cancel(one, OneRunner.job());
        one.runAll();

        assertThat(interrupted).isEmpty();
        assertThat(one.endings.get(0)).isInstanceOf(ExecutionResult.Unclaimed.class);
    }

    @Test
    void anotherClaimOfTheItemIsNotReached() {
        OneRunner[] one = new OneRunner[1];
        one[0] = new OneRunner(context -> {
            cancel(one[0], OneRunner.job().jobParameter("another"));
            interrupted.add(Thread.interrupted());
        });

        one[0].claim(OneRunner.job(), 1).runAll();

        assertThat(interrupted).containsExactly(false);
        assertThat(one[0].state(0)).isEqualTo(ItemState.COMPLETED);
    }

    private static void cancel(OneRunner one, JobDefinition.Builder job) {
        one.runner.cancel(OneRunner.claimed(job.build(), 0), BY_ALICE);
    }
}
