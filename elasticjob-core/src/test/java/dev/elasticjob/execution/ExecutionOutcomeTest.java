package dev.elasticjob.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.RetrySettings;
import dev.elasticjob.execution.invoker.JobInvoker;
import dev.elasticjob.job.event.ExecutionOutcome;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobEvent.ItemStarted;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class ExecutionOutcomeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private int attempts;

    @Test
    void aJobThatReturnsIsCompleted() {
        assertThat(end(context -> {}).outcome()).isEqualTo(ExecutionOutcome.COMPLETED);
    }

    @Test
    void aJobThatThrowsIsFailed() {
        ItemFinished end = end(context -> {
            throw new IllegalStateException("provoked by this test");
        });

        assertThat(end.outcome()).isEqualTo(ExecutionOutcome.FAILED);
        assertThat(end.failure()).get().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aJobThatGivesUpByACancellationIsCancelled() {
        ItemFinished end = end(context -> {
            throw new CancellationException("provoked by this test");
        });

        assertThat(end.outcome()).isEqualTo(ExecutionOutcome.CANCELLED);
    }

    @Test
    void aJobThatTakesLongerThanItsTimeoutIsTimedOut() {
        OneRunner[] one = new OneRunner[1];
        one[0] = new OneRunner(context -> one[0].time.advance(SECOND.multipliedBy(2)));

        ItemFinished end = end(one[0], OneRunner.job().timeout(SECOND));

        assertThat(end.outcome()).isEqualTo(ExecutionOutcome.TIMEOUT);
        assertThat(end.duration()).isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void aJobThatIsCutOffIsInterrupted() {
        OneRunner[] one = new OneRunner[1];
        one[0] = new OneRunner(context -> {
            one[0].runner.interruptAll("the test says so");
            throw new IllegalStateException("provoked by this test");
        });

        assertThat(end(one[0], OneRunner.job()).outcome()).isEqualTo(ExecutionOutcome.INTERRUPTED);
    }

    @Test
    void anExecutionThatWasRetriedSaysHowOften() {
        OneRunner one = failing(2);

        one.claim(OneRunner.job().retry(RetrySettings.of(3, SECOND)), 1).runAll();
        one.pass(SECOND).pass(SECOND);

        ItemFinished end = one.told(ItemFinished.class).get(0);
        assertThat(end.outcome()).isEqualTo(ExecutionOutcome.COMPLETED);
        assertThat(end.retries()).isEqualTo(2);
        assertThat(end.duration()).as("with the pauses").isEqualTo(SECOND.multipliedBy(2));
    }

    @Test
    void retriesThatAllFailAreCountedWithoutTheFirstAttempt() {
        OneRunner one = failing(3);

        one.claim(OneRunner.job().retry(RetrySettings.of(3, SECOND)), 1).runAll();
        one.pass(SECOND).pass(SECOND);

        ItemFinished end = one.told(ItemFinished.class).get(0);
        assertThat(end.outcome()).isEqualTo(ExecutionOutcome.FAILED);
        assertThat(end.retries()).isEqualTo(2);
    }

    @Test
    void anExecutionThatEndsByAFailureOfOtherCodeHasAnEnd() {
        OneRunner one = new OneRunner(context -> {});
        one.onEvent = event -> {
            if (event instanceof ItemStarted) {
                throw new OutOfMemoryError("provoked by this test");
            }
        };

        ItemFinished end = end(one, OneRunner.job());

        assertThat(end.outcome()).isEqualTo(ExecutionOutcome.FAILED);
    }

    private OneRunner failing(int times) {
        return new OneRunner(context -> {
            attempts++;
            if (attempts <= times) {
                throw new IllegalStateException("provoked by attempt " + attempts);
            }
        });
    }

    private static ItemFinished end(JobInvoker job) {
        return end(new OneRunner(job), OneRunner.job());
    }

    private static ItemFinished end(OneRunner one, JobDefinition.Builder job) {
        one.claim(job, 1).runAll();
        assertThat(one.told(ItemFinished.class)).hasSize(1);
        return one.told(ItemFinished.class).get(0);
    }
}
